"""Pages as images, by LibreOffice where it is installed and by rdocx where it is not.

Which one draws is decided once, when the worker starts (`choice`). Both draw in confined programs
(`jobs`): rdocx draws a page of the document itself, LibreOffice makes a PDF of it (`libreoffice`), of
which a page is drawn (`drawing`). What was made is kept for the next call (`cache`).
"""
