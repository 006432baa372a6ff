import Foundation
import Testing

/// A running `auditctl serve`.
final class Served {
  let folder: Folder
  let link: String
  private let server = Process()

  init(_ store: String, in folder: Folder, _ options: [String] = []) throws {
    self.folder = folder
    server.executableURL = URL(fileURLWithPath: Program.binary)
    server.arguments = ["serve", "--store", store] + options
    server.environment = Program.environment(home: folder.path)
    let output = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    var first = Data()
    while first.last != 0x0A {
      let piece = output.fileHandleForReading.readData(ofLength: 1)
      if piece.isEmpty { break }
      first += piece
    }
    link = String(decoding: first.dropLast(), as: UTF8.self)
  }

  deinit {
    server.terminate()
    server.waitUntilExit()
  }

  var root: String { String(link.prefix { $0 != "?" }.dropLast("/open".count)) }

  /// What curl gets; cookies are kept.
  func get(_ address: String, _ options: String = "") throws -> String {
    try Program.shell(
      "curl -s -m 20 -b jar -c jar \(options) '\(address.hasPrefix("http") ? address : root + address)'", in: folder
    ).output
  }

  /// The status of an answer.
  func status(_ address: String, _ options: String = "") throws -> String {
    try get(address, "-o /dev/null -w '%{http_code}' " + options)
  }

  func enter() throws { #expect(try status(link) == "200") }
}
