// Builds the bodies of requests (spec/device.md §4.3-§4.8, §5.1).

package import EventStore

/// Builds the bodies of requests.
package enum DeviceRequests {
  /// The body of an enrollment request.
  ///
  /// - Parameters:
  ///   - verification: the public user verification key; `.null` if the application declined one, `nil` if it did not
  ///     specify.
  package static func enroll(
    authenticatorID: String, device: JSON, pushToken: String, environment: String, transactionTypes: [String],
    possession: JSON, verification: JSON?
  ) -> JSON {
    [
      "authenticatorId": .string(authenticatorID), "device": device,
      "methods": [
        "push": [
          "pushToken": .string(pushToken), "apsEnvironment": .string(environment),
          "capabilities": ["transactionTypes": .array(transactionTypes.map(JSON.string))],
          "keys": .members([("proofOfPossession", possession), ("userVerification", verification)]),
        ]
      ],
    ]
  }

  /// The body that updates an enrollment; `nil` values are unchanged. An empty push token would erase the stored one,
  /// so it is left out.
  package static func update(pushToken: String? = nil, verification: JSON? = nil, transactionTypes: [String]? = nil)
    -> JSON
  {
    [
      "methods": [
        "push": .members([
          ("pushToken", pushToken.flatMap { $0.isEmpty ? nil : .string($0) }),
          ("keys", verification.map { ["userVerification": $0] }),
          ("capabilities", transactionTypes.map { ["transactionTypes": .array($0.map(JSON.string))] }),
        ])
      ]
    ]
  }

  /// The body that answers a challenge.
  package static func answer(_ jwt: String) -> JSON { ["method": "push", "challengeResponse": .string(jwt)] }

  /// The form that requests a maintenance token.
  package static func maintenanceToken(clientID: String, scopes: [String], assertion: String) -> JSON {
    [
      "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": .string(clientID),
      "scope": .string(scopes.joined(separator: " ")), "assertion": .string(assertion),
    ]
  }

  /// The description of the device at enrollment (§5.1).
  ///
  /// - Parameters:
  ///   - facts: the facts known about the device, keyed by their names on the wire.
  ///   - identity: identifies the device: either a new key, or the IDs and attestation of a known device.
  package static func device(_ facts: JSON, identity: JSON) -> JSON {
    // Disk encryption is sent only if a challenge asks for it.
    let members = (facts.object?.members ?? []).filter { $0.key != "diskEncryptionType" }
    return .object(JSONObject(members + (identity.object?.members ?? [])))
  }

  /// The signals in an answer: always the IDs, and otherwise only what was requested (§5.1).
  package static func signals(_ facts: JSON, deviceID: String, clientInstanceID: String, asked: [String]) -> JSON {
    let always: [(String, JSON?)] = [("id", .string(deviceID)), ("clientInstanceId", .string(clientInstanceID))]
    let never: Set<String> = ["id", "clientInstanceId", "authenticatorAppKey", "clientInstanceKey"]
    var given: Set<String> = never
    let more = asked.compactMap { name -> (String, JSON?)? in
      guard given.insert(name).inserted, let value = facts[name], value != .null else { return nil }
      return (name, value)
    }
    return .members(always + more)
  }
}
