// Values that applications pass and receive: errors, tokens, notifications, and configurations.

import EventStore
import FlowRecording
import Foundation

extension HostTables {
  // MARK: Errors

  private static func show(_ error: DeviceAuthenticatorError) -> String {
    var more = ""
    switch error {
    case .serverAPIError(let result, let model):
      more = "\(result.description) \(result.data.map { String(decoding: $0, as: UTF8.self) } ?? "-") \(show(model))"
    case .networkError(let error): more = (error as? TransportError)?.code.rawValue ?? "another"
    case .securityError(let error): more = error.name
    case .storageError(let error): more = error.errorDescription ?? ""
    case .genericError, .internalError, .accountNotFoundForChallenge, .pushNotRecognized,
      .noVerificationMethodsToEnroll, .duplicateChallenge, .unsupportedTransactionType, .auditUnavailable:
      break
    }
    let info = error.errorUserInfo.keys.sorted()
    return "\(error.errorCode) \(error.description) | \(more) | \(error.errorDescription ?? "-") \(info)"
  }

  private static func show(_ model: ServerAPIErrorModel?) -> String {
    guard let model else { return "no model" }
    let texts = [model.errorCode?.rawValue, model.errorSummary, model.errorLink, model.errorId, model.status]
    return "\(texts.map { $0 ?? "-" }) \(model.errorCauses ?? ["-"]) \(model.description)"
  }

  /// Recorded errors as applications receive them.
  static var errors: [String] {
    let body: JSON = [
      "errorCode": "E0000152", "errorSummary": "summary", "errorLink": "link", "errorId": "id", "status": "REJECT",
      "error": "error", "error_description": "description",
      "errorCauses": [["errorSummary": "one"], ["errorSummary": 2], ["errorSummary": "three"]],
    ]
    let members = (body.object?.members ?? []).map { ($0.key, Optional($0.value)) }
    var bodies: [JSON] = [[], "text", [:], ["error": "e"], ["status": "s"], ["errorCode": "other"]]
    bodies += RuntimeTables.withEachLeftOut(of: members).map { JSON.members($0) }
    let security = [
      "failedToSignPayload", "keyGenFailed", "keyCorrupted", "localAuthenticationCancelled",
      "localAuthenticationPasscodeNotSet", "localAuthenticationFailed", "generalEncryptionError", "jwkError",
      "jwtError", "dataEncryptionDecryptionError", "other", "",
    ]
    let storage = [
      "itemNotFound", "missingAppGroupEntitlement", "storageMigrationError", "sqliteError", "generalStorageError",
      "other",
    ]
    var trials: [(String, JSON)] = [
      ("serverAPIError", [:]), ("networkError", ["code": "other code", "text": "why"]), ("networkError", [:]),
      ("noVerificationMethodsToEnroll", [:]), ("duplicateChallenge", ["transactionId": "ft-1"]),
    ]
    for body in bodies { trials.append(("serverAPIError", ["httpStatus": 403, "body": body])) }
    for code in TransportError.Code.allCases {
      trials.append(("networkError", ["code": .string(code.rawValue), "text": "why"]))
    }
    for message: JSON in ["why", nil] {
      for name in security { trials.append(("securityError", ["case": .string(name), "message": message])) }
      for name in storage { trials.append(("storageError", ["case": .string(name), "message": message])) }
      for kind in CheckFailure.Kind.allCases { trials.append((kind.rawValue, ["message": message])) }
      for code in ["genericError", "other"] { trials.append((code, ["message": message])) }
    }
    let shown = trials.map { code, details in
      line("\(code) \(details.text)", show(DeviceAuthenticatorError(code: code, details: details, nil)))
    }
    let kinds = CheckFailure.Kind.allCases.map { kind in
      let refusal = Refusal(CheckFailure("V1", kind, "why"))
      return line(kind.rawValue, "\(refusal.code) \(refusal.details.text)")
    }
    let masked = ServerAPIErrorModel(
      ["errorCode": "code-secret-1", "errorSummary": "of secret-1"],
      recorded: ["errorCode": "$secret.code.1$", "errorSummary": "of $secret.code.1$"])
    let printed = masked.map { "\($0) \(Mirror(reflecting: $0).children.map { "\($0.value)" })" }
    return shown + kinds + sameness + [line("masked", printed)]
  }

