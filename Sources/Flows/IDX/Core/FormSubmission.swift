// The body that a form is sent with (idx §6): all fields, including hidden and immutable ones, with the application's
// values. Pure: placeholders work like real values.

package import EventStore
package import FlowRecording

/// The values that the application filled in, keyed by the position of the field in the form.
///
/// A position is a path of indices: `1/0` is the first field nested in the second field; `1:2/0` is the first field of
/// the third option of the second field.
package struct FormFills: Sendable, Equatable {
  /// The value of one field.
  package struct Fill: Sendable, Equatable {
    /// The index of the chosen option.
    package var option: Int?
    /// The value set; null if the application cleared a preset value.
    package var value: JSON?

    /// Creates a fill.
    package init(option: Int? = nil, value: JSON? = nil) {
      self.option = option
      self.value = value
    }
  }

  package var fills: [String: Fill]

  package init(_ fills: [String: Fill] = [:]) { self.fills = fills }

  /// Reads the `fields` of a `call.made`.
  init(_ arguments: JSON) {
    fills = [:]
    for field in arguments["fields"]?.array ?? [] {
      guard let place = field["at"]?.string else { continue }
      fills[place] = Fill(option: field["option"]?.int, value: field["value"])
    }
  }
}

/// Builds the body of a form.
package struct FormSubmission {
  let fills: FormFills

  package init(_ fills: FormFills) { self.fills = fills }

  /// Returns the body of a form: an object with its members in the order of the fields.
  ///
  /// - Throws: `Refusal` if a required field has no value, or a value does not fit its field.
  package func body(of form: FormReading) throws(Refusal) -> JSON {
    .object(try build(form.fields, at: "", names: ""))
  }

  private func build(_ fields: [FieldReading], at place: String, names: String) throws(Refusal) -> JSONObject {
    var result = Members()
    for (index, field) in fields.enumerated() {
      let here = place.isEmpty ? "\(index)" : "\(place)/\(index)"
      let path = Self.path(names, field)
      guard let value = try value(of: field, at: here, path) else { continue }
      if let name = field.name, !name.isEmpty {
        result.merge(name, value)
      } else if case .object(let object) = value {
        for member in object.members { result.set(member.key, member.value) }
      } else {
        throw .invalidParameter(path)
      }
    }
    return result.object
  }

  /// Members by name, with constant-time access, because the org decides how many fields there are.
  private struct Members {
    private var members: [JSONObject.Member] = []
    private var places: [ByteName: Int] = [:]
    /// Merged objects that share a name, keyed by their position among the members.
    private var merged: [Int: Members] = [:]

    init(_ object: JSONObject = JSONObject()) {
      for member in object.members { set(member.key, member.value) }
    }

    /// The members, with each name once.
    var object: JSONObject {
      var members = members
      for (place, inner) in merged { members[place].value = .object(inner.object) }
      return JSONObject(members)
    }

    /// Adds a member. Objects with the same name are merged, because fields with the same name may contain different
    /// fields.
    mutating func merge(_ name: String, _ value: JSON) {
      guard case .object(let object) = value, let place = places[ByteName(name)],
        case .object(let earlier) = members[place].value
      else { return set(name, value) }
      var inner = merged.removeValue(forKey: place) ?? Members(earlier)
      for member in object.members { inner.merge(member.key, member.value) }
      merged[place] = inner
    }

    /// Adds a member, replacing an earlier one with the same name.
    mutating func set(_ name: String, _ value: JSON) {
      let name = ByteName(name)
      if let place = places[name] {
        members[place].value = value
        merged[place] = nil
      } else {
        places[name] = members.count
        members.append(JSONObject.Member(key: name.text, value: value))
      }
    }
  }

  private func value(of field: FieldReading, at place: String, _ path: String) throws(Refusal) -> JSON? {
    let fill = fills.fills[place]
    if let nested = field.nested, !nested.isEmpty {
      let object = try build(nested, at: place, names: path)
      if object.members.isEmpty {
        if field.isRequired { throw .missingParameter(path) }
        return nil
      }
      return .object(object)
    }
    let value: JSON? =
      if let option = fill?.option {
        try self.value(of: field, option: option, at: place, path)
      } else if let filled = fill?.value {
        filled == .null ? Optional.none : try scalar(filled, of: field, path)
      } else {
        preset(of: field)
      }
    if field.isRequired, value == nil { throw .missingParameter(path) }
    return value
  }

  private func value(
    of field: FieldReading, option index: Int, at place: String, _ path: String
  ) throws(Refusal) -> JSON? {
    guard let options = field.options, options.indices.contains(index) else { throw .unknownOption(path) }
    guard let nested = options[index].nested else { return options[index].sentValue }
    let object = try build(nested, at: "\(place):\(index)", names: path)
    guard !object.members.isEmpty else { return Optional.none }
    return .object(object)
  }

  /// A boolean field accepts only booleans: text would be sent as text, and the org would reject it or, worse,
  /// misinterpret it. The value may be a placeholder, but booleans are never masked, so this check is reliable.
  private func scalar(_ value: JSON, of field: FieldReading, _ path: String) throws(Refusal) -> JSON {
    guard field.type == "boolean", field.isMutable, value.bool == nil, value.object == nil else { return value }
    guard let flag = FieldReading.flag(value) else { throw .invalidParameterValue(path, type: "boolean") }
    return .bool(flag)
  }

  /// The org's preset value is sent back unchanged, except that a word for a boolean becomes a boolean.
  private func preset(of field: FieldReading) -> JSON? {
    guard let value = field.value, field.type == "boolean", field.isMutable else { return field.sentValue }
    return FieldReading.flag(value).map(JSON.bool) ?? value
  }

  /// The names leading to a field, joined with dots. A field without a name is identified by its label.
  static func path(_ names: String, _ field: FieldReading) -> String {
    guard let name = field.name, !name.isEmpty else { return names.isEmpty ? field.label ?? "" : names }
    return names.isEmpty ? name : names + "." + name
  }
}
