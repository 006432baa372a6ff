/// A file that is written to be put in the place of another.
enum Draft {
  /// What its name ends with.
  static let suffix = ".tmp"
}
