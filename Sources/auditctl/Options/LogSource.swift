import AuditReports
import EventStore
import FlowRecording

/// What `--store` names: a store, or a recording file.
enum LogSource: RecordReading {
  case store(LogReader)
  case recording(RecordingFile)
  /// A store that is read past what is damaged in it.
  case damaged(SalvagedLog)

  /// Opens a store's directory, or reads a recording file or pipe.
  ///
  /// - Parameter keepsGoing: whether to read past what is damaged in a store, and what comes before it in a recording.
  init(path: String, keepsGoing: Bool = false) throws {
    if InputFile.isFile(path) {
      let bytes = try InputFile.recording(path)
      guard SliceFile.mayBeRecords(bytes) else {
        throw CommandFailure(
          .malformed, "\(path.printable) is neither a store's directory nor a recording; check the path")
      }
      let file = try RecordingFile(path: path, bytes: bytes, keepsGoing: keepsGoing)
      Salvages.begin(file)
      self = .recording(file)
    } else {
      let log = try LogReader(directory: path)
      log.warnOfShortfall()
      if keepsGoing {
        let salvaged = SalvagedLog(log)
        Salvages.begin(salvaged)
        self = .damaged(salvaged)
      } else {
        self = .store(log)
      }
    }
  }

  /// How many bytes a recording may have.
  static let longestRecording = 256 << 20

  /// The store; nil for a recording.
  var log: LogReader? {
    switch self {
    case .store(let log): log
    case .recording, .damaged: nil
    }
  }

  private var reading: any RecordReading {
    switch self {
    case .store(let log): log
    case .recording(let file): file
    case .damaged(let log): log
    }
  }

  var directory: String { reading.directory }

  var identity: StoreIdentity { reading.identity }

  func forEach(_ body: (StoredRecord) throws(StoreError) -> Void) throws(StoreError) { try reading.forEach(body) }

  func records(of stream: String) throws(StoreError) -> [StoredRecord] { try reading.records(of: stream) }

  func streams() throws -> [String] { try reading.streams() }
}

extension LogReader {
  /// Says on stderr that records are gone which a checkpoint covers, or a backup had: what is read of such a log is not
  /// all of it.
  func warnOfShortfall() {
    // Whoever reads it will meet what cannot be read here.
    guard let lack = try? shortfall() else { return }
    Messages.say(lackSentence(lack).printable)
  }

  /// Throws exit 65 if records are gone which a checkpoint covers, or a backup had.
  func refuseShortfall() throws {
    guard let lack = try shortfall() else { return }
    throw CommandFailure(.malformed, lackSentence(lack))
  }

  private func lackSentence(_ lack: (records: UInt64, signed: UInt64)) -> String {
    let records = Quantity.count(Int(clamping: lack.records), "record")
    let knower = identity.backup?.size == lack.signed ? "it is a backup of" : "its checkpoint covers"
    return "\(directory) has \(records), and \(knower) \(lack.signed): "
      + "records are gone from its end; run auditctl verify"
  }
}
