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
    link = output.fileHandleForReading.firstLine()
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

  func enter(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try status(link) == "200", sourceLocation: sourceLocation)
  }
}

extension FileHandle {
  /// The first line that comes, without its end.
  func firstLine() -> String {
    var line = Data()
    while line.last != 0x0A {
      let piece = readData(ofLength: 1)
      if piece.isEmpty { break }
      line += piece
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }
}
