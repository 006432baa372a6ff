// `import IDX` brings the names of tokens, credentials and clients with it.

@_exported public import OIDC
