"""The contract `lattice.app.v1` in front of the app: translate, call, translate."""
