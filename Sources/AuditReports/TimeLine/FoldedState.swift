// The state of a flow at a revision, obtained by folding its records up to that point (DESIGN §2).

package import EventStore
import FlowKinds
package import FlowRecording

/// A folded state, for display.
package struct FoldedState: Sendable, Equatable {
  /// The flow's stream.
  package let stream: String
  /// The revision of the last record folded.
  package let revision: Int
  /// The state, with placeholders for secrets.
  package let state: JSON

  /// Why there is no state.
  package enum Missing: Error, Sendable, Equatable {
    /// The flow has no such revision.
    case revision(last: Int)
    /// This version has no core for flows of this kind.
    case kind(String)
  }

  /// Folds a flow up to and including a revision; the records of an edited one in their order.
  ///
  /// - Throws: `Missing`.
  package init(
    of records: [FlowRecord], stream: String, at revision: Int, kinds: KindRegistry = .standard
  ) throws(Missing) {
    let last = records.map(\.revision).max() ?? -1
    guard revision >= 0, revision <= last else { throw .revision(last: last) }
    guard case .flowStarted(let started) = records.first?.event else {
      throw .kind(records.first?.event.type ?? "")
    }
    // The parts of a long event have revisions of their own.
    let place = records.firstIndex { $0.revision == revision }
    let folded = place.map { records[...$0] } ?? records.prefix { $0.revision <= revision }
    guard let kind = kinds[started.kind] else { throw .kind(started.kind) }
    state = kind.state(folding: folded)
    self.stream = stream
    self.revision = revision
  }

  /// The document of `auditctl show --at N --json`.
  package var json: JSON { ["flow": .string(stream), "revision": .int(revision), "state": state] }

  /// The state as text: one line per member, indented by depth.
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
    // The indentation is limited, so that a line always has room for text.
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
