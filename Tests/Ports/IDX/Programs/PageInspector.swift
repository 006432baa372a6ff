// Everything that a page says of itself, as a debugging screen shows it.

import Foundation
import IDX

struct PageInspector {
  private(set) var lines: [String] = []

  init(_ response: Response, of flow: InteractionCodeFlow) {
    lines.append("intent \(response.intent), expires \(response.expiresAt != nil), cancel \(response.canCancel)")
    lines.append("client \(flow.client.clientId), device \(flow.deviceIdentifier?.uuidString ?? "-")")
    if let app: Response.Application = response.app { lines.append("app \(app.id) \(app.label) \(app.name)") }
    if let user: Response.User = response.user { lines.append("user \(user.username ?? user.id)") }
    for authenticator in response.authenticators { add(authenticator) }
    for remediation in response.remediations { add(remediation) }
    for message: Response.Message in response.messages.allMessages {
      lines.append("message \(message.type) \(message.field?.name ?? "-") \(message.message)")
    }
  }

  private mutating func add(_ authenticator: Authenticator) {
    let methods = authenticator.methods?.compactMap(\.stringValue).joined(separator: "+") ?? "-"
    lines.append(
      "authenticator \(authenticator.key ?? "-") \(authenticator.type) \(authenticator.state) \(methods) "
        + "\(authenticator.id == nil ? "no id" : "an id"), \(authenticator.displayName ?? "-")")
    lines.append("  can \(authenticator.capabilities.map { "\(type(of: $0))" }.sorted().joined(separator: " "))")
    if let goal = authenticator.allowedFor { lines.append("  for \(goal.rawValue)") }
    if let sendable = authenticator.sendable { lines.append("  sends: \(type(of: sendable))") }
  }

  private mutating func add(_ remediation: Remediation) {
    lines.append("remediation \(remediation.name) \(remediation.capabilities.count) \(remediation.messages.count)")
  }
}
