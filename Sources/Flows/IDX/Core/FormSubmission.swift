// The body that a form is sent with (idx §6): all fields, hidden and immutable ones included, with what the application
// filled in. Pure: it works on placeholders as on values.

package import EventStore
package import FlowRecording

/// What the application filled in, by where the field stands in the form.
///
/// A place is a path of indices: `1/0` is the first field nested in the second; `1:2/0` the first field of the third
/// option of the second.
package struct FormFills: Sendable, Equatable {
  /// One field.
  package struct Fill: Sendable, Equatable {
    /// The index of the option chosen.
    package var option: Int?
    /// The value set; null if the application took a preset back.
    package var value: JSON?

    /// Makes a fill.
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

  /// The body of a form: an object with its members in the order of the fields.
  ///
  /// - Throws: `Refusal`: a required field has no value, or a value does not fit its field.
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

  /// Members by their names, in constant time each: an org decides how many fields there are.
  private struct Members {
    private var members: [JSONObject.Member] = []
    private var places: [ByteName: Int] = [:]
    /// What is put together of several objects of one name, by its place among the members.
    private var merged: [Int: Members] = [:]

    init(_ object: JSONObject = JSONObject()) {
      for member in object.members { set(member.key, member.value) }
    }

    /// The members, each name once.
    var object: JSONObject {
      var members = members
      for (place, inner) in merged { members[place].value = .object(inner.object) }
      return JSONObject(members)
    }

    /// Adds a member. Objects of one name are one object, so that fields of one name may have different fields inside.
    mutating func merge(_ name: String, _ value: JSON) {
      guard case .object(let object) = value, let place = places[ByteName(name)],
        case .object(let earlier) = members[place].value
      else { return set(name, value) }
      var inner = merged.removeValue(forKey: place) ?? Members(earlier)
      for member in object.members { inner.merge(member.key, member.value) }
      merged[place] = inner
    }

    /// Adds a member in the place of an earlier one of its name.
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
    guard let nested = options[index].nested else { return options[index].value }
    let object = try build(nested, at: "\(place):\(index)", names: path)
    guard !object.members.isEmpty else { return Optional.none }
    return .object(object)
  }

  /// A boolean field takes booleans alone: a text goes out as text and would be refused, or worse, believed. What is
  /// judged here may be masked, but a boolean never is: what looks like none is none.
  private func scalar(_ value: JSON, of field: FieldReading, _ path: String) throws(Refusal) -> JSON {
    guard field.type == "boolean", field.isMutable, value.bool == nil, value.object == nil else { return value }
    guard let flag = FieldReading.flag(value) else { throw .invalidParameterValue(path, type: "boolean") }
    return .bool(flag)
  }

  /// What the org has put there goes back as it came; a word for a boolean as the boolean that it means.
  private func preset(of field: FieldReading) -> JSON? {
    guard let value = field.value, field.type == "boolean", field.isMutable else { return field.value }
    return FieldReading.flag(value).map(JSON.bool) ?? value
  }

  /// The names down to a field, with dots; a field without a name is called by its label.
  static func path(_ names: String, _ field: FieldReading) -> String {
    guard let name = field.name, !name.isEmpty else { return names.isEmpty ? field.label ?? "" : names }
    return names.isEmpty ? name : names + "." + name
  }
}
