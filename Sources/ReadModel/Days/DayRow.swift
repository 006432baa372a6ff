// What an index by day says of a flow: where to read it.

import EventStore

/// A flow of a user.
struct DayRow: Hashable {
  var user: UserKey
  /// When the flow began.
  var started: Timestamp
  /// The number of its store.
  var store: Int
  /// The position of its first record.
  var first: UInt64
  /// The position of its latest record that was taken up.
  var last: UInt64
}
