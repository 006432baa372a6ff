// The errors of the push authenticator (spec/device.md §15.1, §15.2).

/// Why a call of the push authenticator failed. `==` compares the case alone, as in the reference; `isSame(as:)` all of it.
public enum DeviceAuthenticatorError: Error, Sendable {
  /// The org refused: its answer, and what could be read of it.
  case serverAPIError(HTTPURLResult, ServerAPIErrorModel?)
  /// No whole answer came; a `TransportError`. Of an answer to a challenge it is then not known whether the org has it.
  case networkError(any Error)
  /// A key, a signature or a JWT.
  case securityError(SecurityError)
  /// What is stored could not be read or written.
  case storageError(StorageError)
  /// Anything else that an application may show.
  case genericError(String)
  /// The org, or the SDK, did something that it must not.
  case internalError(String)
  /// The challenge is for an enrollment that is not on this device.
  case accountNotFoundForChallenge(any ChallengeProtocol)
  /// The notification is not one of ours; the application goes on with it.
  case pushNotRecognized
  /// The policy has nothing that can be enrolled.
  case noVerificationMethodsToEnroll
  /// The challenge was answered, or is being answered.
  case duplicateChallenge(transactionId: String)
  /// The enrollment does not take challenges of this type.
  case unsupportedTransactionType(String)
  /// It could not be recorded, and so was not done; the text says what to do.
  case auditUnavailable(String)

  /// The code of the case (§15.1).
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

  /// Whether two errors are the same, payload included. Errors of others count as the same if their texts are.
  public func isSame(as other: DeviceAuthenticatorError) -> Bool {
    switch (self, other) {
    case (.securityError(let one), .securityError(let two)): one == two && one.errorDescription == two.errorDescription
    case (.storageError(let one), .storageError(let two)): one == two
    default: errorCode == other.errorCode && description == other.description
    }
  }
}

extension DeviceAuthenticatorError: Equatable {
  /// Whether two errors are of the same case.
  public static func == (one: DeviceAuthenticatorError, two: DeviceAuthenticatorError) -> Bool {
    one.errorCode == two.errorCode
  }
}

/// Why a key, a signature or a JWT is of no use. `==` compares the case alone.
public enum SecurityError: Error, Sendable {
  /// Nothing was signed.
  case failedToSignPayload(String)
  /// No key was made: a code of the key store, and why.
  case keyGenFailed(Int32, String)
  /// The key counts no more.
  case keyCorrupted(any Error)
  /// The person cancelled.
  case localAuthenticationCancelled(any Error)
  /// Nothing is set up to verify the person by.
  case localAuthenticationPasscodeNotSet(any Error)
  /// The person was not verified.
  case localAuthenticationFailed(any Error)
  /// Anything else of the key store.
  case generalEncryptionError(Int32, (any Error)?, String)
  /// A JWK cannot be used.
  case jwkError(String)
  /// A JWT fails a check; the text is an example, the check's id is in the log.
  case jwtError(String)
  /// What is stored sealed cannot be opened.
  case dataEncryptionDecryptionError((any Error)?)
}

extension SecurityError: Equatable {
  /// Whether two errors are of the same case.
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

/// Why what is stored could not be read or written.
public enum StorageError: Error, Sendable, Hashable {
  /// It is not there.
  case itemNotFound
  /// The storage directory cannot be made, or others can read it.
  case missingAppGroupEntitlement
  /// The file was made by a version that this one cannot read.
  case storageMigrationError(String)
  /// SQLite refused.
  case sqliteError(String)
  /// Anything else.
  case generalStorageError(String)
}

/// What lies behind an error, in a sentence.
struct Reason: Error, Sendable, Hashable, CustomStringConvertible {
  var description: String
}
