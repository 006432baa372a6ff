// Sign-ins in which a factor is set up.

import EventStore
import FlowRecording

extension CompanyWriter {
  /// Writes a sign-in in which a factor is set up, in place of an ordinary one.
  mutating func enrolling(_ factor: String, _ flow: PlannedFlow, _ employee: Employee, _ offset: Int) -> [NewRecord] {
    instead(of: flow, by: employee, offset, drawingFrom: \.aside) { writer in
      writer.enrollment(factor, flow, employee, offset)
    }
  }

  /// Writes other records in place of an ordinary sign-in, using separate random numbers. The random numbers of the
  /// ordinary sign-in are drawn anyway.
  mutating func instead(
    of flow: PlannedFlow, by employee: Employee, _ offset: Int,
    drawingFrom source: WritableKeyPath<CompanyWriter, CompanyRandom>, _ write: (inout CompanyWriter) -> [NewRecord]
  ) -> [NewRecord] {
    var writer = self
    writer.random = self[keyPath: source]
    let records = write(&writer)
    self[keyPath: source] = writer.random
    var ordinary = flow
    (ordinary.enrolled, ordinary.guesses, ordinary.place) = (nil, nil, nil)
    _ = self.records(of: ordinary, by: employee, offset: offset)
    return records
  }

  /// A sign-in with a password, in which the org asks for a factor. It takes less than a minute.
  private mutating func enrollment(
    _ factor: String, _ flow: PlannedFlow, _ employee: Employee, _ offset: Int
  ) -> [NewRecord] {
    var script = script(
      "authn", flow, employee, ["org": "https://acme.example", "pollMilliseconds": 5_000], offset)
    var call = authenticate(&script, employee, 1)
    script.exchange(
      "/api/v1/authn", body: ["username": .string(employee.login), "password": "$secret.password.1$"],
      answer: transaction("MFA_ENROLL", employee), after: latency(), requestID: requestID())
    changed(&script, "MFA_ENROLL", after: nil, employee, factor: factor, call: call)
    script.wait(milliseconds: random.within(2_000...6_000))
    call = script.call("enrollFactor", ["factor": 0])
    script.exchange(
      "/api/v1/authn/factors",
      body: ["stateToken": "$secret.stateToken.1$", "factorType": .string(factor), "provider": "OKTA"],
      answer: transaction("MFA_ENROLL_ACTIVATE", employee, factor: factor), after: latency(), requestID: requestID())
    changed(&script, "MFA_ENROLL_ACTIVATE", after: "MFA_ENROLL", employee, factor: factor, call: call)
    script.wait(milliseconds: random.within(8_000...25_000))
    call = script.call("activateFactor", ["passCode": "$secret.passCode.1$"])
    script.exchange(
      "/api/v1/authn/factors/ost8wjpxJGBKiBPuaOyT/lifecycle/activate",
      body: ["stateToken": "$secret.stateToken.1$", "passCode": "$secret.passCode.1$"],
      answer: transaction("SUCCESS", employee), after: latency(), requestID: requestID())
    changed(&script, "SUCCESS", after: "MFA_ENROLL_ACTIVATE", employee, call: call)
    script.end("success")
    return script.records
  }
}
