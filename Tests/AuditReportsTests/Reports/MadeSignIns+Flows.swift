import AuditReports
import EventStore
import Testing

extension MadeSignIns {
  /// A classic flow of a user that has begun, with a password that is not answered yet.
  private mutating func open(_ user: String, at second: Int, from address: String?, on device: String?) throws -> String
  {
    let stream = "authn/s\(log.records.count)"
    let context: JSON = .members([
      ("client", address.map { ["address": .string($0)] }), ("device", device.map(JSON.string)),
    ])
    try log.add(
      stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context], after: second * 1_000)
    try log.add(
      stream, "call.made",
      ["call": "authenticate", "arguments": ["username": .string(user), "password": "$secret.password.1$"]],
      after: second * 1_000)
    return stream
  }

  /// A sign-in by password that takes so many seconds.
  mutating func signIn(
    _ user: String, at second: Int, for length: Int, from address: String?, on device: String?, right: Bool = true
  ) throws {
    let stream = try open(user, at: second, from: address, on: device)
    let end = (second + length) * 1_000
    if right { try log.add(stream, "status.changed", ["status": "SUCCESS", "summary": [:]], after: end) }
    try log.add(stream, "flow.ended", ["outcome": right ? "success" : "abandoned"], after: end)
  }

  /// A sign-in that one more factor is asked for, which is proved.
  mutating func challenged(_ user: String, _ type: String, at second: Int) throws {
    let stream = try open(user, at: second, from: nil, on: nil)
    let (at, factors) = (second * 1_000, [["type": .string(type), "provider": "OKTA"]] as JSON)
    try log.add(
      stream, "status.changed", ["status": "MFA_CHALLENGE", "summary": ["factors": factors]], after: at + 100)
    try log.add(
      stream, "status.changed", ["status": "SUCCESS", "previous": "MFA_CHALLENGE", "summary": [:]], after: at + 200)
    try log.add(stream, "flow.ended", ["outcome": "success"], after: at + 200)
  }

  /// A sign-in that began elsewhere, so that no factor is in the log.
  mutating func fetched(_ user: String?, at second: Int) throws {
    let (stream, at) = ("authn/s\(log.records.count)", second * 1_000)
    try log.add(stream, "flow.started", ["kind": "authn", "sdk": "s", "settings": [:]], after: at)
    try log.add(stream, "call.made", ["call": "fetchStatus", "arguments": [:]], after: at)
    let summary = JSON.members([("user", user.map(JSON.string))])
    try log.add(stream, "status.changed", ["status": "SUCCESS", "summary": summary], after: at + 100)
    try log.add(stream, "flow.ended", ["outcome": "success"], after: at + 100)
  }

  /// A flow of the Identity Engine that the application keeps, and begins again with: each time it succeeds after five
  /// seconds, and is reset an hour later.
  mutating func kept(_ user: String, at seconds: [Int], on device: String) throws {
    let stream = "idx/s\(log.records.count)"
    let context: JSON = ["device": .string(device)]
    try log.add(
      stream, "flow.started", ["kind": "idx", "sdk": "s", "settings": [:], "context": context],
      after: seconds[0] * 1_000)
    for second in seconds {
      let at = second * 1_000
      let name: JSON = ["name": "identifier", "value": .string(user)]
      try log.add(stream, "call.made", ["call": "start", "arguments": [:]], after: at)
      try log.add(
        stream, "call.made", ["call": "proceed", "arguments": ["name": "identify", "fields": [name]]],
        after: at + 1_000)
      try log.add(
        stream, "remediation.changed", ["chosen": "identify", "offered": [], "summary": ["success": true]],
        after: at + 4_900)
      try log.add(stream, "flow.ended", ["outcome": "success"], after: at + 5_000)
      try log.add(stream, "call.made", ["call": "reset", "arguments": [:]], after: at + 3_600_000)
    }
  }

  /// A sign-in in which a factor is set up, or its setting up abandoned.
  mutating func enroll(
    _ user: String, _ factor: String, at second: Int, from address: String?, on device: String?,
    isGivenUp: Bool = false
  ) throws {
    let stream = try open(user, at: second, from: address, on: device)
    let at = second * 1_000
    let factors: JSON = [["type": .string(factor), "provider": "OKTA"]]
    try log.add(stream, "status.changed", ["status": "MFA_ENROLL", "summary": ["factors": factors]], after: at + 100)
    try log.add(stream, "call.made", ["call": "enrollFactor", "arguments": ["factor": 0]], after: at + 200)
    try log.add(
      stream, "status.changed",
      ["status": "MFA_ENROLL_ACTIVATE", "previous": "MFA_ENROLL", "summary": ["factors": factors]], after: at + 300)
    if isGivenUp {
      try log.add(stream, "call.made", ["call": "cancel", "arguments": [:]], after: at + 400)
      try log.add(
        stream, "status.changed",
        ["status": "CANCELLED", "previous": "MFA_ENROLL_ACTIVATE", "summary": [:]], after: at + 500)
    } else {
      try log.add(
        stream, "status.changed",
        ["status": "SUCCESS", "previous": "MFA_ENROLL_ACTIVATE", "summary": [:]], after: at + 500)
    }
    try log.add(stream, "flow.ended", ["outcome": isGivenUp ? "cancelled" : "success"], after: at + 600)
  }

  /// A flow at a device with one event that may name the user, and another after it.
  mutating func device(
    _ user: String, _ event: String, at second: Int, key: String? = nil, then next: String? = nil
  ) throws {
    let stream = "device/d\(log.records.count)"
    let at = second * 1_000
    try log.add(stream, "flow.started", ["kind": "device", "sdk": "s", "settings": [:]], after: at)
    let names = event != "enrollment.deleted"
    try log.add(stream, event, names ? ["userName": .string(user), "transactionId": "ft1"] : [:], after: at)
    if let key {
      try log.add(
        stream, "response.signed", ["keyType": "proofOfPossession", "kid": .string(key)], after: at + 100)
    }
    if let next { try log.add(stream, next, ["outcome": "approved"], after: at + 200) }
    let outcome = next == "challenge.resolved" ? "approved" : key == nil ? "success" : "abandoned"
    try log.add(stream, "flow.ended", ["outcome": .string(outcome)], after: at + 300)
  }

  /// A sign-in whose request is answered by a status, or fails, and that ends then, with another request under way.
  mutating func answered(_ user: String, _ status: Int?, at second: Int, isLeftOpen: Bool = false) throws {
    let stream = try open(user, at: second, from: nil, on: nil)
    let (at, sent) = (second * 1_000, log.records.count)
    try log.add(
      stream, "request.sent", ["method": "POST", "url": "https://acme.example/api/v1/authn", "headers": []], after: at)
    if let status {
      try log.add(
        stream, "response.received", ["status": .int(status), "headers": []], after: at + 90, cause: sent)
    } else {
      try log.add(stream, "request.failed", ["code": "reset", "message": "gone"], after: at + 90, cause: sent)
    }
    if isLeftOpen {
      try log.add(
        stream, "request.sent", ["method": "POST", "url": "https://acme.example/api/v1/authn", "headers": []],
        after: at + 95)
    }
    try log.add(stream, "flow.ended", ["outcome": "abandoned"], after: at + 100)
  }
}
