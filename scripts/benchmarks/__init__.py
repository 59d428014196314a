"""What `scripts/bench.py` measures: its rows, the programs in them, the peers, and the arithmetic."""
