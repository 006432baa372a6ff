// The users of `auditctl simulate`, from a JSON file.

import EventStore
import SimulatedOrg

/// Reads a file of users: an array of objects with `login` and `password`, and what else is wanted.
enum UserFile {
  /// The users that are there without a file.
  static let standard: [OrgUser] = [
    OrgUser(login: "ann@acme.example", password: "Correct-horse-1", firstName: "Ann", lastName: "Lee"),
    OrgUser(
      login: "bob@acme.example", password: "Correct-horse-1", firstName: "Bob", lastName: "Ray",
      factors: [.push(device: "Bob's phone"), .sms(phone: "+1 415-555-0199")]),
    OrgUser(
      login: "fay@acme.example", password: "Correct-horse-1", firstName: "Fay", lastName: "Orr", lockedOut: true),
  ]

  /// The users of a file.
  static func users(_ path: String) throws -> [OrgUser] {
    try users(InputFile(path: path, content: "a JSON array of users").bytes(limit: 16 << 20), path: path)
  }

  /// The users of a document.
  static func users(_ bytes: [UInt8], path: String) throws -> [OrgUser] {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw CommandFailure(.malformed, "\(path) is no JSON: \(error); correct it: \(form)")
    }
    guard let list = json.array else {
      throw CommandFailure(.malformed, "\(path) is no JSON array of users; write one: \(form)")
    }
    var places: [String: Int] = [:]
    return try list.enumerated().map { index, user in
      do throws(Problem) {
        let made = try self.user(user)
        // Orgs do not tell logins apart by their case.
        if let other = places.updateValue(index, forKey: made.login.lowercased()) {
          throw Problem(reason: "has the login \(made.login) of user \(other + 1); give each user a login of its own")
        }
        return made
      } catch {
        throw CommandFailure(.malformed, "user \(index + 1) in \(path) \(error.reason)")
      }
    }
  }

  private static let form = "auditctl help simulate shows a file of users"
  private static let members = [
    "login", "password", "firstName", "lastName", "factors", "mfaRequired", "passwordExpiresIn", "lockedOut",
  ]
  private static let factorMembers = [
    "type", "device", "phone", "address", "secret", "provider", "question", "answer",
  ]

  /// Refuses what is no object, and members that nothing here reads: they may be misspelled.
  private static func check(_ json: JSON, has known: [String], as what: String) throws(Problem) {
    guard let object = json.object else {
      throw Problem(reason: "\(what == "user" ? "is" : "has a \(what) that is") no JSON object; \(form)")
    }
    for member in object.members where !known.contains(member.key) {
      let near = CommandNames.nearest(to: member.key, in: known)
      let next =
        near.isEmpty
        ? "the members are \(known.joined(separator: ", "))" : "write \(near.joined(separator: " or "))"
      throw Problem(reason: "has the member '\(member.key)', which no \(what) has; take it out, or \(next)")
    }
  }

  private struct Problem: Error {
    var reason: String
  }

  private static func user(_ json: JSON) throws(Problem) -> OrgUser {
    try check(json, has: members, as: "user")
    guard let login = json["login"]?.string else { throw Problem(reason: "has no text as login; \(form)") }
    guard let password = json["password"]?.string else { throw Problem(reason: "has no text as password; \(form)") }
    var factors: [OrgFactor] = []
    if let given = json["factors"], given.array == nil {
      throw Problem(reason: "has factors that are no array; \(form)")
    }
    for factor in json["factors"]?.array ?? [] { factors.append(try self.factor(factor)) }
    return OrgUser(
      login: login, password: password, firstName: json["firstName"]?.string ?? "Ann",
      lastName: json["lastName"]?.string ?? "Example", factors: factors, mfaRequired: json["mfaRequired"]?.bool,
      passwordExpiresIn: json["passwordExpiresIn"]?.int, lockedOut: json["lockedOut"]?.bool ?? false)
  }

  private static func factor(_ json: JSON) throws(Problem) -> OrgFactor {
    try check(json, has: factorMembers, as: "factor")
    func text(_ key: String) throws(Problem) -> String {
      guard let text = json[key]?.string else { throw Problem(reason: "has a factor without \(key); \(form)") }
      return text
    }
    switch try text("type") {
    case "push": return .push(device: json["device"]?.string ?? "Phone")
    case "sms": return .sms(phone: try text("phone"))
    case "call": return .call(phone: try text("phone"))
    case "email": return .email(address: try text("address"))
    case "totp": return .totp(secret: try text("secret"), provider: json["provider"]?.string ?? "OKTA")
    case "question": return .question(key: try text("question"), answer: try text("answer"))
    default: throw Problem(reason: "has a factor that is none of push, sms, call, email, totp, question; \(form)")
    }
  }
}
