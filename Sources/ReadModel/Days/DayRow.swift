// A row of an index by day: where to read a flow.

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
  /// The position of its latest indexed record.
  var last: UInt64
}
