// An enrollment changes and ends (device.md §4.4, §4.5; RFC 7396).

extension OrgState {
  /// `PATCH` of an enrollment. What the org does not know is ignored.
  mutating func update(_ id: String, _ call: DeviceCall) throws(Refusal) -> IDXReply {
    let changesKeys = call.body["methods"]?["push"]?["keys"] != nil
    var enrollment = try enrollment(id, call, scope: changesKeys ? .manage : .maintain)
    let body = try DeviceFields(call.body, path: "")
    guard let authenticator = configuration.devices.authenticators.first(where: { $0.id == enrollment.authenticatorID })
    else { throw .noSuchResource("\(enrollment.authenticatorID) (AppAuthenticator)") }
    let push = try body.object("methods").object("push")
    if push.json["pushToken"] != nil { enrollment.pushToken = try push.optionalText("pushToken") ?? "" }
    if push.json["capabilities"] != nil {
      let capabilities = try push.object("capabilities")
      if capabilities.json["transactionTypes"] != nil {
        enrollment.transactionTypes = try PushMethod.transactionTypes(capabilities, authenticator)
      }
    }
    if changesKeys { try change(&enrollment, try push.object("keys"), authenticator) }
    enrollment.updated = now
    device.enrollments[id] = enrollment
    return .device(self.body(of: enrollment))
  }

  private func change(
    _ enrollment: inout DeviceEnrollment, _ keys: DeviceFields, _ authenticator: OrgAppAuthenticator
  ) throws(Refusal) {
    if keys.json["proofOfPossession"] != nil {
      throw keys.wrong("proofOfPossession", "the key cannot be changed")
    }
    guard let given = keys.json["userVerification"] else { return }
    guard given != .null else {
      if authenticator.userVerification == .required { throw .verificationNeeded }
      enrollment.verificationKey = nil
      return
    }
    let key = try PushMethod.key(keys, "userVerification", authenticator)
    if key.id == enrollment.possessionKey.id {
      throw keys.wrong("userVerification", "kid must differ from that of the other key")
    }
    enrollment.verificationKey = key
  }

  /// `DELETE` of an enrollment.
  mutating func unenroll(_ id: String, _ call: DeviceCall) throws(Refusal) -> IDXReply {
    end(try enrollment(id, call, scope: .manage).id)
    return .bare(204)
  }
}
