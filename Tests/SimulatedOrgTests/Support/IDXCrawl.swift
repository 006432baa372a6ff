// A seeded random walk: any form that is offered, filled in well or badly.

import Foundation
import Testing

@testable import SimulatedOrg

/// Walks through one org and checks every answer.
struct IDXCrawl {
  var draws: SeededGenerator
  let users: [OrgUser]
  /// What was sent, for a failure's message.
  var trail: [String] = []

  init(seed: UInt64, users: [OrgUser]) {
    draws = SeededGenerator(seed: seed)
    self.users = users
  }

  private mutating func chance(_ percent: UInt64) -> Bool { draws.next() % 100 < percent }

  private mutating func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[Int(draws.next() % UInt64(list.count))] }

  /// Takes up to `steps` steps; whether it ended with tokens.
  mutating func run(_ walk: IDXWalker, steps: Int) async throws -> Bool {
    for _ in 0..<steps {
      if walk.isDone {
        let tokens = try await walk.tokens()
        #expect(tokens.status == 200, "\(tokens.bodyText)")
        return true
      }
      try await step(walk)
      #expect(walk.reply.status < 500, "after \(trail)")
    }
    return false
  }

  private mutating func step(_ walk: IDXWalker) async throws {
    actElsewhere(walk)
    let forms = walk.reply.value("remediation.value") as? [[String: Any]] ?? []
    var choices = forms.filter { $0["method"] as? String == "POST" }
    for name in ["currentAuthenticator", "currentAuthenticatorEnrollment"] {
      for action in ["resend", "poll", "recover"] {
        if let form = walk.reply.value("\(name).value.\(action)") as? [String: Any] { choices.append(form) }
      }
    }
    // The first form is what a person would fill in; the others are taken often enough.
    let chosen = chance(50) ? choices.first : pick(choices)
    guard let form = chosen, !chance(3) else {
      trail.append("cancel")
      if walk.reply.value("cancel") != nil {
        try await walk.send("cancel")
      } else {
        // A dead end: what was answered may be asked again, a new start it is.
        try await walk.introspect()
        try await restart(walk)
      }
      return
    }
    trail.append(form["name"] as? String ?? "?")
    var body = fill(form["value"] as? [[String: Any]] ?? [], walk, below: "")
    if chance(4) { body["stateHandle"] = "02stale" }
    try await walk.post(form["href"] as? String ?? "", body)
    if walk.reply.value("stateHandle") == nil || walk.messages.contains("idx.session.expired") {
      try await walk.introspect()
      if walk.reply.status == 401 { try await restart(walk) }
    }
  }

  private mutating func restart(_ walk: IDXWalker) async throws {
    trail.append("again")
    try await walk.begin()
  }

  /// Mails are opened, pushes answered, providers visited, now and then.
  private mutating func actElsewhere(_ walk: IDXWalker) {
    guard let user = pick(users), chance(40) else { return }
    switch draws.next() % 4 {
    case 0: walk.org.openMagicLink(for: user.login)
    case 1: walk.org.answerPush(for: user.login, pick(PushAnswer.allCases) ?? .approve)
    case 2: walk.org.pickNumber(Int(draws.next() % 100), for: user.login)
    default: walk.org.advanceClock(by: Double(draws.next() % 40))
    }
  }

  private mutating func fill(_ fields: [[String: Any]], _ walk: IDXWalker, below prefix: String) -> [String: Any] {
    var body: [String: Any] = [:]
    for field in fields {
      guard let name = field["name"] as? String else { continue }
      let path = prefix.isEmpty ? name : "\(prefix).\(name)"
      if name != "stateHandle", chance(4) { continue }
      if let form = (field["form"] as? [String: Any])?["value"] as? [[String: Any]] {
        body[name] = fill(form, walk, below: path)
      } else if let options = field["options"] as? [[String: Any]] {
        guard let option = pick(options) else { continue }
        let value = option["value"] as? [String: Any]
        if let form = (value?["form"] as? [String: Any])?["value"] as? [[String: Any]] {
          body[name] = fill(form, walk, below: path)
        } else {
          body[name] = option["value"]
        }
      } else if let form = ((field["value"] as? [String: Any])?["form"] as? [String: Any])?["value"] as? [[String: Any]]
      {
        body[name] = fill(form, walk, below: path)
      } else if let value = field["value"] {
        body[name] = value
      } else if field["type"] as? String == "boolean" {
        body[name] = chance(50)
      } else {
        body[name] = chance(12) ? junk() : text(name, walk)
      }
    }
    return body
  }

  private mutating func junk() -> Any {
    let values: [Any] = [
      "", "x", "null", 17, true, ["a": ["b"]], [1, 2], String(repeating: "é", count: 300), "\u{0}\"\\",
    ]
    return pick(values) ?? ""
  }

  /// What a person would type.
  private mutating func text(_ name: String, _ walk: IDXWalker) -> String {
    let current =
      walk.reply.value("currentAuthenticator.value") ?? walk.reply.value("currentAuthenticatorEnrollment.value")
    let key = (current as? [String: Any])?["key"] as? String
    let data = (current as? [String: Any])?["contextualData"] as? [String: Any] ?? [:]
    switch name {
    case "identifier": return pick(users)?.login ?? "nobody@acme.example"
    case "passcode", "totp":
      switch key {
      case "okta_password": return pick([People.password, "Another-horse-\(draws.next() % 1000)"]) ?? ""
      case "google_otp", "okta_verify":
        return walk.org.timeCode(secret: data["sharedSecret"] as? String ?? "JBSWY3DPEHPK3PXP") ?? ""
      default: return key == nil ? People.password : walk.code
      }
    case "answer": return "teddy"
    case "question": return "Why?"
    case "phoneNumber": return "+15551234567"
    case "email", "secondEmail": return "new\(draws.next() % 1000)@acme.example"
    case "signatureData" where key == "duo":
      return SimulatedOrg.duoSignature(for: data["signedToken"] as? String ?? "")
    case "attestation", "clientData", "authenticatorData", "signatureData": return signed(name, data, walk)
    default: return "Some text"
    }
  }

  private func signed(_ name: String, _ data: [String: Any], _ walk: IDXWalker) -> String {
    let key = SoftwareAuthenticator(name: "Cat's key")
    let origin = walk.org.url.absoluteString
    if let challenge = (data["activationData"] as? [String: Any])?["challenge"] as? String {
      let made = key.register(challenge: challenge, origin: origin)
      return name == "attestation" ? made.attestation : made.clientData
    }
    let asked =
      (data["challengeData"] as? [String: Any])?["challenge"] as? String
      ?? walk.reply.value("webauthnAutofillUIChallenge.value.challengeData.challenge") as? String ?? ""
    let made = key.sign(challenge: asked, origin: origin)
    switch name {
    case "clientData": return made.clientData
    case "authenticatorData": return made.authenticatorData
    default: return made.signatureData
    }
  }
}
