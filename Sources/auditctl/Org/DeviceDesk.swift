// What an administrator at the simulated org's desk does to push authenticators: hands out tokens, challenges devices,
// suspends them, rotates keys, spoils challenges.

import AuditReports
import SimulatedOrg

/// Commands about devices, typed while an org runs.
enum DeviceDesk {
  /// A command.
  enum Order: Equatable {
    case token(login: String)
    /// A challenge of the user's devices; with a message, one of the CIBA kind.
    case ask(login: String, OrgUserVerification, message: String?)
    /// A status for a user, or for a device or an enrollment by its id.
    case set(Kind, String, OrgLifecycle)
    case rotate
    case spoil(OrgChallengeDefect)
  }

  /// What has a status.
  enum Kind: String { case user, device, enrollment }

  /// The accepted commands.
  static let orders = [
    ("token LOGIN", "an access token that enrolls and manages devices"),
    ("ask LOGIN [VERIFICATION]", "challenge the user's devices (none, discouraged, preferred, required)"),
    ("confirm LOGIN MESSAGE", "ask the devices to confirm a message, as CIBA does"),
    ("suspend|restore|remove KIND ID", "a user by login, a device or an enrollment by id"),
    ("rotate", "sign challenges with another key from now on"),
    ("spoil DEFECT", "spoil the next challenge: \(defects.map(\.name).joined(separator: ", "))"),
  ]

  /// Defects that need no value.
  private static let defects: [(name: String, defect: OrgChallengeDefect)] = [
    ("wrong-signature", .wrongSignature), ("other-key", .otherKey), ("unknown-key", .unknownKey),
    ("unsigned", .unsigned), ("shared-secret", .sharedSecret), ("expired", .expired()), ("early", .early()),
    ("replayed", .replayed), ("other-org", .claim("orgId", "00o1someotherorg0000")),
    ("other-user", .claim("userId", "00u1someotheruser000")), ("other-audience", .claim("aud", "some-other-app")),
    ("other-url", .claim("verificationUri", "https://elsewhere.example/verify")),
  ]

  /// Parses a line; `nil` if it is not about devices.
  static func order(_ line: String) -> Order? {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("token", 2): return .token(login: words[1])
    case ("ask", 2): return .ask(login: words[1], .preferred, message: nil)
    case ("ask", 3):
      return OrgUserVerification(rawValue: words[2].uppercased()).map { .ask(login: words[1], $0, message: nil) }
    case ("confirm", 3...): return .ask(login: words[1], .preferred, message: words[2...].joined(separator: " "))
    case ("suspend", 3): return Kind(rawValue: words[1]).map { .set($0, words[2], .suspended) }
    case ("restore", 3): return Kind(rawValue: words[1]).map { .set($0, words[2], .active) }
    case ("remove", 3): return Kind(rawValue: words[1]).map { .set($0, words[2], .deleted) }
    case ("rotate", 1): return .rotate
    case ("spoil", 2): return defects.first { $0.name == words[1] }.map { .spoil($0.defect) }
    default: return nil
    }
  }

  /// Performs a command.
  ///
  /// - Returns: What came of it, for a person.
  static func perform(_ order: Order, at org: SimulatedOrg) -> String {
    switch order {
    case .token(let login):
      guard let token = org.accessToken(for: login) else { return "There is no user \(login.printable)." }
      return "token \(login.printable) \(token)"
    case .ask(let login, let verification, let message):
      guard org.hasUser(login) else { return "There is no user \(login.printable)." }
      let type: OrgTransactionType = message == nil ? .login : .ciba
      let made = org.challenge(
        OrgChallengeRequest(
          .user(login: login), transactionType: type, bindingMessage: message?.percentEncoded, requirement: verification
        ))
      return made.isEmpty
        ? "No device of \(login.printable) takes such a challenge."
        : "Asked: \(made.map(\.id).joined(separator: ", "))."
    case .set(let kind, let id, let status):
      let isThere =
        switch kind {
        case .user: org.hasUser(id)
        case .device: org.hasDevice(id)
        case .enrollment: org.enrollment(id: id) != nil
        }
      guard isThere else { return "There is no \(kind.rawValue) \(id.printable)." }
      switch kind {
      case .user: org.setUser(id, status)
      case .device: org.setDevice(id, status)
      case .enrollment: org.setEnrollment(id, status)
      }
      return "For devices, the \(kind.rawValue) \(id.printable) is \(status.rawValue) now."
    case .rotate:
      org.rotateKeys()
      return "Challenges are signed with \(org.signingKeyID()) from now on."
    case .spoil(let defect):
      org.spoilChallenges(defect)
      return "The next challenge will be spoiled."
    }
  }

  /// What happened to a challenge, for a person.
  static func line(_ challenge: OrgChallenge) -> String {
    let how = challenge.answer.map { ", \($0.consent) by \($0.keyType)" } ?? ""
    return
      "challenge \(challenge.id) for enrollment \(challenge.enrollmentID): \(challenge.status.rawValue.lowercased())\(how)"
      .printable
  }
}

extension String {
  /// Percent-encoded, as binding messages travel.
  fileprivate var percentEncoded: String {
    utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
