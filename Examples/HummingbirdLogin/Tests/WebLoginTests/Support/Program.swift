import Foundation
import Testing

/// A program that was built beside the tests, run as a person would run it.
final class Program: @unchecked Sendable {
  private let process = Process()
  private let lock = NSLock()
  private var written = Data()
  private let lines: AsyncStream<String>
  private let ended: AsyncStream<Int32>
  private let closed: AsyncStream<Void>

  /// - Parameter path: a program of the system, or the name of one that was built.
  init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let place = path.hasPrefix("/") ? URL(fileURLWithPath: path) : Program.builtPrograms.appendingPathComponent(path)
    process.executableURL = place
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    let (closed, close) = AsyncStream.makeStream(of: Void.self)
    (self.lines, self.ended, self.closed) = (lines, ended, closed)
    let group = DispatchGroup()
    for (pipe, isOutput) in [(output, true), (errors, false)] {
      group.enter()
      Thread.detachNewThread { [weak self] in
        var rest = Data()
        while true {
          let data = pipe.fileHandleForReading.availableData
          if data.isEmpty { break }
          self?.lock.withLock { self?.written.append(data) }
          guard isOutput else { continue }
          rest.append(data)
          while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.yield(String(decoding: rest[..<newline], as: UTF8.self))
            rest = Data(rest[rest.index(after: newline)...])
          }
        }
        if isOutput { line.finish() }
        group.leave()
      }
    }
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    // The threads of asynchronous code block signals, and a program inherits that: it could not be asked to end.
    var (none, former) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
    group.notify(queue: .global()) { close.finish() }
  }

  /// The next line of standard output; `nil` at its end.
  func line() async -> String? {
    for await line in lines { return line }
    return nil
  }

  /// Everything that was written so far.
  var output: Data { lock.withLock { written } }

  /// Waits for the end of the program. Others that it started may still run, and write to where it wrote.
  func status() async -> Int32 {
    for await status in ended { return status }
    return -1
  }

  func terminate() { process.terminate() }

  /// Runs a program to its end, and returns its exit code and all that it wrote.
  static func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, output: Data) {
    let program = try Program(path, arguments)
    for await _ in program.closed {}
    return (await program.status(), program.output)
  }

  private static var builtPrograms: URL {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent()
  }
}
