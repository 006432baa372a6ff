// The dictionary that `parsePushNotification` takes, read from delivered bytes (spec/device.md §7.1, §19.1).

import EventStore

/// Why delivered bytes are not a notification. The error never contains any of those bytes, because they may hold a
/// challenge.
public enum FeedProblem: Error, Sendable, Hashable {
  /// A line is longer than the limit.
  case tooLong(line: Int)
  /// A line is not JSON.
  case notJSON(line: Int, reason: String)
  /// A line is JSON, but not an object.
  case notAnObject(line: Int)
  /// The descriptor could not be read, so reading ended.
  case unreadable(reason: String)
}

/// Reads the members of a notification.
enum NotificationPayload {
  /// Reads a JSON object. If a member occurs more than once, the last one counts.
  static func read(_ bytes: [UInt8], line: Int) throws(FeedProblem) -> [String: JSON] {
    let value: JSON
    do throws(JSONError) { value = try JSON(parsing: bytes) } catch {
      throw .notJSON(line: line, reason: "not JSON from byte \(error.offset) on")
    }
    guard let object = value.object else { throw .notAnObject(line: line) }
    return Dictionary(object.members.map { ($0.key, $0.value) }) { $1 }
  }
}
