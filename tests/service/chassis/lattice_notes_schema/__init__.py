"""The migrations of an imaginary service, which keeps notes."""