  /// Which errors are considered equal.
  private static var sameness: [String] {
    let errors: [DeviceAuthenticatorError] = [
      .genericError("one"), .genericError("two"), .internalError("one"), .securityError(.jwtError("one")),
      .securityError(.jwtError("two")), .securityError(.jwkError("one")), .storageError(.sqliteError("one")),
      .storageError(.sqliteError("two")), .storageError(.itemNotFound), .networkError(Reason(description: "one")),
      .networkError(Reason(description: "two")), .duplicateChallenge(transactionId: "one"),
    ]
    return errors.enumerated().map { number, error in
      let same = errors.map { "\(error == $0 ? "=" : "-")\(error.isSame(as: $0) ? "=" : "-")" }
      return line("\(number)", same.joined(separator: " "))
    }
  }

  // MARK: Notifications

  /// Notifications as they arrive.
  static var notifications: [String] {
    let dictionaries: [[String: any Sendable]] = [
      [:], ["payloadVersion": "v", "challenge": "c"], ["okta.payloadVersion": "v", "okta.challenge": "c"],
      ["payloadVersion": "1", "okta.payloadVersion": "2", "challenge": "3", "okta.challenge": "4"],
      ["payloadVersion": 5, "challenge": JSON.string("c")], ["payloadVersion": JSON.int(5), "aps": "a", "more": "m"],
    ]
    let texts = [
      #"{"payloadVersion":"v","challenge":"c","aps":{"alert":"x"},"more":1}"#, #"{"challenge":"a","challenge":"b"}"#,
      #"{"payloadVersion":5}"#, "[]", "text", "",
    ]
    let notifications =
      dictionaries.map { PushNotification(userInfo: $0) } + texts.map { PushNotification(json: Data($0.utf8)) }
    return notifications.enumerated().map { number, notification in
      let read = [notification.version, notification.challenge].map { $0?.text ?? "none" }
      return line("\(number)", "\(notification.keys) \(read) \(notification.payload.text) \(notification.description)")
    }
  }

  // MARK: Values

  /// Tokens, vocabulary, and settings.
  static var values: [String] {
    let tokens: [DeviceToken] = [.empty, .tokenData(Data([0, 15, 16, 255])), .tokenString("text"), .tokenString("")]
    let settings = ["preferred", "REQUIRED", "Other", ""].map { word in
      switch UserVerificationPolicySetting(word) {
      case .preferred: line(word, "preferred")
      case .required: line(word, "required")
      case .unknown(let other): line(word, "unknown \(other)")
      }
    }
    var parameters = [
      EnrollmentParameters(deviceToken: Data([1]), enableUserVerification: true),
      EnrollmentParameters(deviceToken: Data([1]), enableUserVerification: false),
      EnrollmentParameters(deviceToken: .empty), EnrollmentParameters(deviceToken: .empty),
    ]
    let presence = BiometricEnrollmentSettings(accessControlFlags: .userPresence)
    parameters[3].enableUserVerification(enable: true, userVerificationSettings: presence)
    parameters[3].enableCIBATransactions(enable: true)
    let shown = parameters.map { parameter in
      let wanted = parameter.userVerification.map { "\($0)" } ?? "-"
      let flags = parameter.userVerificationSettings.accessControlFlags.rawValue
      return "\(parameter.deviceToken.text) \(wanted) \(flags) \(parameter.isCIBAEnabled)"
    }
    let urls = [
      "https://acme.example/x?y", "acme.example", "http://acme.example", "http://localhost:80", "https://a@b.example",
    ]
    let configs = urls.compactMap { URL(string: $0) }.map { url in
      let config = DeviceAuthenticatorConfig(orgURL: url, oidcClientId: "client")
      let usable = config.usableURL ?? "none"
      return line(url.absoluteString, "\(config.orgURL.absoluteString) \(usable) \(config.authenticatorKey)")
    }
    let credential = Oauth2Credential(access_token: "t", token_type: "Bearer", expires_in: 5, scope: "s")
    let flags = (0..<5).map { BiometricEnrollmentSettings.AccessControlFlags(rawValue: 1 << $0) }
    let named: [BiometricEnrollmentSettings.AccessControlFlags] = [
      .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .privateKeyUsage,
    ]
    let words = [
      credential.description, AuthToken.bearer("t").token, AuthToken.bearer("t").description, "\(flags == named)",
      "\(TransactionType.login.rawValue) \(TransactionType.ciba.rawValue)",
      DeviceAuthenticatorConstants.defaultStorageRelativeDirectoryPath, DeviceAuthenticatorConstants.defaultStorageName,
    ]
    return tokens.map { line($0.text, $0.description) } + settings + shown + configs + words
  }
}
