// Descriptions of errors, one sentence each, without secrets.

public import Foundation

extension DeviceAuthenticatorError: LocalizedError, CustomNSError, CustomStringConvertible {
  /// The domain of the errors (spec/device.md §15.1).
  public static var errorDomain: String { "DeviceAuthenticator.DeviceAuthenticatorError" }

  /// The payload of the error: its description, and for a server response also `result` and `json`.
  public var errorUserInfo: [String: Any] {
    switch self {
    case .serverAPIError(let result, let model):
      var info: [String: Any] = ["result": result, NSLocalizedDescriptionKey: description]
      if let model { info["json"] = model }
      return info
    case .networkError(let error): return [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: description]
    case .securityError, .storageError, .genericError, .internalError, .accountNotFoundForChallenge,
      .pushNotRecognized, .noVerificationMethodsToEnroll, .duplicateChallenge, .unsupportedTransactionType,
      .auditUnavailable:
      return [NSLocalizedDescriptionKey: description]
    }
  }

  /// One sentence that describes the error.
  public var errorDescription: String? { description }

  /// One sentence that describes the error.
  public var description: String {
    switch self {
    case .serverAPIError(let result, let model):
      "The server call failed with HTTP status \(result.statusCode)"
        + (model?.printed.code.map { " (\($0))" } ?? "") + (model?.printed.sentence.map { ": \($0)" } ?? "")
    case .networkError(let error): "\(error)"
    case .securityError(let error): "A cryptographic operation failed: \(error.errorDescription ?? "")"
    case .storageError(let error): error.errorDescription ?? ""
    case .genericError(let text), .internalError(let text): text
    case .accountNotFoundForChallenge: "No enrollment of this device is meant by the challenge."
    case .pushNotRecognized: "The notification is not a push challenge."
    case .noVerificationMethodsToEnroll: "The policy has no method that can be enrolled."
    case .duplicateChallenge(let id): "The challenge \(id) was answered, or is being answered."
    case .unsupportedTransactionType(let type): "The enrollment does not take challenges of the type \(type)."
    case .auditUnavailable(let text): text
    }
  }
}

extension SecurityError: LocalizedError {
  /// The case and the reason.
  public var errorDescription: String? {
    switch self {
    case .failedToSignPayload(let text), .jwkError(let text), .jwtError(let text): "\(name): \(text)"
    case .keyGenFailed(let code, let text): "\(name): \(text) (\(code))"
    case .generalEncryptionError(let code, _, let text): "\(name): \(text) (\(code))"
    case .keyCorrupted(let error), .localAuthenticationCancelled(let error),
      .localAuthenticationPasscodeNotSet(let error), .localAuthenticationFailed(let error):
      "\(name): \(error)"
    case .dataEncryptionDecryptionError(let error): error.map { "\(name): \($0)" } ?? name
    }
  }
}

extension StorageError: LocalizedError {
  /// One sentence that describes the error.
  public var errorDescription: String? {
    switch self {
    case .itemNotFound: "What was looked for is not stored."
    case .missingAppGroupEntitlement: "The storage directory cannot be made, or others can read it."
    case .storageMigrationError(let text): "The storage cannot be read by this version: \(text)"
    case .sqliteError(let text): "SQLite refused: \(text)"
    case .generalStorageError(let text): "The storage failed: \(text)"
    }
  }
}
