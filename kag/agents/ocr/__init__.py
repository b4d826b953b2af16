"""Pages read by a vision model: any server with the OpenAI API, remote or local."""
