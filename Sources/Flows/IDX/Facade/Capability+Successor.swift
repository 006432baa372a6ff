// Names that okta-mobile-swift 2.x uses for capabilities of the original SDK.

/// The later name of `Capability.Sendable`.
public typealias SendCapability = Capability.Sendable
/// The later name of `Capability.Resendable`.
public typealias ResendCapability = Capability.Resendable
/// The later name of `Capability.Recoverable`.
public typealias RecoverCapability = Capability.Recoverable
/// The later name of `Capability.Pollable`.
public typealias PollCapability = Capability.Pollable
/// The later name of `Capability.Profile`.
public typealias ProfileCapability = Capability.Profile
/// The later name of `Capability.PasswordSettings`.
public typealias PasswordSettingsCapability = Capability.PasswordSettings
/// The later name of `Capability.OTP`.
public typealias OTPCapability = Capability.OTP
/// The later name of `Capability.Duo`.
public typealias DuoCapability = Capability.Duo
/// The later name of `Capability.NumberChallenge`.
public typealias NumberChallengeCapability = Capability.NumberChallenge
/// The later name of `Capability.SocialIDP`.
public typealias SocialIDPCapability = Capability.SocialIDP
/// The later name of `Capability.WebAuthnRegistration`.
public typealias WebAuthnRegistrationCapability = Capability.WebAuthnRegistration
/// The later name of `Capability.WebAuthnAuthentication`.
public typealias WebAuthnAuthenticationCapability = Capability.WebAuthnAuthentication
/// The later name of `Capability.WebAuthnError`.
public typealias WebAuthnCapabilityError = Capability.WebAuthnError
