import EventStore

/// Opening a store that may have to be made first.
enum NewStore {
  /// Runs what opens a store for writing. Where a part of its path is missing or is no directory, that is a store that
  /// cannot be made (exit 73), not one that is not there.
  static func making<Result>(_ open: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try open()
    } catch {
      guard error.code == .notFound else { throw error }
      throw StoreError(.cannotCreate, error.message, file: error.file, advice: error.advice)
    }
  }
}
