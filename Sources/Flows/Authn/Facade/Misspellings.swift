// Names as the seed's README misspells them, so that code copied from it compiles.

/// `OktaAuthStatusPasswordReset`, as the README writes it.
@available(*, deprecated, renamed: "OktaAuthStatusPasswordReset")
public typealias OktaAuthStatuPasswordReset = OktaAuthStatusPasswordReset

/// `OktaAuthStatusUnauthenticated`, as the README writes it.
@available(*, deprecated, renamed: "OktaAuthStatusUnauthenticated")
public typealias OktaAuthUnauthenticated = OktaAuthStatusUnauthenticated
