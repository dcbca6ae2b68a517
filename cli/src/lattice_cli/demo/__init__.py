"""The main job, end to end, on a real document."""
