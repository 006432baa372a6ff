// The password has expired (seed «OktaAuthStatusPasswordExpired»).

/// The user's password was correct but has expired: it must be changed.
open class OktaAuthStatusPasswordExpired: OktaAuthStatusPasswordChange, @unchecked Sendable {}
