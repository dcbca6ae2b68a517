"""Clients of what is outside, behind the ports."""
