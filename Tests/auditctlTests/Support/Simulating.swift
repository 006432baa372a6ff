import Foundation
import Testing

/// A running `auditctl simulate`, ended with this.
final class Simulating {
  let process = Process()
  let input = Pipe()
  let errors = Pipe()
  /// The org's address, which is the first line that it prints.
  let url: String
  private let output = Pipe()

  init(_ options: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["simulate"] + options
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    url = output.fileHandleForReading.firstLine()
    #expect(url.hasPrefix("http://127.0.0.1:"), sourceLocation: sourceLocation)
  }

  deinit {
    if process.isRunning { process.terminate() }
  }
}
