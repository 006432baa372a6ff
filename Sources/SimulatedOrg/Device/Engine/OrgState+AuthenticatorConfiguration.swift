// What an authenticator is, for the application that plays it (device.md §4.2).

extension OrgState {
  /// The answer is an array; it is empty for a client that no authenticator serves.
  mutating func authenticatorConfiguration(_ call: DeviceCall) throws(Refusal) -> IDXReply {
    // The configuration is public without a token; a token that is sent must be valid.
    if call.authorization != nil { _ = try caller(call, with: .read) }
    guard let client = call.form["oauthClientId"], !client.isEmpty else {
      throw .invalidField("oauthClientId", "The field cannot be left blank")
    }
    guard configuration.clients.contains(where: { $0.id == client }) else { return .device([]) }
    return .device(.array(configuration.devices.authenticators.filter { $0.serves(client) }.map(configurationBody)))
  }

  private func configurationBody(_ authenticator: OrgAppAuthenticator) -> OrgJSON {
    [
      "authenticatorId": .string(authenticator.id), "orgId": .string(configuration.devices.organizationID),
      "key": "custom_app", "type": "app", "name": .string(authenticator.name),
      "createdDate": .string(Timestamp(configuration.startTime).iso8601),
      "lastUpdated": .string(Timestamp(configuration.startTime).iso8601),
      "settings": [
        "userVerification": .string(authenticator.userVerification.rawValue),
        "userVerificationMethods": .array(authenticator.userVerificationMethods.map(OrgJSON.string)),
      ],
      "supportedMethods": [
        [
          "type": "push", "status": authenticator.isActive ? "ACTIVE" : "INACTIVE",
          "settings": [
            "keyProtection": authenticator.needsHardwareKeys ? "HARDWARE" : "ANY",
            "algorithms": .array(authenticator.algorithms.map(OrgJSON.string)),
            "transactionTypes": Self.list(authenticator.transactionTypes),
          ],
        ]
      ],
      "appAuthenticatorEnrollEndpoint": .string(baseURL + Self.enrollmentsPath),
    ]
  }

  static let enrollmentsPath = "/idp/myaccount/app-authenticators"

  /// Transaction types in their usual order.
  static func list(_ types: Set<OrgTransactionType>) -> OrgJSON {
    .array(OrgTransactionType.allCases.filter(types.contains).map { .string($0.rawValue) })
  }
}
