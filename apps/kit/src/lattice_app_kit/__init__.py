"""The conformance kit for crafting apps: asks a running worker of any make whether it keeps `lattice.app.v1`.

`python -m lattice_app_kit ADDRESS --document FILE` calls the worker as files does, and as files never would, and
prints a line for each claim of the contract. The formats are the app's own, so whoever runs the kit brings documents.
"""
