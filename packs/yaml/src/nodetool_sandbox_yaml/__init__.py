"""The pack `@nodetool-ai/sandbox-yaml`: data for nodetool-sandbox, read without being imported."""
