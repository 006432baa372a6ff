import EventStore

/// Making a store or a file.
enum Creation {
  /// Runs what makes a store or a file, or opens it for writing. If a part of its path is missing or is no
  /// directory, that is something that cannot be made (exit 73), not something that is not there.
  static func of<Result>(_ open: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try open()
    } catch {
      guard error.code == .notFound else { throw error }
      throw StoreError(.cannotCreate, error.message, file: error.file, advice: error.advice)
    }
  }
}
