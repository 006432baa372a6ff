// Names of statuses, factors and results: on the wire, for people, in files and as keys.

import Authn
import Foundation

/// What an application keeps of a sign-in over a restart.
struct KeptState: Codable, Equatable {
  var status: AuthStatus
  var factor: FactorType?
  var provider: FactorProvider?
  var result: OktaAPISuccessResponse.FactorResult?
  var recovery: OktaAPISuccessResponse.RecoveryType?
}

enum StatusNames {
  static let statuses: [AuthStatus] = [
    .unauthenticated, .passwordWarning, .passwordExpired, .recovery, .recoveryChallenge, .passwordReset, .lockedOut,
    .MFAEnroll, .MFAEnrollActivate, .MFARequired, .MFAChallenge, .success, .unknown("NEW_ONE"),
  ]
  static let factors: [FactorType] = [
    .question, .sms, .call, .TOTP, .push, .token, .tokenHardware, .web, .u2f, .email, .unknown("carrier_pigeon"),
  ]
  static let providers: [FactorProvider] = [.okta, .google, .rsa, .symantec, .yubico, .duo, .fido, .unknown("ACME")]
  static let results: [OktaAPISuccessResponse.FactorResult] = [
    .success, .active, .pending, .waiting, .cancelled, .timeout, .timeWindowExceeded, .passcodeReplayed, .error,
    .rejected, .unknown("LATER"),
  ]

  static var onTheWire: [String] {
    statuses.map(\.rawValue) + factors.map(\.rawValue) + providers.map(\.rawValue) + results.map(\.rawValue)
  }

  static var forPeople: [String] { statuses.map(\.description) + factors.map(\.description) }

  /// Whether each name leads back to its case.
  static var isRoundTrip: Bool {
    statuses.allSatisfy { AuthStatus(raw: $0.rawValue) == $0 }
      && factors.allSatisfy { FactorType(raw: $0.rawValue) == $0 }
      && providers.allSatisfy { FactorProvider(raw: $0.rawValue) == $0 }
      && results.allSatisfy { OktaAPISuccessResponse.FactorResult(raw: $0.rawValue) == $0 }
  }

  static func saved(_ state: KeptState) throws -> (text: String, again: KeptState) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(state)
    return (String(decoding: data, as: UTF8.self), try JSONDecoder().decode(KeptState.self, from: data))
  }

  static func channel(_ factor: OktaRecoveryFactors) -> FactorType { factor.toFactorType() }
}
