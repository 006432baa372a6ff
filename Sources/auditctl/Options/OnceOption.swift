import ArgumentParser

/// Options of which the parser would take the last one and drop the others.
enum OnceOption {
  /// Refuses an option that is given twice: what is asked for first must not be left out in silence.
  ///
  /// - Throws: exit 64.
  static func check(_ name: String, _ values: [String]) throws {
    guard values.count <= 1 else { throw ValidationError("\(name) is given \(values.count) times; give it once") }
  }
}
