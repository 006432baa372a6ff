import EventStore
import Testing

/// A suite that runs commands in a folder of its own.
protocol CommandSuite {
  var folder: Folder { get }
}

extension CommandSuite {
  /// Runs a command, which must exit with a code.
  func run(
    _ arguments: String..., code: Int32 = 0, input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Run {
    let run = try Program.run(arguments, input: input, in: folder)
    #expect(
      run.code == code, "\(arguments): \(run.code) \(run.output)\(run.errors)", sourceLocation: sourceLocation)
    return run
  }

  /// The document that a command printed.
  func json(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }
}
