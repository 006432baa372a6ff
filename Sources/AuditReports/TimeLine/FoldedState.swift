// The state of a flow at a revision: what folding its records up to there gives (DESIGN §2).

import Authn
package import EventStore
package import FlowRecording
import IDX

/// A folded state, for reading.
package struct FoldedState: Sendable, Equatable {
  /// The flow's stream.
  package let stream: String
  /// The revision of the last record folded.
  package let revision: Int
  /// The state, secrets as placeholders.
  package let state: JSON

  /// Why there is no state to show.
  package enum Missing: Error, Sendable, Equatable {
    /// The flow has no such revision.
    case revision(last: Int)
    /// This version has no core for flows of that kind.
    case kind(String)
  }

  /// Folds a flow up to a revision, that record included.
  ///
  /// - Throws: `Missing`.
  package init(of records: [FlowRecord], stream: String, at revision: Int) throws(Missing) {
    guard let last = records.last?.revision, revision >= 0, revision <= last else {
      throw .revision(last: records.last?.revision ?? -1)
    }
    guard case .flowStarted(let started) = records.first?.event else {
      throw .kind(records.first?.event.type ?? "")
    }
    let folded = records.prefix { $0.revision <= revision }
    switch started.kind {
    case AuthnCore.kind: state = AuthnCore.folding(folded).json
    case IDXCore.kind: state = IDXCore.folding(folded).json
    default: throw .kind(started.kind)
    }
    self.stream = stream
    self.revision = revision
  }

  /// The document of `auditctl show --at N --json`.
  package var json: JSON { ["flow": .string(stream), "revision": .int(revision), "state": state] }

  /// The state as text: a line for each member, indented by depth.
  package func lines(width: LineWidth = 80, style: Style = Style(colours: false)) -> [String] {
    let heading = [style.bold(width.cut("\(stream) at revision \(revision)".printable)), ""]
    return heading + Self.lines(state, depth: 0, width: width)
  }

  private static func lines(_ json: JSON, depth: Int, width: LineWidth) -> [String] {
    let members: [(String, JSON)] =
      switch json {
      case .object(let object): object.members.map { ($0.key, $0.value) }
      case .array(let elements): elements.enumerated().map { ("[\($0.offset)]", $0.element) }
      case .null, .bool, .number, .string: []
      }
    // Deeper than this nothing is indented further, so that a line always has room for words.
    let margin = String(repeating: " ", count: 2 * min(depth, 20))
    return members.flatMap { key, value in
      let name = margin + (width.isStrict ? key.printable.cut(to: 40) : key.printable)
      switch value {
      case .object(let object) where !object.members.isEmpty:
        return [name] + lines(value, depth: depth + 1, width: width)
      case .array(let elements) where !elements.isEmpty:
        return [name] + lines(value, depth: depth + 1, width: width)
      default:
        let text = (value.string ?? value.text).printable
        return Paragraph.lines(text, width: width, lead: name + "  ", indent: min(depth, 20) * 2 + 4)
      }
    }
  }
}

extension AuthnCore {
  /// The state by the names of its members.
  fileprivate var json: JSON {
    .members([
      ("org", .string(org)), ("pollMilliseconds", .int(pollMilliseconds)),
      ("status", current.map { .string($0.status) } ?? .null),
      ("statusRevision", current.map { .int($0.revision) }),
      ("transaction", current?.body),
      ("latest", latest.map(\.json)),
      ("calls", keyed(calls) { .members([("name", .string($0.name)), ("status", $0.status.map(JSON.string))]) }),
      ("requests", keyed(requests) { ["call": .int($0.call), "origin": .string($0.origin)] }),
      ("poll", poll.map(\.json) ?? .null),
      (
        "cookies",
        .array(
          cookies.cookies.map { ["origin": .string($0.origin), "name": .string($0.name), "value": .string($0.value)] })
      ),
      ("statuses", keyed(statuses) { .string($0.status) }),
      ("userAgent", userAgent.map(JSON.string) ?? .null),
      ("lastError", lastError.map(JSON.string) ?? .null), ("outcome", outcome.map(JSON.string) ?? .null),
    ])
  }

}

/// Values by revision, in the order of revisions.
func keyed<Value>(_ values: [Int: Value], _ json: (Value) -> JSON) -> JSON {
  .members(values.sorted { $0.key < $1.key }.map { (String($0.key), json($0.value)) })
}

extension AuthnCore.Reply {
  fileprivate var json: JSON {
    let content: JSON =
      switch content {
      case .answer(let response): ["httpStatus": .int(response.status)]
      case .failure(let error): ["failure": .string(error.code.rawValue), "detail": .string(error.detail)]
      }
    return .members([
      ("revision", .int(revision)), ("call", call.map(JSON.int)),
      ("httpStatus", content["httpStatus"]), ("failure", content["failure"]), ("detail", content["detail"]),
    ])
  }
}

extension AuthnCore.Poll {
  fileprivate var json: JSON {
    .members([
      ("call", .int(call)), ("timer", timer.map(JSON.int)), ("request", request.map(JSON.int)),
      ("failures", .int(failures)), ("waited", .int(waited)),
    ])
  }
}
