"""The agent service: artifactr behind gRPC."""
