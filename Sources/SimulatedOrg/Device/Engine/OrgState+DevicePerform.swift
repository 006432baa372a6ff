// From a device's request to its answer (device.md §4).

extension OrgState {
  /// Answers a request to one of the endpoints for devices.
  mutating func perform(_ route: DeviceRoute, _ call: DeviceCall) throws(Refusal) -> IDXReply {
    switch route {
    case .organization:
      return .device([
        "id": .string(configuration.devices.organizationID),
        "_links": ["organization": ["href": .string(baseURL)]],
      ])
    case .backchannel(let server): return backchannel(server, call)
    case .configuration, .enroll, .enrollment, .pending, .answer: break
    }
    guard configuration.devices.isEnabled else { throw .featureOff }
    switch route {
    case .configuration: return try authenticatorConfiguration(call)
    case .enroll: return try enroll(call)
    case .enrollment(let id):
      return call.method == "DELETE" ? try unenroll(id, call) : try update(id, call)
    case .pending(let id): return try pendingChallenges(id, call)
    case .answer(let challenge): return try takeAnswer(to: challenge, call)
    case .organization, .backchannel: throw .noSuchPath
    }
  }

  /// The next id or token of a user's devices.
  mutating func drawText(_ prefix: String, length: Int, for login: String) -> String {
    var source = device.draws[login] ?? SeededGenerator(seed: configuration.seed, for: "devices of \(login)")
    defer { device.draws[login] = source }
    return source.text(prefix, length: length)
  }

  /// The status of a user, by the key of the account.
  func lifecycle(of login: String) -> OrgLifecycle {
    accounts[login] == nil ? .deleted : device.userStatus[login] ?? .active
  }

  /// Refuses a user who is not active.
  func checkUser(_ login: String) throws(Refusal) {
    switch lifecycle(of: login) {
    case .active: break
    case .suspended: throw .userSuspended
    case .deleted: throw .userDeleted
    }
  }

  /// Refuses what belongs to a user, device or enrollment that is not active, in this order (device.md §20.2).
  func checkStatus(_ enrollment: DeviceEnrollment) throws(Refusal) {
    try checkUser(enrollment.login)
    switch device.devices[enrollment.deviceID]?.status ?? .deleted {
    case .active: break
    case .suspended: throw .deviceSuspended
    case .deleted: throw .deviceDeleted
    }
    switch enrollment.status {
    case .active: break
    case .suspended: throw .enrollmentSuspended
    case .deleted: throw .enrollmentDeleted
    }
  }
}
