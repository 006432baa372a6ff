// What a command with --keep-going had to leave out, said at its end.

import AuditReports
import Synchronization

/// The damaged stores that this process reads past their damages, and recordings that it reads up to theirs.
enum Salvages {
  private static let logs = Mutex<[SalvagedLog]>([])

  /// Notes a store that is read that way.
  static func begin(_ log: SalvagedLog) { logs.withLock { $0.append(log) } }

  private static let files = Mutex<[RecordingFile]>([])

  /// Notes a recording of which not all could be read; any other is passed by.
  static func begin(_ file: RecordingFile) {
    if file.lost != nil { files.withLock { $0.append(file) } }
  }

  /// Says what was left out.
  ///
  /// - Throws: exit 65 if anything was.
  static func finish() throws(CommandFailure) {
    let read = logs.withLock { logs in
      defer { logs = [] }
      return logs
    }
    let cut = files.withLock { files in
      defer { files = [] }
      return files
    }
    for file in cut {
      if let loss = file.loss { Messages.say("\(file.directory): \(loss)".printable) }
    }
    let damaged = read.compactMap { log in log.damage.map { (log.directory, $0) } }
    for (directory, damage) in damaged {
      for sentence in damage.sentences { Messages.say("\(directory): \(sentence)".printable) }
    }
    let first =
      damaged.first.map { (place: $0.0, advice: "see auditctl verify") }
      ?? cut.first.map { (place: $0.directory, advice: "make the recording again") }
    guard let first else { return }
    throw CommandFailure(
      .malformed,
      "\(first.place.printable) is damaged, and only what can be read of it was taken; \(first.advice)")
  }
}
