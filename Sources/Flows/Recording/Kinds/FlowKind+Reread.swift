// Events as a reader of the log gets them.

import EventStore

extension FlowKind {
  /// The event that a reader decodes from a record's bytes, with its data written again by the typed view of the kind.
  /// It is the same event unless a type does not write what it reads.
  ///
  /// - Parameters:
  ///   - event: the event that was written.
  ///   - encoded: its bytes.
  /// - Returns: the event; if no reader can read it, one whose data has the single member `unreadable`, a sentence.
  package static func reread(_ event: FlowEvent, from encoded: EncodedEvent) -> FlowEvent {
    do {
      let read = try FlowEvent(type: event.type, version: event.version, data: EventCoding.data(of: encoded))
      guard case .domain(let domain) = read,
        let declaration = declarations.first(where: { $0.type == domain.type && $0.version == domain.version })
      else { return read }
      return .domain(
        DomainEvent(type: domain.type, version: domain.version, data: try declaration.rewritten(domain.data)))
    } catch {
      let data = JSON.members([("unreadable", .string("\(error)"))])
      return .domain(DomainEvent(type: event.type, version: event.version, data: data))
    }
  }
}
