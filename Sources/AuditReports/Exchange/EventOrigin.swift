// Where the person of a security event was, and which program they used, as far as the application reports it
// (`FlowContext`).

import EventStore
import FlowRecording

/// The origin of a security event.
struct EventOrigin: Sendable, Equatable {
  /// The network address of the client, or the text given in its place.
  private let address: String?
  private let context: FlowContext

  init(of flow: FlowFacts) {
    context = flow.context
    address = flow.address
  }

  var device: String? { context.device }
  var model: String? { context.client.model }
  var os: String? { context.client.os }
  var appID: String? { context.app.id }
  /// The name and version of the program.
  var app: String? {
    let words = [context.app.name ?? context.app.id, context.app.version].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
  /// The address, if it is IPv4.
  var ipv4: String? { address.flatMap { Self.isIPv4($0) ? $0 : nil } }
  /// The address, if it is IPv6.
  var ipv6: String? { address.flatMap { Self.isIPv6($0) ? $0 : nil } }
  /// The address, IPv4 or IPv6.
  var ip: String? { ipv4 ?? ipv6 }
  /// The text given in place of an address, if it is not an IP address.
  var name: String? { ip == nil ? address : nil }
  /// The id of the distributed trace (W3C Trace Context §3.2.2.3); nil if none is given or it is malformed.
  var trace: String? {
    guard let trace = context.trace?.lowercased(), trace.utf8.count == 32,
      trace.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      trace.utf8.contains(where: { $0 != 0x30 })
    else { return nil }
    return trace
  }
  /// Everything that the application reports, as recorded in `flow.started`.
  var json: JSON? { context.json }

  private static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && Int(part).map { $0 < 256 } == true
      }
  }

  /// RFC 4291 §2.2: eight groups of up to four hexadecimal digits, at most one run of them omitted; the last two may be
  /// written as IPv4.
  private static func isIPv6(_ text: String) -> Bool {
    let runs = text.split(separator: "::", omittingEmptySubsequences: false)
    guard runs.count <= 2, text.utf8.contains(UInt8(ascii: ":")) else { return false }
    var count = 0
    for (place, run) in runs.enumerated() where !run.isEmpty {
      let groups = run.split(separator: ":", omittingEmptySubsequences: false)
      for (index, group) in groups.enumerated() {
        if place == runs.count - 1, index == groups.count - 1, isIPv4(String(group)) {
          count += 2
        } else if (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ $0 < 0x80 }),
          UInt16(group, radix: 16) != nil, group.first != "+", group.first != "-"
        {
          count += 1
        } else {
          return false
        }
      }
    }
    return runs.count == 2 ? count < 8 : count == 8
  }
}
