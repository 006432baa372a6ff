// What a person at the simulated org's desk does: reads the messages that went out, answers pushes.

import AuditReports
import SimulatedOrg

/// Commands typed while an org runs.
enum PhoneDesk {
  /// What was typed.
  enum Order: Equatable {
    case answer(PushAnswer, login: String)
    case unknown
  }

  /// What can be typed.
  static let help = "type: approve LOGIN, reject LOGIN or timeout LOGIN to answer a push; Ctrl-C ends the org"

  /// Understands a line.
  static func order(_ line: String) -> Order {
    let words = line.split(separator: " ")
    guard words.count == 2 else { return .unknown }
    let login = String(words[1])
    switch words[0] {
    case "approve": return .answer(.approve, login: login)
    case "reject": return .answer(.reject, login: login)
    case "timeout": return .answer(.timeOut, login: login)
    default: return .unknown
    }
  }

  /// A message as the person with the phone sees it.
  static func line(_ message: OutboxMessage) -> String {
    let way =
      switch message.channel {
      case .sms: "text message"
      case .call: "voice call"
      case .mail: "mail"
      }
    return "\(way) to \(message.to) for \(message.userLogin): \(message.code)".printable
  }
}
