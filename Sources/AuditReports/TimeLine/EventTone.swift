/// How an event is to be seen.
package enum EventTone: Sendable, Equatable {
  case plain
  /// What was computed or waited for, of less interest.
  case quiet
  case good
  case bad
  case notice
}
