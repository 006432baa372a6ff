import EventStore

/// Making a store or a file.
enum Creation {
  /// Runs what makes a store, a file or a directory, or opens a store for writing.
  ///
  /// What cannot be made is exit 73, whatever hinders it: a part of the path that is missing or no directory, a
  /// directory that may not be written. What hinders writing to a store that is there stays as it is: 77 if it may not
  /// be written.
  ///
  /// - Parameter path: the intended path.
  static func of<Result>(_ path: String, _ open: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) {
      return try open()
    } catch {
      switch error.code {
      case .notFound: break
      case .permission where FileMode(of: path + "/store.json") == nil: break
      case _: throw error
      }
      throw StoreError(.cannotCreate, error.message, file: error.file, advice: error.advice)
    }
  }

  /// Runs what copies a store, of which what cannot be read keeps its own exit code: 66 if it is not there, 77 if it
  /// may not be read.
  static func copy<Result>(
    of source: String, to path: String, _ copy: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    _ = try LogReader(directory: source)
    do throws(StoreError) {
      return try copy()
    } catch {
      guard error.file?.hasPrefix(path) == true else { throw error }
      return try of(path) { () throws(StoreError) in throw error }
    }
  }

  /// Why a recording does not go to stdout.
  static let binary = "a recording is binary: give a file with -o, such as -o push.ndjson.lz4"

  /// Writes a recording to a file.
  ///
  /// - Throws: exit 64 for stdout, since a recording is binary; 73 if the file cannot be made, or lies in a store.
  static func recording(_ records: [StoredRecord], of source: StoreIdentity, at path: String) throws {
    guard path != "-" else { throw CommandFailure(.usage, binary) }
    try StorePlace.refuse(path)
    try of(path) { () throws(StoreError) in try SliceFile.write(records: records, source: source, to: path) }
  }
}
