// One line of `auditctl append`: {"stream":S,"type":T,"data":{...}}, with "id", "v", "at", "cause" if wanted, and "n"
// and "rev" if `cat` printed it.

import EventStore

/// The request in a line.
struct AppendLine {
  /// The record. If the line says where it stood, its cause is still to be looked up.
  var record: NewRecord
  /// The position that the line had in another log: later lines mean it by this.
  var old: UInt64?

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: the line without its end.
  ///   - now: the time of a record without one.
  /// - Throws: `Problem` with what is wrong; nothing of the line is quoted.
  init(_ line: ArraySlice<UInt8>, now: Timestamp) throws(Problem) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: line)
    } catch {
      throw Problem(reason: "it is no JSON: \(error)")
    }
    guard let object = json.object else { throw Problem(reason: "it is no JSON object") }
    for member in object.members where !Self.names.contains(member.key) {
      throw Problem(reason: "it has a member that is none of \(Self.names.joined(separator: ", "))")
    }
    for name in Self.names where object.members.count(where: { $0.key == name }) > 1 {
      throw Problem(reason: "it has \(name) twice")
    }
    guard let stream = json["stream"]?.string else { throw Problem(reason: "it has no text as stream") }
    guard let type = json["type"]?.string else { throw Problem(reason: "it has no text as type") }
    guard let data = json["data"], data.object != nil else { throw Problem(reason: "it has no object as data") }
    _ = try Self.number(json["rev"], "rev")  // the log gives it a new one
    old = try Self.number(json["n"], "n").map { UInt64($0) }
    let cause = try Self.number(json["cause"], "cause").map { Cause.position(UInt64($0)) }
    record = NewRecord(
      at: try Self.time(json["at"]) ?? now, stream: stream, id: try Self.text(json["id"]), type: type,
      version: try Self.number(json["v"], "v") ?? 1, cause: cause, data: data.bytes)
  }

  /// The fault of a line.
  struct Problem: Error {
    var reason: String
  }

  private static let names = ["stream", "type", "data", "id", "v", "at", "cause", "n", "rev"]

  private static func text(_ json: JSON?) throws(Problem) -> String? {
    guard let json else { return nil }
    guard let text = json.string else { throw Problem(reason: "its id is no text") }
    return text
  }

  private static func number(_ json: JSON?, _ name: String) throws(Problem) -> Int? {
    guard let json else { return nil }
    guard let number = json.int, number >= 0 else { throw Problem(reason: "its \(name) is no whole number from 0 on") }
    return number
  }

  private static func time(_ json: JSON?) throws(Problem) -> Timestamp? {
    guard let json else { return nil }
    guard let time = json.string.flatMap({ Timestamp($0) }) else { throw Problem(reason: "its at is no RFC 3339 time") }
    return time
  }
}
