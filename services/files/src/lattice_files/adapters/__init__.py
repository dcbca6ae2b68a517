"""What stands behind the ports: the programs of apps, the blob stores, the client of integrations."""
