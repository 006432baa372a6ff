// The request body of every operation (authn.md §2, §7): members that no operation needs are not read.

/// The fields an operation may read. A field of the wrong type makes the whole body ill-formed.
struct AuthnBody: Decodable {
  var stateToken: String?
  var username: String?
  var password: String?
  var token: String?
  var relayState: String?
  var options: Options?
  var passCode: String?
  var nextPassCode: String?
  var answer: String?
  var clientData: String?
  var signatureData: String?
  var authenticatorData: String?
  var registrationData: String?
  var attestation: String?
  var oldPassword: String?
  var newPassword: String?
  var recoveryToken: String?
  var factorType: String?
  var provider: String?
  var profile: Profile?

  /// The response of Duo's widget, in the one body that is a form.
  var duoResponse: String?

  private enum CodingKeys: String, CodingKey {
    case stateToken, username, password, token, relayState, options, passCode, nextPassCode, answer
    case clientData, signatureData, authenticatorData, registrationData, attestation
    case oldPassword, newPassword, recoveryToken, factorType, provider, profile
    case duoResponse = "sig_response"
  }

  struct Options: Decodable {
    var multiOptionalFactorEnroll: Bool?
    var warnBeforePasswordExpired: Bool?
  }

  struct Profile: Decodable {
    var phoneNumber: String?
    var question: String?
    var answer: String?
    var credentialId: String?
  }
}

/// One operation with the content of its request.
struct Call {
  var body: AuthnBody
  var query: [String: String]
  /// The `DT` cookie: which device this is.
  var deviceToken: String
  /// Whether the client showed the org's API token.
  var trusted: Bool
}
