// The matrix of spec/device.md §9.3, row by row.

import DeviceAuthenticator
import EventStore
import Testing

@Suite struct KeyFallbackTests {
  @Test func `what it means that a key cannot be used is the table of the specification`() {
    let lines = KeyFallback.Cause.allCases.map { cause -> String in
      let required = KeyFallback(cause, .required)
      let preferred = KeyFallback(cause, .preferred)
      #expect(required.reason == preferred.reason && required.error == preferred.error)
      return [
        cause.rawValue, required.error, required.reason.rawValue, required.consent.rawValue, preferred.consent.rawValue,
      ].joined(separator: " | ")
    }
    #expect(
      lines == [
        "notEnrolled | genericError | userVerificationKeyNotEnrolled | UV_PERMANENTLY_UNAVAILABLE | APPROVED_CONSENT_PROMPT",
        "lost | genericError | userVerificationKeyCorruptedOrMissing | UV_PERMANENTLY_UNAVAILABLE | UV_PERMANENTLY_UNAVAILABLE",
        "invalidated | keyCorrupted | userVerificationKeyCorruptedOrMissing | UV_PERMANENTLY_UNAVAILABLE | UV_PERMANENTLY_UNAVAILABLE",
        "cancelled | localAuthenticationCancelled | userVerificationCancelledByUser | CANCELLED_USER_VERIFICATION | CANCELLED_USER_VERIFICATION",
        "failed | localAuthenticationFailed | userVerificationFailed | UV_TEMPORARILY_UNAVAILABLE | UV_TEMPORARILY_UNAVAILABLE",
        "notSetUp | localAuthenticationPasscodeNotSet | userVerificationFailed | UV_TEMPORARILY_UNAVAILABLE | UV_TEMPORARILY_UNAVAILABLE",
        "lockedOut | localAuthenticationFailed | userVerificationFailed | UV_TEMPORARILY_UNAVAILABLE | UV_TEMPORARILY_UNAVAILABLE",
        "timedOut | localAuthenticationFailed | userVerificationFailed | UV_TEMPORARILY_UNAVAILABLE | UV_TEMPORARILY_UNAVAILABLE",
        "other | generalEncryptionError | userVerificationFailed | UV_TEMPORARILY_UNAVAILABLE | UV_TEMPORARILY_UNAVAILABLE",
      ])
  }

  @Test func `a server's codes mean what §13·7 and §15·3 say`() {
    let codes: [String?] = [
      nil, "E0000007", "E0000008", "E0000011", "E0000152", "E0000153", "E0000154", "E0000155", "E0000156", "E0000158",
      "E0000180", "E0000212", "E0000999",
    ]
    #expect(
      codes.map { ServerError.meaning(of: $0).rawValue } == [
        "active", "active", "deleted", "active", "suspended", "reset", "reset", "suspended", "deleted", "active",
        "suspended", "active", "active",
      ])
    for code in codes.compactMap(\.self) {
      let error = ServerErrorCode(raw: code)
      let wire = ServerError(["errorCode": .string(code)])
      #expect(error.isResourceDeleted == wire.isGone && error.isResourceSuspended == wire.isSuspended)
      #expect(error.rawValue == code)
    }
    #expect(ServerErrorCode.userSuspended.httpCode() == 423 && ServerErrorCode(raw: "E1") == .unknown("E1"))
  }
}
