// An administrator's operations on devices, and queries for tests (device.md §20.3).

public import Foundation

extension SimulatedOrg {
  /// An access token, as a sign-in would have issued it.
  ///
  /// - Parameters:
  ///   - login: Whose token it is.
  ///   - client: The OAuth client that holds it.
  ///   - scopes: Its scopes; by default those to enroll and to manage devices.
  ///   - lifetime: Seconds it lives; the org's own when `nil`.
  /// - Returns: The token, or `nil` if there is no such user.
  public func accessToken(
    for login: String, client: String = OrgClient.sample.id,
    scopes: [String] = ["openid", "okta.myAccount.appAuthenticator.manage", "okta.myAccount.appAuthenticator.read"],
    lifetime: TimeInterval? = nil
  ) -> String? {
    responder.withMemory { memory in
      let lifetime = lifetime ?? memory.org.configuration.devices.tokenLifetime
      return memory.org.grantToken(login, client: client, scopes: scopes, lifetime: lifetime)
    }
  }

  /// Challenges devices, and delivers the challenges.
  ///
  /// - Returns: The challenges, the oldest enrollment's first; none if no device is meant.
  @discardableResult
  public func challenge(_ request: OrgChallengeRequest) -> [OrgChallenge] {
    responder.withMemory { memory in
      let made = memory.org.challenge(request)
      return made.map { memory.org.shown($0) }
    }
  }

  /// Spoils the next challenges, no matter how they are started.
  ///
  /// - Parameters:
  ///   - defect: The defect. A request that names a defect itself keeps its own.
  ///   - times: How many challenges are spoiled.
  public func spoilChallenges(_ defect: OrgChallengeDefect, times: Int = 1) {
    responder.withMemory { $0.org.device.defects += Array(repeating: defect, count: max(0, times)) }
  }

  /// Delivers a challenge again, whatever its outcome was.
  public func redeliver(_ challenge: String) {
    responder.withMemory { memory in
      guard let found = memory.org.device.challenges[challenge],
        let enrollment = memory.org.device.enrollments[found.enrollment]
      else { return }
      memory.org.device.deliveries.append(memory.org.push(found, to: enrollment))
    }
  }

  /// The challenge with that id.
  public func challenge(id: String) -> OrgChallenge? {
    responder.withMemory { memory in memory.org.device.challenges[id].map { memory.org.shown($0) } }
  }

  /// Every challenge, oldest first.
  public var challenges: [OrgChallenge] {
    responder.withMemory { memory in
      memory.org.device.challenges.values.sorted { $0.number < $1.number }.map { memory.org.shown($0) }
    }
  }

  /// The enrollments of a user, oldest first, including ended ones.
  public func enrollments(of login: String) -> [OrgDeviceEnrollment] {
    responder.withMemory { memory in
      memory.org.device.enrollments.values.filter { $0.login == OrgState.key(login) }
        .sorted { $0.number < $1.number }.map { memory.org.shown($0) }
    }
  }

  /// The enrollment with that id.
  public func enrollment(id: String) -> OrgDeviceEnrollment? {
    responder.withMemory { memory in memory.org.device.enrollments[id].map { memory.org.shown($0) } }
  }

  /// Whether there is a user with that login.
  package func hasUser(_ login: String) -> Bool {
    responder.withMemory { $0.org.accounts[OrgState.key(login)] != nil }
  }

  /// Whether there is a device with that id.
  package func hasDevice(_ id: String) -> Bool { responder.withMemory { $0.org.device.devices[id] != nil } }

  /// Suspends a user for devices, deletes or restores one. Sign-ins by password are not affected.
  public func setUser(_ login: String, _ status: OrgLifecycle) {
    responder.withMemory { $0.org.device.userStatus[OrgState.key(login)] = status }
  }

  /// Suspends a device, deletes or restores one.
  public func setDevice(_ id: String, _ status: OrgLifecycle) {
    responder.withMemory { $0.org.device.devices[id]?.status = status }
  }

  /// Suspends an enrollment, deletes or restores one.
  public func setEnrollment(_ id: String, _ status: OrgLifecycle) {
    responder.withMemory { $0.org.device.enrollments[id]?.status = status }
  }

  /// Signs with another key from now on, under a `kid` that was never used.
  ///
  /// - Parameters:
  ///   - signer: Whose key.
  ///   - keepingPrevious: Whether the key set still holds the key that signed until now.
  public func rotateKeys(_ signer: OrgSigner = .organization, keepingPrevious: Bool = true) {
    responder.withMemory { memory in
      var keys = memory.org.signingKeys(signer)
      keys.rotate(keepingPrevious: keepingPrevious)
      memory.org.device.keys[signer] = keys
    }
  }

  /// `kid` of the key that signs challenges now.
  public func signingKeyID(_ signer: OrgSigner = .organization) -> String {
    responder.withMemory { $0.org.signingKeys(signer).current.id }
  }

  /// Opens a socket on 127.0.0.1 for notifications to devices in other processes. A device connects, sends one line,
  /// `{"pushToken":"…"}`, and receives a line of JSON for each notification: at once those of challenges that still
  /// wait, then every new one. A notification may come twice. The socket closes with the org.
  ///
  /// - Parameter port: The port; 0 for any free one.
  /// - Returns: The port in use; that of the first call if there was one before.
  /// - Throws: ``OrgError`` when the port cannot be had.
  @discardableResult
  public func openNotifications(port: UInt16 = 0) throws -> UInt16 {
    try notifications.start(responder, port: port)
  }

  /// Notifications from now on, for one push token or for all. The stream never ends by itself.
  public func pushes(to pushToken: String? = nil) -> AsyncStream<OrgPush> {
    let hub = responder.hub
    return AsyncStream { continuation in
      let number = hub.add(pushToken) { continuation.yield($0) }
      continuation.onTermination = { _ in hub.remove(number) }
    }
  }
}
