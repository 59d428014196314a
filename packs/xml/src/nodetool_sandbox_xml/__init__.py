"""The pack `@nodetool-ai/sandbox-xml`: data for nodetool-sandbox, read without being imported."""
