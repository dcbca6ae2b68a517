"""What people ask for, and the commands that do it; written before the ranking that finds them [A-06].

A query may name more than one command where each of them does what is asked. Commands that are not in the
catalogue yet are listed too.
"""

from typing import Final

QUERIES: Final[tuple[tuple[str, frozenset[str]], ...]] = tuple(
    (query, frozenset(commands.split()))
    for query, commands in (
        # Text and paragraphs
        ("fix a typo", "replace_text"),
        ("rename the company throughout the document", "replace_everywhere"),
        ("add a few words after the date", "insert_text"),
        ("cut this sentence", "delete_text"),
        ("write it in capitals", "change_case"),
        ("new paragraph after the heading", "insert_paragraph"),
        ("split this paragraph in two", "split_paragraph"),
        ("join the two paragraphs", "merge_paragraphs"),
        ("put this section before the other", "move_paragraph"),
        ("drop the last paragraph", "delete_paragraph"),
        # Character and paragraph formatting, styles
        ("make this bold", "format_text"),
        ("the font is too small", "format_text"),
        ("get rid of the formatting", "clear_formatting"),
        ("center the title", "align_paragraph format_paragraph"),
        ("more space between the lines", "format_paragraph"),
        ("turn this line into a heading", "set_style"),
        # Lists
        ("make a bulleted list of these lines", "make_list"),
        ("this should not be a bullet point", "remove_from_list"),
        ("indent the list item one level deeper", "set_list_level"),
        ("start the numbering at 1 again", "restart_numbering"),
        # Page setup, headers, footers, notes, breaks
        ("the margins are too wide", "set_margins"),
        ("print it on A4", "set_page_size"),
        ("turn the page sideways", "set_orientation"),
        ("two columns like a newspaper", "set_columns"),
        ("the company name at the top of every page", "set_header"),
        ("number the pages", "add_page_numbers"),
        ("cite the source at the bottom of the page", "add_footnote"),
        ("start a new page here", "insert_page_break"),
        # Tables
        ("a table with three columns", "insert_table"),
        ("new row in the table", "insert_row"),
        ("remove the second row", "delete_row"),
        ("add a column for the price", "insert_column"),
        ("take out the last column", "delete_column"),
        ("change the number in this cell", "set_cell_text"),
        ("combine these two cells", "merge_cells"),
        ("split the merged cell again", "unmerge_cells"),
        ("grey background for the header row", "shade_cells"),
        ("lines around the table", "set_table_borders"),
        ("the first column is too narrow", "set_column_widths"),
        ("show the header row on each page", "repeat_header_row"),
        ("throw the whole table away", "delete_table"),
        # Links, bookmarks, images, content controls, contents tables
        ("make this word a hyperlink", "add_link"),
        ("the link should go nowhere, only text", "remove_link"),
        ("mark this place so that I can refer to it", "add_bookmark"),
        ("refer to the section by its number", "add_cross_reference"),
        ("put our logo here", "insert_image"),
        ("the picture is too big", "resize_image"),
        ("describe the photo for blind readers", "set_alt_text"),
        ("fill in the form field", "fill_control"),
        ("tick the checkbox", "check_control"),
        ("choose from the dropdown", "pick_control_item"),
        ("table of contents at the front", "insert_contents"),
        ("directory of all figures", "insert_list_of_figures"),
        # Comments
        ("ask the author a question in the margin", "add_comment"),
        ("answer the remark", "reply_to_comment"),
        ("get rid of the comment", "delete_comment"),
        ("the comment is settled", "resolve_comment"),
        ("correct what my comment says", "edit_comment"),
        # Tracked changes
        ("who changed this", "accept_change reject_change comment_on_change"),
        ("keep this suggestion", "accept_change"),
        ("undo one edit", "reject_change"),
        ("accept everything", "accept_all_changes"),
        ("throw out all the changes of Tomasz", "reject_all_changes"),
        ("approve the edits in this paragraph", "accept_changes_in_passage"),
    )
)
