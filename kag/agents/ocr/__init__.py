"""Pages read by a model that sees: any that speaks the OpenAI wire, served by others or on a machine of one's own."""
