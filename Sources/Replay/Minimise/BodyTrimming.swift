// Removes members from JSON documents, as long as the sought behavior still shows.

import EventStore

enum BodyTrimming {
  /// The document without the members and elements that are not needed.
  ///
  /// - Parameter shows: whether a document in its place still shows the sought behavior.
  static func trim(_ json: JSON, _ shows: (JSON) -> Bool) -> JSON {
    switch json {
    case .null, .bool, .number, .string: return json
    case .array(let elements):
      var kept = DeltaDebugging.reduce(elements) { shows(.array($0)) }
      for index in kept.indices {
        kept[index] = trim(kept[index]) { value in
          var others = kept
          others[index] = value
          return shows(.array(others))
        }
      }
      return .array(kept)
    case .object(let object):
      var kept = DeltaDebugging.reduce(object.members) { shows(.object(JSONObject($0))) }
      for index in kept.indices {
        kept[index].value = trim(kept[index].value) { value in
          var others = kept
          others[index].value = value
          return shows(.object(JSONObject(others)))
        }
      }
      return .object(JSONObject(kept))
    }
  }
}
