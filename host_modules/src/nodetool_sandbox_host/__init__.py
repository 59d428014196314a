"""What the host ids do; the table of them is `nodetool_sandbox_host.table.HOSTS`."""
