"""The pack `@nodetool-ai/sandbox-xlsx`: data for nodetool-sandbox, read without being imported."""
