// Forms (idx §5.2).

import EventStore

extension Remediation {
  /// The fields of a remediation, or those inside a field.
  @dynamicMemberLookup
  public struct Form: RandomAccessCollection, Sendable, Hashable {
    /// A field.
    public typealias Element = Field

    /// Every field, hidden ones included, in the order of the document.
    let allFields: [Field]
    /// The fields that a person has something to see in.
    public let fields: [Field]

    init(_ readings: [FieldReading], _ authenticators: AuthenticatorTable, _ origin: ResponseOrigin) {
      allFields = readings.map { Field($0, authenticators, origin) }
      fields = zip(allFields, readings).filter { $0.1.hasVisibleFields }.map(\.0)
    }

    /// The position of the first of `fields`: 0.
    public var startIndex: Int { 0 }
    /// The position after the last of `fields`.
    public var endIndex: Int { fields.count }

    /// The field at a position, or `nil` if there is none.
    public subscript(index: Int) -> Field? { fields.at(index) }
    /// The field at a position, which must be one of `indices`; chosen if no optional is wanted.
    public subscript(position: some BinaryInteger) -> Field { fields[Int(position)] }

    /// The field of that name: `form.identifier`.
    public subscript(dynamicMember name: String) -> Field? { self[name] }

    /// The field of that name. Dots lead into nested fields, unless a name has them itself: `credentials.passcode`.
    ///
    /// Hidden fields are found as well if a program may fill them in, such as `captchaVerify.captchaToken`. Those that
    /// only travel back, such as `stateHandle`, are not. If several fields have the name before a dot, the first counts
    /// that has the rest.
    public subscript(name: String) -> Field? {
      if let field = named(name) { return field }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      let rest = String(name[name.index(after: dot)...])
      return named(String(name[..<dot]))?.form?[rest] ?? inOthers(String(name[..<dot]), rest)
    }

    /// The field of that name inside the second field of the name of a group, or a later one.
    private func inOthers(_ group: String, _ name: String) -> Field? {
      let first = named(group)
      for field in fields + allFields.filter(\.isMutable) where field.name == group && field !== first {
        if let found = field.form?[name] { return found }
      }
      return nil
    }

    private func named(_ name: String) -> Field? {
      fields.first { $0.name == name } ?? allFields.first { $0.name == name && $0.isMutable }
    }

    /// The field of that name inside a field, hidden ones included: for what a capability fills in.
    func hidden(_ name: String, in group: String) -> Field? {
      allFields.first { $0.name == group }?.form?.allFields.first { $0.name == name }
    }

    var allMessages: [Response.Message] { allFields.flatMap(\.allMessages) }

    /// The values filled in, for a `call.made`.
    func fills(at place: String = "", names: String = "") throws(InteractionCodeFlowError) -> [JSON] {
      var fills: [JSON] = []
      for (index, field) in allFields.enumerated() {
        fills += try field.fills(at: place.isEmpty ? "\(index)" : "\(place)/\(index)", names: names)
      }
      return fills
    }
  }
}
