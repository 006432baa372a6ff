// The arguments of a request that the application composes.

import EventStore
import Foundation

/// A link and a payload as arguments of a call.
enum PayloadArguments {
  /// The arguments of `sendRequest`. A payload that JSON cannot represent is omitted, and the core refuses the call.
  static func arguments(_ link: LinksResponse.Link, _ payload: [String: Any]) -> [(String, JSON?)] {
    var payload = payload
    let token = payload.removeValue(forKey: "stateToken") as? String
    let allow = link.allow.isEmpty ? nil : JSON.array(link.allow.map(JSON.string))
    return [
      ("link", .string(link.address)), ("allow", allow), ("payload", json(payload)),
      ("stateToken", token.map(JSON.string)),
    ]
  }

  /// A value as JSON, with members sorted by name; nil if JSON cannot represent it.
  static func json(_ value: Any) -> JSON? {
    switch value {
    case let json as JSON: return json
    case let text as String: return .string(text)
    case let flag as Bool: return .bool(flag)
    case let number as any BinaryInteger: return .number(String(describing: number))
    case let number as Double where number.isFinite: return .number("\(number)")
    case let number as Float where number.isFinite: return .number("\(number)")
    case is NSNull: return .null
    case let list as [Any]:
      let elements = list.map { json($0) }
      return elements.contains { $0 == nil } ? nil : .array(elements.compactMap { $0 })
    case let object as [String: Any]:
      var members: [JSONObject.Member] = []
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        guard let json = json(value) else { return nil }
        members.append(JSONObject.Member(key: key, value: json))
      }
      return .object(JSONObject(members))
    default: return nil
    }
  }
}
