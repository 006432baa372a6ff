import EventStore
import Foundation
import Testing

@Suite struct CatTests {
  @Test("bounds are inclusive, stream and type filter")
  func filters() throws {
    let recorded = try Recorded.once()
    let all = try recorded.run("cat").lines
    #expect(try recorded.run("cat", "--from", "3", "--to", "7").lines == Array(all[3...7]))
    #expect(try recorded.run("cat", "--to", "0").lines == Array(all[...0]))
    let flow = try recorded.flow(of: "ann@acme.example")
    let stream = try recorded.run("cat", "--stream", flow).lines
    #expect(stream.count == 8 && stream.allSatisfy { $0.contains("\"\(flow)\"") })
    let sent = try recorded.run("cat", "--type", "request.sent").lines
    #expect(sent.count == 16 && sent.allSatisfy { $0.contains(#""type":"request.sent""#) })
    let none = try recorded.run("cat", "--type", "nothing")
    #expect(none.code == 1 && none.output.isEmpty && none.errors.contains("No record passes these filters"))
  }

  @Test("--last prints the last that fit")
  func last() throws {
    let recorded = try Recorded.once()
    let all = try recorded.run("cat").lines
    #expect(try recorded.run("cat", "--last", "3").lines == Array(all.suffix(3)))
    #expect(try recorded.run("cat", "--last", "99999").lines == all)
    let flow = try recorded.flow(of: "ann@acme.example")
    let stream = try recorded.run("cat", "--stream", flow).lines
    #expect(try recorded.run("cat", "--stream", flow, "--last", "2").lines == Array(stream.suffix(2)))
    let sent = all.filter { $0.contains(#""type":"request.sent""#) }
    #expect(try recorded.run("cat", "--type", "request.sent", "--last", "5").lines == Array(sent.suffix(5)))
    #expect(try recorded.run("cat", "--last", "0").code == 64)
    #expect(try recorded.run("cat", "--last", "1", "--from", "1").code == 64)
  }

  @Test("a store that is given twice is printed twice, side by side")
  func twoStores() throws {
    let recorded = try Recorded.once()
    let one = try recorded.run("cat").lines
    let both = try recorded.run("cat", "--store", recorded.store).lines
    #expect(both.sorted() == (one + one).sorted())
    var seen: Set<String> = []
    #expect(both.filter { seen.insert($0).inserted } == one, "each in its own order")
  }

  @Test("a closed pipe ends a command quietly", arguments: [["cat"], ["flows"], ["flows", "--json"], ["info"]])
  func closedPipe(arguments: [String]) throws {
    let recorded = try Recorded.once()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = arguments + ["--store", recorded.store]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try output.fileHandleForReading.close()
    try process.run()
    try output.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(errors.fileHandleForReading.availableData.isEmpty)
  }

  @Test("--follow prints what is appended and ends at --to")
  func follow() throws {
    let folder = try Folder()
    let log = try EventLog.open(at: folder("audit"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["cat", "--store", folder("audit"), "--follow", "--to", "2"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    for number in 1...2 {
      while text.split(separator: "\n").count < number {
        text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      }
      _ = try log.append([NewRecord(at: .now(), stream: "app/1", type: "note", data: Array("{}".utf8))])
      try log.flush()
    }
    process.waitUntilExit()
    text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(process.terminationStatus == 0)
    #expect(text.split(separator: "\n").count == 3)
    try log.close()
  }
}
