"""The pack `@nodetool-ai/sandbox-html`: data for nodetool-sandbox, read without being imported."""
