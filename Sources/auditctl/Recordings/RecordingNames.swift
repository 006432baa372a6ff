// The recordings that a command line names: thousands of files cost no more than their names, and a folder stands for
// the recordings in it.

import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

enum RecordingNames {
  /// So many names in a row the parser of arguments is given: its time grows with the square of their number.
  private static let mostParsed = 200
  /// Stands for names that the parser is not given. No file has such a name.
  private static let mark = "\u{0}names"
  private static let hidden = Locked<[String]>([])

  /// A command line for the parser: of a long row of names only the first and the last, and a mark between them.
  ///
  /// - Parameters:
  ///   - arguments: the command line, without the program.
  ///   - command: the only command that is given so many names.
  static func shortened(_ arguments: [String], of command: any ParsableCommand.Type) -> [String] {
    guard arguments.first == command.configuration.commandName, arguments.count > mostParsed else {
      return arguments
    }
    var longest: Range<Int>?
    var start = 1
    for index in 1...arguments.count where index == arguments.count || arguments[index].hasPrefix("-") {
      if index - start > longest?.count ?? mostParsed { longest = start..<index }
      start = index + 1
    }
    guard let longest else { return arguments }
    let row = (longest.lowerBound + 1)..<(longest.upperBound - 1)
    hidden.withLock { $0 = Array(arguments[row]) }
    return arguments[..<row.lowerBound] + [mark] + arguments[row.upperBound...]
  }

  /// The names that were given, those behind the mark too.
  static func all(_ parsed: [String]) -> [String] {
    parsed.flatMap { name in name == mark ? hidden.withLock { $0 } : [name] }
  }

  /// The files: those that were named, and all recordings of the folders that were.
  ///
  /// - Throws: exit 66 if a folder has no recording, or is a store.
  static func files(_ names: [String]) throws(CommandFailure) -> [String] {
    var files: [String] = []
    for name in names {
      guard FileMode(of: name)?.isDirectory == true else {
        files.append(name)
        continue
      }
      guard FileMode(of: name + "/segments") == nil else {
        throw CommandFailure(.notFound, "\(name.printable) is a store; give it with --store")
      }
      let folder = try RecordingFolder(path: name)
      let found = try folder.files()
      guard !found.isEmpty else {
        throw CommandFailure(
          .notFound, "no recording is in the folder \(name.printable): their names end in \(RecordingFolder.ending)")
      }
      files += found.map { name.hasSuffix("/") ? name + $0 : "\(name)/\($0)" }
    }
    return files
  }
}
