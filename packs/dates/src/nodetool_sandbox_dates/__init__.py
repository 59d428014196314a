"""The pack `@nodetool-ai/sandbox-dates`: data for nodetool-sandbox, read without being imported."""
