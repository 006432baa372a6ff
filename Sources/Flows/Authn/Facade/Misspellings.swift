// Names as the seed's README misspells them, so that code copied from it compiles.

/// `OktaAuthStatusPasswordReset`, as spelled in the README.
@available(*, deprecated, renamed: "OktaAuthStatusPasswordReset")
public typealias OktaAuthStatuPasswordReset = OktaAuthStatusPasswordReset

/// `OktaAuthStatusUnauthenticated`, as spelled in the README.
@available(*, deprecated, renamed: "OktaAuthStatusUnauthenticated")
public typealias OktaAuthUnauthenticated = OktaAuthStatusUnauthenticated
