// The Secret Service of a desktop session (freedesktop.org), accessed through `secret-tool` from libsecret. Keys are
// passed through its standard input and output, never as arguments, which every user of the machine can read.

import FlowRecording
import Foundation

/// Stores keys in the Secret Service.
struct SecretService: Sendable {
  /// The environment in which `secret-tool` is looked up.
  var environment: [String: String] = ProcessInfo.processInfo.environment

  private static let attributes = ["application", "flowrecorder", "purpose", "token-store", "id"]

  /// Returns the key with an ID; `nil` if the service has none.
  func lookUp(_ id: String) throws(TokenStoreError) -> [UInt8]? {
    let end = try run(["lookup"] + Self.attributes + [id], input: "")
    // It exits with 1 both if the entry and if the service is missing, but prints a reason only in the latter case.
    guard end.status == 0 else {
      if end.status == 1, end.complaint.isEmpty { return nil }
      throw Self.refusal(end)
    }
    let text = end.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let bytes = Base64URL.decode(text) else {
      throw .unavailable(reason: "what the Secret Service keeps for this store is no key")
    }
    return bytes
  }

  /// Stores a key.
  func store(_ key: [UInt8], as id: String) throws(TokenStoreError) {
    let label = "--label=Token store of FlowRecorder"
    let end = try run(["store", label] + Self.attributes + [id], input: Base64URL.encode(key))
    guard end.status == 0 else { throw Self.refusal(end) }
    // A service that accepts a key but does not keep it would make the tokens unreadable.
    guard try lookUp(id) == key else { throw .unavailable(reason: "the Secret Service did not keep the key") }
  }

  private static func refusal(_ end: End) -> TokenStoreError {
    .unavailable(reason: "the Secret Service refuses (secret-tool exited with \(end.status)); is a session running?")
  }

  private struct End {
    var status: Int32
    var output: String
    var complaint: String
  }

  private func run(_ arguments: [String], input: String) throws(TokenStoreError) -> End {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    guard
      let path = folders.map({ $0 + "/secret-tool" }).first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { throw .unavailable(reason: "secret-tool is not installed (package libsecret-tools)") }
    let process = Process()
    let (entry, output, complaint) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = entry
    process.standardOutput = output
    process.standardError = complaint
    do {
      // This is written before the tool starts: 43 characters fit into any pipe, and while the other end is still open
      // here, writing cannot raise SIGPIPE.
      try entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try process.run()
      try entry.fileHandleForWriting.close()
    } catch {
      throw .unavailable(reason: "secret-tool cannot be started")
    }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaint.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return End(
      status: status, output: String(decoding: said, as: UTF8.self),
      complaint: String(decoding: complained, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
