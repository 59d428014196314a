"""A pack of nodetool-sandbox: the JavaScript beside this file. Nothing here runs."""
