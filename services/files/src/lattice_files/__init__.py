"""The files service: artifacts, native files and their leases, blobs, the gate, the change feed."""
