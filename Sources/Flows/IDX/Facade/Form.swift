// Forms (idx §5.2).

import EventStore

extension Remediation {
  /// The fields of a remediation, or those nested in a field.
  @dynamicMemberLookup
  public struct Form: RandomAccessCollection, Sendable, Hashable {
    /// A field.
    public typealias Element = Field

    /// All fields, including hidden ones, in document order.
    let allFields: [Field]
    /// The fields that contain something for a person to see.
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
    /// The field at a position, which must be one of `indices`. This overload applies if no optional is expected.
    public subscript(position: some BinaryInteger) -> Field { fields[Int(position)] }

    /// Returns the field with the given name: `form.identifier`.
    public subscript(dynamicMember name: String) -> Field? { self[name] }

    /// Returns the field with the given name. Dots separate levels, unless a name itself contains dots:
    /// `credentials.passcode`.
    ///
    /// Hidden fields are found if a program may fill them in, such as `captchaVerify.captchaToken`, but not if they are
    /// only sent back, such as `stateHandle`. If several fields have the name before a dot, the first one that contains
    /// the rest is used.
    public subscript(name: String) -> Field? {
      if let field = named(name) { return field }
      guard let dot = name.firstIndex(of: ".") else { return nil }
      let rest = String(name[name.index(after: dot)...])
      return named(String(name[..<dot]))?.form?[rest] ?? inOthers(String(name[..<dot]), rest)
    }

    /// Returns the field with the given name inside the second or a later group with the same name.
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

    /// Returns a nested field, including hidden ones, for values that a capability fills in.
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
