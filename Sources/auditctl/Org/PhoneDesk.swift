// Actions of a person at the simulated org's desk: reads the messages that went out, answers pushes.

import AuditReports
import SimulatedOrg

/// Commands typed while an org runs.
enum PhoneDesk {
  /// A command.
  enum Order: Equatable {
    case answer(PushAnswer, login: String)
    case pick(Int, login: String)
    case openLink(login: String)
    /// The fault to cause, as it was typed.
    case fault(String)
    case unknown
  }

  /// The accepted commands.
  static let help = """
    type: approve LOGIN, reject LOGIN or timeout LOGIN to answer a push, pick NUMBER LOGIN to tap a number, open LOGIN \
    to follow the link of a mail, fault KIND[=VALUE][@PATH][:COUNT] to let something go wrong; \
    `auditctl help simulate` lists what can be typed about devices; Ctrl-C ends the org
    """

  /// Parses a line.
  static func order(_ line: String) -> Order {
    let words = line.split(separator: " ")
    if words.count > 1, words[0] == "fault" { return .fault(words.dropFirst().joined(separator: " ")) }
    if words.count == 3, words[0] == "pick", let number = Int(words[1]) {
      return .pick(number, login: String(words[2]))
    }
    guard words.count == 2 else { return .unknown }
    let login = String(words[1])
    switch words[0] {
    case "approve": return .answer(.approve, login: login)
    case "reject": return .answer(.reject, login: login)
    case "timeout": return .answer(.timeOut, login: login)
    case "open": return .openLink(login: login)
    default: return .unknown
    }
  }

  /// Answers the push of a user.
  ///
  /// - Returns: What came of it, for a person.
  static func give(_ answer: PushAnswer, for login: String, at org: SimulatedOrg) -> String {
    guard org.hasUser(login) else { return "There is no user \(login.printable)." }
    org.answerPush(for: login, answer)
    return "The next poll of \(login.printable) brings the answer."
  }

  /// A message as the person with the phone sees it.
  static func line(_ message: OutboxMessage) -> String {
    let way =
      switch message.channel {
      case .sms: "text message"
      case .call: "voice call"
      case .mail: "mail"
      }
    let link = message.link.map { " (or \($0))" } ?? ""
    return "\(way) to \(message.to) for \(message.userLogin): \(message.code)\(link)".printable
  }
}
