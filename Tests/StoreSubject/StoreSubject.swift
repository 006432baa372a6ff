// A program that uses a store, for tests that trouble it from outside: kill it, let its system calls fail, watch them,
// run many beside each other. What the log promises it says on standard output, each promise in one write.
//
//   store-subject write DIR [mode=each|group|os] [appenders=N] [batches=N] [sessions=N] [from=N] [segment=BYTES]
//                           [frame=BYTES] [signing=FILE] [seconds=N]
//   store-subject read DIR [seed=N]     reads until its standard input ends
//   store-subject verify DIR            verifies until its standard input ends
//   store-subject key DIR               makes a signing key DIR/new/key, and says its verifier
//
// It ends itself by SIGALRM after 60 seconds, or after what `limit=N` says: then it hung.
import EventStore
import Foundation

@main
struct StoreSubject {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { exit(64) }
    let role = words.removeFirst()
    let directory = words.removeFirst()
    let settings = Settings(words)
    alarm(UInt32(settings.number("limit") ?? 60))
    switch role {
    case "write": exit(Writer(directory: directory, settings: settings).run())
    case "read": exit(Watcher(directory: directory, settings: settings).read())
    case "verify": exit(Watcher(directory: directory, settings: settings).verify())
    case "key": exit(makeKey(directory + "/new/key"))
    default: exit(64)
    }
  }

  private static func makeKey(_ path: String) -> Int32 {
    do {
      say("\(try SigningKey.create(path: path, name: "subject").verifier)")
      return 0
    } catch {
      say("e \(error)")
      return 1
    }
  }

  /// Says one line, in one write.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// The arguments of the form `name=value`.
struct Settings: Sendable {
  private var values: [String: String] = [:]

  init(_ words: [String]) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { exit(64) }
      values[parts[0]] = parts[1]
    }
  }

  func text(_ name: String) -> String? { values[name] }
  func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
}
