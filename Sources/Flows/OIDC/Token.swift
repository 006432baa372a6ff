// Tokens.
