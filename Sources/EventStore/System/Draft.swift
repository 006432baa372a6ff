/// A file that is written in order to replace another.
enum Draft {
  /// What its name ends with.
  static let suffix = ".tmp"
}
