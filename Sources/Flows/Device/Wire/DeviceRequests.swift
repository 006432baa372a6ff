// The bodies of requests, member by member (spec/device.md §4.3-§4.8, §5.1).

package import EventStore

/// Makes the bodies of requests.
package enum DeviceRequests {
  /// What an enrollment is asked with.
  ///
  /// - Parameters:
  ///   - verification: the public key of a verified person; `.null` if the application said that it wants none; nil if it
  ///     said nothing.
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

  /// What is changed of an enrollment; what is nil stays as it is. An empty push token would erase it, and is left out.
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

  /// The answer to a challenge.
  package static func answer(_ jwt: String) -> JSON { ["method": "push", "challengeResponse": .string(jwt)] }

  /// What a maintenance token is asked for with, for a form.
  package static func maintenanceToken(clientID: String, scopes: [String], assertion: String) -> JSON {
    [
      "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": .string(clientID),
      "scope": .string(scopes.joined(separator: " ")), "assertion": .string(assertion),
    ]
  }

  /// The device at enrollment (§5.1).
  ///
  /// - Parameters:
  ///   - facts: what is known of the device, by the names of the wire.
  ///   - identity: what says which device it is: a new key, or the ids and the attestation of a known one.
  package static func device(_ facts: JSON, identity: JSON) -> JSON {
    // Disk encryption goes out only if a challenge asks for it.
    let members = (facts.object?.members ?? []).filter { $0.key != "diskEncryptionType" }
    return .object(JSONObject(members + (identity.object?.members ?? [])))
  }

  /// The signals of an answer: ids always, and of the rest what was asked for (§5.1).
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
