// What a feeder hands over: the dictionary that `parsePushNotification` takes (spec/device.md §7.1, §19.1).

import EventStore

/// Why something that was delivered is no notification. Nothing of what was delivered is in it: it may hold a challenge.
public enum FeedProblem: Error, Sendable, Hashable {
  /// A line has more bytes than are allowed.
  case tooLong(line: Int)
  /// A line is no JSON.
  case notJSON(line: Int, reason: String)
  /// A line is JSON, and no object.
  case notAnObject(line: Int)
  /// The descriptor could not be read, and reading ended.
  case unreadable(reason: String)
}

/// The members of a notification.
enum NotificationPayload {
  /// Reads an object; of a member that stands twice, the last counts.
  static func read(_ bytes: [UInt8], line: Int) throws(FeedProblem) -> [String: JSON] {
    let value: JSON
    do throws(JSONError) { value = try JSON(parsing: bytes) } catch {
      throw .notJSON(line: line, reason: "not JSON from byte \(error.offset) on")
    }
    guard let object = value.object else { throw .notAnObject(line: line) }
    return Dictionary(object.members.map { ($0.key, $0.value) }) { $1 }
  }
}
