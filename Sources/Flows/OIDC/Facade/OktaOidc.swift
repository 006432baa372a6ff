// The names of the late era of the SDK that this one follows (oidc §10).

/// The late era's name of `OktaAppAuth`.
public typealias OktaOidc = OktaAppAuth
/// The late era's name of `OktaAuthConfig`.
public typealias OktaOidcConfig = OktaAuthConfig
/// The late era's name of `OktaAuthStateManager`.
public typealias OktaOidcStateManager = OktaAuthStateManager
/// The late era's name of `OktaError`.
public typealias OktaOidcError = OktaError
