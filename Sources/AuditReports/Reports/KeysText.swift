// The keys of a store, as JSON and as text.

package import EventStore
import FlowRecording

/// The keys that sign a store or have signed it.
package struct KeysText: Sendable {
  private let identity: StoreIdentity

  /// The keys that `identity` names.
  package init(_ identity: StoreIdentity) { self.identity = identity }

  /// The document of `auditctl keys --json`.
  package var json: JSON {
    [
      "origin": .string(identity.origin), "current": identity.publicKey.map(JSON.string) ?? .null,
      "retired": .array(
        identity.retiredKeys.map { ["key": .string($0.key), "until": .number(String($0.until))] }),
      "restoredFrom": Self.json(of: identity.restoredFrom),
    ]
  }

  /// The stores that a store was restored from, as JSON.
  package static func json(of origins: [StoreOrigin]) -> JSON {
    .array(
      origins.map { before in
        [
          "store": .string(before.store), "origin": .string(before.origin), "size": .number(String(before.size)),
          "root": .string(before.root), "publicKey": before.publicKey.map(JSON.string) ?? .null,
          "lost": .number(String(before.lost)),
        ]
      })
  }

  /// The same as text.
  package func lines(width: LineWidth = 80) -> [String] {
    var rows = [("origin", identity.origin)]
    rows.append(("signs", identity.publicKey ?? "no key yet; the first checkpoint makes one"))
    for retired in identity.retiredKeys.reversed() {
      rows.append(("retired", "\(retired.key), up to \(Quantity.count(Int(clamping: retired.until), "record"))"))
    }
    for before in identity.restoredFrom.reversed() { rows.append(("restored", Self.text(of: before))) }
    return rows.flatMap { Paragraph.lines($1.printable, width: width, lead: $0.padded(to: 12)) }
  }

  /// A store from which another one was restored.
  package static func text(of before: StoreOrigin) -> String {
    let lost = before.lost > 0 ? ", \(before.lost) more were lost" : ""
    return
      "from \(before.origin) with \(Quantity.count(Int(clamping: before.size), "record"))\(lost), signed by \(before.publicKey ?? "no key")"
  }
}
