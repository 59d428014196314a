"""The pack `@nodetool-ai/sandbox-zip`: data for nodetool-sandbox, read without being imported."""
