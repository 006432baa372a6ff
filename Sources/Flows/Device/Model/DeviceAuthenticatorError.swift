// The errors of the push authenticator (spec/device.md §15.1, §15.2).

/// Why a call of the push authenticator failed. `==` compares only the case, as in the reference; `isSame(as:)` also
/// compares the payload.
public enum DeviceAuthenticatorError: Error, Sendable {
  /// The org refused the request. The values are its response and the parts of the error that could be read.
  case serverAPIError(HTTPURLResult, ServerAPIErrorModel?)
  /// No complete response was received; the error is a `TransportError`. The answer to a challenge may or may not have
  /// reached the org.
  case networkError(any Error)
  /// A problem with a key, a signature, or a JWT.
  case securityError(SecurityError)
  /// Stored data could not be read or written.
  case storageError(StorageError)
  /// Any other error that an application may display.
  case genericError(String)
  /// The org or the SDK violated a rule of the protocol.
  case internalError(String)
  /// The challenge is for an enrollment that does not exist on this device.
  case accountNotFoundForChallenge(any ChallengeProtocol)
  /// The notification does not belong to this product; the application should handle it.
  case pushNotRecognized
  /// The policy contains no method that can be enrolled.
  case noVerificationMethodsToEnroll
  /// The challenge was already answered, or is being answered.
  case duplicateChallenge(transactionId: String)
  /// The enrollment does not accept challenges of this type.
  case unsupportedTransactionType(String)
  /// The call could not be recorded and was therefore not performed. The text says what to do.
  case auditUnavailable(String)

  /// The number of the error (§15.1).
  public var errorCode: Int {
    switch self {
    case .serverAPIError: -1
    case .networkError: -2
    case .securityError: -3
    case .storageError: -4
    case .genericError: -5
    case .internalError: -6
    case .accountNotFoundForChallenge: -7
    case .pushNotRecognized: -8
    case .noVerificationMethodsToEnroll: -9
    case .duplicateChallenge: -101
    case .unsupportedTransactionType: -102
    case .auditUnavailable: -103
    }
  }

  /// Returns whether two errors are equal, including their payload. Other error types are compared by their text.
  public func isSame(as other: DeviceAuthenticatorError) -> Bool {
    switch (self, other) {
    case (.securityError(let one), .securityError(let two)): one == two && one.errorDescription == two.errorDescription
    case (.storageError(let one), .storageError(let two)): one == two
    default: errorCode == other.errorCode && description == other.description
    }
  }
}

extension DeviceAuthenticatorError: Equatable {
  /// Returns whether two errors have the same case.
  public static func == (one: DeviceAuthenticatorError, two: DeviceAuthenticatorError) -> Bool {
    one.errorCode == two.errorCode
  }
}

/// Why a key, a signature, or a JWT could not be used. `==` compares only the case.
public enum SecurityError: Error, Sendable {
  /// The payload could not be signed.
  case failedToSignPayload(String)
  /// A key could not be created. The values are the key store's code and the reason.
  case keyGenFailed(Int32, String)
  /// The key is no longer valid.
  case keyCorrupted(any Error)
  /// The person cancelled.
  case localAuthenticationCancelled(any Error)
  /// No method is set up to verify the person.
  case localAuthenticationPasscodeNotSet(any Error)
  /// The verification of the person failed.
  case localAuthenticationFailed(any Error)
  /// Any other error of the key store.
  case generalEncryptionError(Int32, (any Error)?, String)
  /// A JWK is not valid.
  case jwkError(String)
  /// A JWT failed a check. The text is only an example; the log has the check's ID.
  case jwtError(String)
  /// Encrypted data could not be decrypted.
  case dataEncryptionDecryptionError((any Error)?)
}

extension SecurityError: Equatable {
  /// Returns whether two errors have the same case.
  public static func == (one: SecurityError, two: SecurityError) -> Bool { one.name == two.name }

  var name: String {
    switch self {
    case .failedToSignPayload: "failedToSignPayload"
    case .keyGenFailed: "keyGenFailed"
    case .keyCorrupted: "keyCorrupted"
    case .localAuthenticationCancelled: "localAuthenticationCancelled"
    case .localAuthenticationPasscodeNotSet: "localAuthenticationPasscodeNotSet"
    case .localAuthenticationFailed: "localAuthenticationFailed"
    case .generalEncryptionError: "generalEncryptionError"
    case .jwkError: "jwkError"
    case .jwtError: "jwtError"
    case .dataEncryptionDecryptionError: "dataEncryptionDecryptionError"
    }
  }
}

/// Why stored data could not be read or written.
public enum StorageError: Error, Sendable, Hashable {
  /// The item does not exist.
  case itemNotFound
  /// The storage directory cannot be created, or other users can read it.
  case missingAppGroupEntitlement
  /// The file was created by a version that this one cannot read.
  case storageMigrationError(String)
  /// SQLite returned an error.
  case sqliteError(String)
  /// Any other storage error.
  case generalStorageError(String)
}

/// The cause of an error, in one sentence.
struct Reason: Error, Sendable, Hashable, CustomStringConvertible {
  var description: String
}
