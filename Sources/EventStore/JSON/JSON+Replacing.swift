// A value with some of its texts replaced. Parts without such texts are reused as they are, sharing their memory.

extension JSON {
  /// The value with other values for some of its strings, and other names for some members.
  ///
  /// - Parameters:
  ///   - text: gives what stands for a string; `nil` if it stays.
  ///   - names: gives the name of a member; `nil` if it stays.
  package func replacing(_ text: (String) -> JSON?, names: (String) -> String?) -> JSON {
    changed(text, names) ?? self
  }

  /// The changed value; `nil` if nothing in it changes.
  private func changed(_ text: (String) -> JSON?, _ names: (String) -> String?) -> JSON? {
    switch self {
    case .null, .bool, .number: return Optional.none
    case .string(let string): return text(string)
    case .array(let elements):
      var copy: [JSON]?
      for index in elements.indices {
        guard let new = elements[index].changed(text, names) else { continue }
        if copy == nil { copy = elements }
        copy?[index] = new
      }
      return copy.map(JSON.array)
    case .object(let object):
      var copy: [JSONObject.Member]?
      for index in object.members.indices {
        let (name, value) = (names(object.members[index].key), object.members[index].value.changed(text, names))
        guard name != nil || value != nil else { continue }
        if copy == nil { copy = object.members }
        if let name { copy?[index].key = name }
        if let value { copy?[index].value = value }
      }
      return copy.map { .object(JSONObject($0)) }
    }
  }
}
