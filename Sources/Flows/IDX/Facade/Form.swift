// Forms (idx §5.2).

import EventStore

extension Remediation {
  /// The fields of a remediation, or those inside a field.
  public struct Form: Sequence, Sendable {
    /// Every field, hidden ones included, in the order of the document.
    let allFields: [Field]
    /// The fields that a person has something to see in.
    public let fields: [Field]

    init(_ readings: [FieldReading], _ authenticators: AuthenticatorTable) {
      allFields = readings.map { Field($0, authenticators) }
      fields = zip(allFields, readings).filter { $0.1.hasVisibleFields }.map(\.0)
    }

    /// Goes through `fields`.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// How many `fields` there are.
    public var count: Int { fields.count }
    /// Whether there is nothing to fill in.
    public var isEmpty: Bool { fields.isEmpty }

    /// The field of that position; nil where there is none.
    public subscript(index: Int) -> Field? { fields.indices.contains(index) ? fields[index] : nil }

    /// The field of that name. Dots lead into nested fields, unless a name has them itself: `credentials.passcode`.
    public subscript(name: String) -> Field? {
      if let field = fields.first(where: { $0.name == name }) { return field }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      let rest = String(name[name.index(after: dot)...])
      return fields.first { $0.name == String(name[..<dot]) }?.form?[rest]
    }

    /// The field of that name inside a field, hidden ones included: for what a capability fills in.
    func hidden(_ name: String, in group: String) -> Field? {
      allFields.first { $0.name == group }?.form?.allFields.first { $0.name == name }
    }

    var allMessages: [Response.Message] { allFields.flatMap(\.allMessages) }

    /// What was filled in, for a `call.made`.
    func fills(at place: String = "", names: String = "") throws(InteractionCodeFlowError) -> [JSON] {
      var fills: [JSON] = []
      for (index, field) in allFields.enumerated() {
        fills += try field.fills(at: place.isEmpty ? "\(index)" : "\(place)/\(index)", names: names)
      }
      return fills
    }
  }
}
