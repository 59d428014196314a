"""The pack `@nodetool-ai/sandbox-diff`: data for nodetool-sandbox, read without being imported."""
