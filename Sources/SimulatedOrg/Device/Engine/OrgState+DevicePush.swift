// A push that a sign-in starts reaches the user's devices, and their answer ends it (device.md §1, §20.3).

/// A sign-in that asks the user's devices.
struct PushOrigin {
  /// The token or handle of the sign-in, which never leaves the org in a challenge.
  var token: String
  /// The application that the user signs in to, if it is known.
  var client: OrgClient?
}

extension OrgState {
  /// Challenges the user's devices, if devices answer pushes; `push` then waits for them.
  mutating func askDevices(_ push: inout PushChallenge, _ login: String, for origin: PushOrigin) {
    withdraw(origin.token)
    let devices = configuration.devices
    guard devices.isEnabled, devices.pushSource == .devices else { return }
    let isStrict = devices.authenticators.contains { $0.userVerification == .required }
    let request = OrgChallengeRequest(
      .user(login: login), requirement: devices.signInVerification ?? (isStrict ? .required : .preferred),
      textItems: push.correctAnswer.map { [String($0)] } ?? [], applicationName: origin.client?.label,
      client: origin.client?.id)
    push.challenges = challenge(request, origin: origin.token).map(\.id)
  }

  /// The result of a push according to its challenges; `nil` while one of them may still decide it. The first answer
  /// ends it for the other devices.
  mutating func verdict(of challenges: [String]) -> PushAnswer? {
    let now = now
    let statuses = challenges.compactMap { device.challenges[$0]?.status(at: now) }
    let verdict: PushAnswer?
    if statuses.contains(.approved) {
      verdict = .approve
    } else if statuses.contains(.denied) || statuses.contains(.rejected) {
      verdict = .reject
    } else if statuses.contains(.pending) {
      return nil
    } else {
      verdict = statuses.contains(.expired) ? .timeOut : .cancel
    }
    withdraw(challenges)
    return verdict
  }

  /// Ends those of the challenges that still wait.
  private mutating func withdraw(_ challenges: [String]) {
    let now = now
    for id in challenges where device.challenges[id]?.status(at: now) == .pending {
      device.challenges[id]?.status = .superseded
    }
  }

  /// Withdraws the challenges of a sign-in that asks again or is over.
  mutating func withdraw(_ origin: String) {
    withdraw(device.challenges.values.filter { $0.origin == origin }.map(\.id))
  }
}
