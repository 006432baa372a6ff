// Parts that need a process of their own, because its memory is what is measured, or its caches must be cold.
import Foundation

enum Child {
  /// Runs a hidden command; false if it is none.
  static func run(_ command: String, _ arguments: [String]) throws -> Bool {
    switch command {
    case "-open": try LargeLog.openInChild(arguments)
    case "-append": try WriterMemory.appendInChild(arguments)
    default: return false
    }
    return true
  }

  /// Starts this program with a hidden command and gives what it printed, split at spaces.
  static func ask(_ arguments: [String]) throws -> [Double] {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let line = try DiskBytes.shell("exec '\(program)' " + arguments.map { "'\($0)'" }.joined(separator: " "))
    return (line ?? "").split(separator: " ").compactMap { Double($0) }
  }
}
