import AuditReports
import EventStore

/// What `--store` names: a store, or a recording file.
enum LogSource: RecordReading {
  case store(LogReader)
  case recording(RecordingFile)

  /// Opens a store's directory, or reads a recording file or pipe.
  init(path: String) throws {
    if InputFile.isFile(path) {
      let bytes = try InputFile(path: path, content: "a recording").bytes(limit: Self.longestRecording)
      guard SliceFile.mayBeRecords(bytes) else {
        throw CommandFailure(
          .notFound, "\(path.printable) is neither a store's directory nor a recording; check the path")
      }
      self = .recording(try RecordingFile(path: path, bytes: bytes))
    } else {
      self = .store(try LogReader(directory: path))
    }
  }

  /// How many bytes a recording may have.
  static let longestRecording = 256 << 20

  /// The store; nil for a recording.
  var log: LogReader? {
    switch self {
    case .store(let log): log
    case .recording: nil
    }
  }

  private var reading: any RecordReading {
    switch self {
    case .store(let log): log
    case .recording(let file): file
    }
  }

  var directory: String { reading.directory }

  var identity: StoreIdentity { reading.identity }

  func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) { try reading.forEach(body) }

  func records(of stream: String) throws(StoreError) -> [StoredRecord] { try reading.records(of: stream) }

  func streams() throws -> [String] { try reading.streams() }
}
