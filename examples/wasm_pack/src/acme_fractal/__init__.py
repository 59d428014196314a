"""A pack for nodetool-sandbox: data, and no Python."""
