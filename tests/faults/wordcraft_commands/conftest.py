"""The app with its real engine."""

from service.wordcraft.conftest import app, edits, hosts, rooms, sound  # noqa: F401 - fixtures are found by their names
