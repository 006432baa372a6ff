// Names that okta-mobile-swift 2.x gave to capabilities of 3.x.

/// `Capability.Sendable`, by its later name.
public typealias SendCapability = Capability.Sendable
/// `Capability.Resendable`, by its later name.
public typealias ResendCapability = Capability.Resendable
/// `Capability.Recoverable`, by its later name.
public typealias RecoverCapability = Capability.Recoverable
/// `Capability.Pollable`, by its later name.
public typealias PollCapability = Capability.Pollable
/// `Capability.Profile`, by its later name.
public typealias ProfileCapability = Capability.Profile
/// `Capability.PasswordSettings`, by its later name.
public typealias PasswordSettingsCapability = Capability.PasswordSettings
/// `Capability.OTP`, by its later name.
public typealias OTPCapability = Capability.OTP
/// `Capability.Duo`, by its later name.
public typealias DuoCapability = Capability.Duo
/// `Capability.NumberChallenge`, by its later name.
public typealias NumberChallengeCapability = Capability.NumberChallenge
/// `Capability.SocialIDP`, by its later name.
public typealias SocialIDPCapability = Capability.SocialIDP
/// `Capability.WebAuthnRegistration`, by its later name.
public typealias WebAuthnRegistrationCapability = Capability.WebAuthnRegistration
/// `Capability.WebAuthnAuthentication`, by its later name.
public typealias WebAuthnAuthenticationCapability = Capability.WebAuthnAuthentication
/// `Capability.WebAuthnError`, by its later name.
public typealias WebAuthnCapabilityError = Capability.WebAuthnError
