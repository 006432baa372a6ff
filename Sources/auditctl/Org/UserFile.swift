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
      throw CommandFailure(.malformed, "\(path) is no JSON: \(error)")
    }
    guard let list = json.array else { throw CommandFailure(.malformed, "\(path) is no JSON array of users") }
    return try list.enumerated().map { index, user in
      do throws(Problem) {
        return try self.user(user)
      } catch {
        throw CommandFailure(.malformed, "user \(index + 1) in \(path) \(error.reason)")
      }
    }
  }

  private struct Problem: Error {
    var reason: String
  }

  private static func user(_ json: JSON) throws(Problem) -> OrgUser {
    guard let login = json["login"]?.string else { throw Problem(reason: "has no text as login") }
    guard let password = json["password"]?.string else { throw Problem(reason: "has no text as password") }
    var factors: [OrgFactor] = []
    for factor in json["factors"]?.array ?? [] { factors.append(try self.factor(factor)) }
    return OrgUser(
      login: login, password: password, firstName: json["firstName"]?.string ?? "Ann",
      lastName: json["lastName"]?.string ?? "Example", factors: factors, mfaRequired: json["mfaRequired"]?.bool,
      passwordExpiresIn: json["passwordExpiresIn"]?.int, lockedOut: json["lockedOut"]?.bool ?? false)
  }

  private static func factor(_ json: JSON) throws(Problem) -> OrgFactor {
    func text(_ key: String) throws(Problem) -> String {
      guard let text = json[key]?.string else { throw Problem(reason: "has a factor without \(key)") }
      return text
    }
    switch try text("type") {
    case "push": return .push(device: json["device"]?.string ?? "Phone")
    case "sms": return .sms(phone: try text("phone"))
    case "call": return .call(phone: try text("phone"))
    case "email": return .email(address: try text("address"))
    case "totp": return .totp(secret: try text("secret"), provider: json["provider"]?.string ?? "OKTA")
    case "question": return .question(key: try text("question"), answer: try text("answer"))
    default: throw Problem(reason: "has a factor that is none of push, sms, call, email, totp, question")
    }
  }
}
