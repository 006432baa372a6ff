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

  @Test("a store that is given twice is printed once")
  func twice() throws {
    let recorded = try Recorded.once()
    let one = try recorded.run("cat")
    let both = try recorded.run("cat", "--store", recorded.store + "/.")
    #expect(both.code == 0 && both.output == one.output)
  }

  @Test("a recording beside a store: both by time, each in its own order")
  func recordingAndStore() throws {
    let folder = try Folder()
    let lines = ["2001-01-01T00:00:00Z", "2098-01-01T00:00:00Z", "2097-01-01T00:00:00Z"].map {
      #"{"stream":"a","type":"t","at":"\#($0)","data":{}}"#
    }
    let input = lines.joined(separator: "\n")
    #expect(try Program.run(["append", "--store", "audit"], input: input, in: folder).code == 0)
    let golden = GoldenPath.file("push-approved")
    let recording = try Program.run(["cat", "--store", golden], in: folder).lines
    let stored = try Program.run(["cat", "--store", "audit", "--stream", "a"], in: folder).lines
    let bounds = ["--from", "1", "--type"]
    for places in [[golden, "audit"], ["audit", golden]] {
      let stores = places.flatMap { ["--store", $0] }
      let both = try Program.run(["cat"] + stores, in: folder)
      #expect(both.code == 0, "\(both.errors)")
      let own = both.lines.filter { $0.contains(#""stream":"a""#) }
      #expect(own == stored && both.lines.filter { recording.contains($0) } == recording)
      #expect(Array(both.lines.suffix(2)) == Array(stored.suffix(2)))
      #expect(try Program.run(["cat", "--last", "2"] + stores, in: folder).lines == Array(stored.suffix(2)))
      let types = try Program.run(["cat"] + bounds + ["t"] + stores, in: folder)
      #expect(types.code == 0 && types.lines == stored, "\(types)")
    }
    let waits = try Program.run(["cat", "--store", golden, "--follow"], in: folder)
    #expect(waits.code == 64 && waits.errors.contains("--follow waits for what is appended"), "\(waits)")
  }

  @Test("a position behind the end of a recording is not there: 66, as in a store; filters that nothing passes: 1")
  func behindRecording() throws {
    let folder = try Folder()
    let golden = GoldenPath.file("push-approved")
    let line = try Program.run(["cat", "--store", golden, "--last", "1"], in: folder).output
    let last = try #require(try JSON(parsing: Array(line.utf8))["n"]?.int)
    #expect(try Program.run(["cat", "--store", golden, "--from", "\(last)"], in: folder).output == line)
    let behind = try Program.run(["cat", "--store", golden, "--from", "\(last + 1)"], in: folder)
    #expect(behind.code == 66 && behind.errors.contains("there is no position \(last + 1)"), "\(behind)")
    let none = try Program.run(["cat", "--store", golden, "--from", "1", "--type", "nothing"], in: folder)
    #expect(none.code == 1 && none.errors.contains("No record passes these filters"), "\(none)")
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
