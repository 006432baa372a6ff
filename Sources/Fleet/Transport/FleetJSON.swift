// Questions, answers and states as JSON: small documents that people may read, too.
package import EventStore

extension JSON {
  /// A whole number.
  package static func number(_ value: UInt64) -> JSON { .number(String(value)) }

  /// A whole number from 0 to 2^62, or nil.
  package var position: UInt64? {
    guard case .number(let text) = self, let value = UInt64(text), value <= 1 << 62 else { return nil }
    return value
  }
}

extension MirrorPlace {
  /// The place as JSON.
  package var json: JSON {
    .members([
      ("segment", .number(segment)), ("form", .string(form.rawValue)), ("offset", .number(offset)),
    ])
  }

  /// Reads a place; nil if the JSON is not a place.
  package init?(json: JSON?) {
    guard let segment = json?["segment"]?.position, let offset = json?["offset"]?.position,
      let form = json?["form"]?.string.flatMap(SliceForm.init)
    else { return nil }
    self.init(segment: segment, form: form, offset: offset)
  }
}

extension MirrorState {
  /// The state as JSON.
  package var json: JSON {
    .members([
      ("end", end.json), ("size", .number(size)), ("signed", signed?.json), ("signedSize", .number(signedSize)),
    ])
  }

  /// Reads a state; nil if the JSON is not a state.
  package init?(json: JSON?) {
    guard let end = MirrorPlace(json: json?["end"]), let size = json?["size"]?.position,
      let signedSize = json?["signedSize"]?.position
    else { return nil }
    self.init(end: end, size: size, signed: MirrorPlace(json: json?["signed"]), signedSize: signedSize)
  }
}

extension FleetQuestion {
  /// The question as JSON.
  package var json: JSON {
    .members([("store", .string(store)), ("end", end.json), ("trouble", trouble.map { .string($0.rawValue) })])
  }

  /// Reads a question; nil if the JSON is not a question.
  package init?(json: JSON?) {
    guard let store = json?["store"]?.string, FleetMessage.isStore(store), let end = MirrorPlace(json: json?["end"])
    else { return nil }
    self.init(store: store, end: end, trouble: json?["trouble"]?.string.flatMap(ShipTrouble.Kind.init))
  }
}

extension FleetAnswer {
  /// The answer as JSON.
  package var json: JSON {
    .members([
      ("collector", .string(collector)), ("store", .string(store)), ("read", .number(read)), ("wanted", wanted.json),
      ("staged", staged?.json), ("state", state.json), ("note", note.map(JSON.string)),
      ("rewritten", .array(rewritten.map(JSON.number))), ("identity", .string(identity)),
    ])
  }

  /// Reads an answer; nil if the JSON is not an answer.
  package init?(json: JSON?) {
    guard let collector = json?["collector"]?.string, let store = json?["store"]?.string,
      let read = json?["read"]?.position, let wanted = MirrorPlace(json: json?["wanted"]),
      let state = MirrorState(json: json?["state"]), let identity = json?["identity"]?.string
    else { return nil }
    self.init(
      collector: collector, store: store, read: read, wanted: wanted, staged: MirrorPlace(json: json?["staged"]),
      state: state, note: json?["note"]?.string, rewritten: json?["rewritten"]?.array?.compactMap(\.position) ?? [],
      identity: identity)
  }
}
