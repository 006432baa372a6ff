// The canonical summary of a response of the classic authentication API (spec `authn-summary.md`): one JSON object for
// any body, to compare implementations by.

package import EventStore

/// Reduces response bodies to their canonical summary.
package enum CanonicalSummary {
  /// The summary of a body.
  ///
  /// Total: a member that is missing or of another type is null, a body that is not JSON gives an `error`.
  ///
  /// - Parameter body: the body's bytes; empty or blank counts as an empty object, and a byte order mark is skipped.
  /// - Returns: an object with sorted member names.
  package static func summary(of body: [UInt8]) -> JSON {
    let body = JSON.withoutMark(body)
    if body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return summary(of: JSON.object(JSONObject())) }
    guard let json = try? JSON(parsing: body) else { return ["error": "invalid-json"] }
    return summary(of: json)
  }

  private static func summary(of json: JSON) -> JSON {
    let embedded = json["_embedded"]
    return JSON.object(
      JSONObject(
        [
          ("status", text(json["status"])), ("factorResult", text(json["factorResult"])),
          ("factorType", text(json["factorType"])), ("recoveryType", text(json["recoveryType"])),
          ("expiresAt", text(json["expiresAt"])), ("factors", .array(factors(embedded).map(factor))),
          ("links", .array(TransactionReading(json: json).linkNames.map(JSON.string))),
          ("user", text(embedded?["user"]?["profile"]?["login"])),
          ("hasStateToken", .bool(json["stateToken"]?.string != nil)),
          ("hasSessionToken", .bool(json["sessionToken"]?.string != nil)),
          ("errorCode", text(json["errorCode"])), ("errorSummary", text(json["errorSummary"])),
          ("errorCauses", .array((json["errorCauses"]?.array ?? []).map { text($0["errorSummary"]) })),
          ("items", json.array.map { .int($0.count) } ?? .null),
        ].map { JSONObject.Member(key: $0.0, value: $0.1) })
    ).sorted
  }

  private static func text(_ json: JSON?) -> JSON { json?.string.map(JSON.string) ?? .null }

  private static func factors(_ embedded: JSON?) -> [JSON] {
    let list = (embedded?["factors"]?.array ?? []).filter { $0.object != nil }
    if !list.isEmpty { return list }
    guard let factor = embedded?["factor"], factor.object != nil else { return [] }
    return [factor]
  }

  private static func factor(_ json: JSON) -> JSON {
    ["factorType": text(json["factorType"]), "provider": text(json["provider"]), "id": text(json["id"])]
  }
}
