// Importing `IDX` also imports the types for tokens, credentials, and clients.

@_exported public import OIDC
