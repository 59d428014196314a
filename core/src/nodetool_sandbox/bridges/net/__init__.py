"""What fetch is made of: addresses, targets, messages, connections, bodies, and what a redirect takes away."""
