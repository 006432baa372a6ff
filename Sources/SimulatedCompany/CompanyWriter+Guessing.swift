// Sign-ins with many wrong passwords or codes.

import EventStore
import FlowRecording

extension CompanyWriter {
  /// Writes wrong passwords or codes for an account, in place of an ordinary sign-in.
  mutating func guessing(
    _ guesses: PlannedGuesses, _ flow: PlannedFlow, _ employee: Employee, _ offset: Int
  ) -> [NewRecord] {
    instead(of: flow, by: employee, offset, drawingFrom: \.asideForGuesses) { writer in
      writer.tries(guesses, flow, offset)
    }
  }

  /// Wrong passwords for an account without a second factor, or wrong codes after the right password.
  private mutating func tries(_ guesses: PlannedGuesses, _ flow: PlannedFlow, _ offset: Int) -> [NewRecord] {
    let employee = guesses.victim
    var script = script(
      "authn", flow, employee, ["org": "https://acme.example", "pollMilliseconds": 5_000], offset)
    if employee.factor == "none" {
      passwords(&script, guesses)
    } else {
      codes(&script, guesses)
    }
    if guesses.isRight { script.end("success") } else { release(&script, "failed") }
    return script.records
  }

  private mutating func passwords(_ script: inout FlowScript, _ guesses: PlannedGuesses) {
    let employee = guesses.victim
    func body(_ number: Int) -> JSON {
      ["username": .string(employee.login), "password": .string("$secret.password.\(number)$")]
    }
    for number in 1...guesses.tries {
      let call = authenticate(&script, employee, number)
      refused(&script, call, "/api/v1/authn", code: "E0000004", status: 401, body: body(number))
      script.wait(milliseconds: random.within(3_000...15_000))
    }
    guard guesses.isRight else { return }
    let call = authenticate(&script, employee, guesses.tries + 1)
    script.exchange(
      "/api/v1/authn", body: body(guesses.tries + 1), answer: transaction("SUCCESS", employee), after: latency(),
      requestID: requestID())
    changed(&script, "SUCCESS", after: nil, employee, call: call)
  }

  private mutating func codes(_ script: inout FlowScript, _ guesses: PlannedGuesses) {
    let employee = guesses.victim
    let factor = wireFactor(employee.factor)
    let path = "/api/v1/authn/factors/ost8wjpxJGBKiBPuaOyT/verify"
    let call = authenticate(&script, employee, 1)
    script.exchange(
      "/api/v1/authn", body: ["username": .string(employee.login), "password": "$secret.password.1$"],
      answer: transaction("MFA_REQUIRED", employee, factor: factor), after: latency(), requestID: requestID())
    changed(&script, "MFA_REQUIRED", after: nil, employee, factor: factor, call: call)
    for number in 1...(guesses.tries + (guesses.isRight ? 1 : 0)) {
      script.wait(milliseconds: random.within(3_000...15_000))
      let code: JSON = .string("$secret.passCode.\(number)$")
      let call = script.call("selectFactor", ["factor": 0, "passCode": code])
      let body: JSON = ["stateToken": "$secret.stateToken.1$", "passCode": code]
      guard number > guesses.tries else {
        refused(&script, call, path, code: "E0000068", status: 403, body: body)
        continue
      }
      script.exchange(
        path, body: body, answer: transaction("SUCCESS", employee), after: latency(), requestID: requestID())
      changed(&script, "SUCCESS", after: "MFA_REQUIRED", employee, call: call)
    }
  }
}
