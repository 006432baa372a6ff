// One line of `auditctl append`: {"stream":S,"type":T,"data":{...}}, with "id", "v", "at", "cause" if wanted.

import EventStore

/// Reads a line into a record.
enum AppendLine {
  /// The record that a line asks for.
  ///
  /// - Parameters:
  ///   - line: the line without its end.
  ///   - now: the time of a record that brings none.
  /// - Throws: `Problem` with what is wrong; nothing of the line is quoted.
  static func record(_ line: ArraySlice<UInt8>, now: Timestamp) throws(Problem) -> NewRecord {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: line)
    } catch {
      throw Problem(reason: "it is no JSON: \(error)")
    }
    guard let object = json.object else { throw Problem(reason: "it is no JSON object") }
    for member in object.members where !names.contains(member.key) {
      throw Problem(reason: "it has a member that is none of \(names.joined(separator: ", "))")
    }
    for name in names where object.members.count(where: { $0.key == name }) > 1 {
      throw Problem(reason: "it has \(name) twice")
    }
    guard let stream = json["stream"]?.string else { throw Problem(reason: "it has no text as stream") }
    guard let type = json["type"]?.string else { throw Problem(reason: "it has no text as type") }
    guard let data = json["data"], data.object != nil else { throw Problem(reason: "it has no object as data") }
    return NewRecord(
      at: try time(json["at"]) ?? now, stream: stream, id: try text(json["id"]), type: type,
      version: try number(json["v"], "v") ?? 1, cause: try number(json["cause"], "cause").map { .position(UInt64($0)) },
      data: data.bytes)
  }

  /// The fault of a line.
  struct Problem: Error {
    var reason: String
  }

  private static let names = ["stream", "type", "data", "id", "v", "at", "cause"]

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
