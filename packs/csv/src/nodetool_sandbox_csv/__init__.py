"""The pack `@nodetool-ai/sandbox-csv`: data for nodetool-sandbox, read without being imported."""
