import EventStore
import Foundation
import Testing

@Suite struct SealTests {
  /// A store of some 400 records in small segments, signed, and what `cat` prints of it.
  private func store(in folder: Folder) throws -> (path: String, key: String, lines: [String]) {
    let path = folder("audit")
    try append(400, to: path)
    let key = folder("audit.key")
    #expect(try Program.run(["checkpoint", "--store", path, "--signing-key", key], in: folder).code == 0)
    return (path, key, try Program.run(["cat", "--store", path], in: folder).lines)
  }

  /// Appends records of three streams, in small segments.
  private func append(_ count: Int, to path: String) throws {
    let log = try EventLog.open(at: path, options: EventLog.Options(segmentBytes: 4 << 10, frameBytes: 1 << 10))
    for number in Int(log.size)..<Int(log.size) + count {
      let text = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      let at = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number) * 60_000_000)
      let data = Array("{\"text\":\"\(text)\(text)\"}".utf8)
      _ = try log.append([NewRecord(at: at, stream: "app/\(number % 3)", type: "note", data: data)])
      try log.flush()
    }
    try log.close()
  }

  private func json(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }

  @Test("seal changes the size alone, and says how much")
  func seal() throws {
    let folder = try Folder()
    let (path, _, lines) = try store(in: folder)
    let run = try Program.run(["seal", "--store", path, "--json"], in: folder)
    #expect(run.code == 0 && run.errors.isEmpty)
    let report = try json(run)
    #expect(report.keys == ["schema", "sealed", "left", "bytesBefore", "bytesAfter"])
    #expect((report["sealed"]?.int ?? 0) > 2 && report["left"]?.int == 0)
    #expect(try Program.run(["cat", "--store", path], in: folder).lines == lines)
    let info = try json(try Program.run(["info", "--store", path, "--json"], in: folder))
    #expect(info["sealedSegments"] == report["sealed"])
    let again = try Program.run(["seal", "--store", path], in: folder)
    #expect(again.code == 0 && again.output.contains("nothing to seal"))
    #expect(try Program.run(["seal", "--store", folder("nowhere")], in: folder).code == 66)
  }

  @Test("seal ends with the error of a damaged segment, and seals the others")
  func damaged() throws {
    let folder = try Folder()
    let (path, _, _) = try store(in: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/segments").sorted()
    let segment = path + "/segments/" + (try #require(names.dropFirst().first))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: URL(fileURLWithPath: segment))
    let run = try Program.run(["seal", "--store", path, "--json"], in: folder)
    #expect(run.code == 65 && run.errors.contains(segment), "\(run)")
    #expect((try json(run)["sealed"]?.int ?? 0) > 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: segment)) == bytes)
  }

  @Test("prune signs with the store's key from its usual place, and makes none")
  func pruneWithDefaultKey() throws {
    let folder = try Folder()
    let (path, key, _) = try store(in: folder)
    let without = try Program.run(["prune", "--before", "300", "--store", path], in: folder)
    #expect(without.code == 77, "\(without)")
    let identity = try JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path + "/store.json"))))
    let origin = try #require(identity["origin"]?.string)
    let usual = folder(".local/state/flowrecorder")
    try FileManager.default.createDirectory(
      atPath: usual, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for (from, to) in [(key, "\(origin).key"), (key + ".state", "\(origin).key.state")] {
      try? FileManager.default.copyItem(atPath: from, toPath: "\(usual)/\(to)")
    }
    let run = try Program.run(["prune", "--before", "300", "--store", path], in: folder)
    #expect(run.code == 0 && run.output.contains("pruned"), "\(run)")
    #expect(try Program.run(["verify", "--store", path], in: folder).code == 10)
  }

  @Test("prune drops whole segments, says so, and every command says what is gone")
  func prune() throws {
    let folder = try Folder()
    let (path, key, lines) = try store(in: folder)
    let dry = try Program.run(["prune", "--before", "300", "--store", path, "--dry-run", "--json"], in: folder)
    #expect(dry.code == 0)
    #expect(try Program.run(["cat", "--store", path], in: folder).lines == lines)
    let run = try Program.run(
      ["prune", "--before", "300", "--store", path, "--signing-key", key, "--json"], in: folder)
    #expect(run.code == 0, "\(run)")
    let report = try json(run)
    #expect(
      report.keys == ["schema", "firstKept", "records", "segments", "bytesFreed", "quarantined", "dryRun", "position"])
    let kept = try #require(report["firstKept"]?.int)
    #expect(kept > 100 && kept <= 300 && report["records"]?.int == kept)
    #expect(try json(dry)["firstKept"] == report["firstKept"])
    #expect(try json(dry)["bytesFreed"] == .null && report["bytesFreed"]?.int != nil)

    let rest = try Program.run(["cat", "--store", path], in: folder)
    #expect(rest.lines.dropLast() == lines[kept...])
    #expect(rest.errors.contains("0 to \(kept - 1)"))
    let gone = try Program.run(["cat", "--store", path, "--from", "5"], in: folder)
    #expect(gone.code == 66 && gone.output.isEmpty && gone.errors.contains("\(kept)"))
    #expect(try Program.run(["show", "app/1", "--store", path], in: folder).code == 66)
    #expect(try Program.run(["prove", "inclusion", "5", "--store", path], in: folder).code == 0)
    let flows = try Program.run(["flows", "--store", path], in: folder)
    #expect(flows.code == 0 && flows.errors.contains("3 flows left out"))
    #expect(flows.errors.contains("\(kept) records were pruned"), "\(flows)")
    let info = try Program.run(["info", "--store", path], in: folder)
    #expect(info.lines.contains("flows       0; 3 more were pruned, in part or whole"), "\(info)")
    let counts = try json(try Program.run(["info", "--store", path, "--json"], in: folder))
    #expect(counts["flows"] == 0 && counts["applicationStreams"] == 0 && counts["prunedStreams"] == 3)
    let note = "\(kept) records of \(path) were pruned; what stood there alone is not counted."
    let left = "3 flows without their beginning are not counted."
    for name in ["summary", "sign-ins", "days"] {
      let report = try json(try Program.run(["report", name, "--store", path, "--json"], in: folder))
      #expect(report["notes"]?.array?.contains(.string(note)) == true, "\(name): \(report.text)")
      #expect(report["notes"]?.array?.contains(.string(left)) == true, "\(name): \(report.text)")
      let text = try Program.run(["report", name, "--store", path], in: folder).output
      #expect(text.replacing("\n", with: " ").contains("records of \(path) were pruned"), "\(text)")
      let csv = try Program.run(["report", name, "--store", path, "--format", "csv"], in: folder)
      #expect(csv.errors.contains(note) && !csv.output.contains("were pruned"), "\(csv)")
    }
    #expect(try Program.run(["index", "--store", path, "--index", folder("i.sqlite")], in: folder).code == 0)
    let plain = try Program.run(["report", "days", "--store", path, "--json"], in: folder)
    let indexed = try Program.run(
      ["report", "days", "--store", path, "--json", "--index", folder("i.sqlite")], in: folder)
    #expect(indexed.output == plain.output)
    let page = folder("page.html")
    #expect(try Program.run(["report", "--html", "--store", path, "-o", page], in: folder).code == 0)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.components(separatedBy: "records of \(path) were pruned; what stood there").count > 20)
    let verify = try Program.run(
      ["verify", "--store", path, "--public-key", folder("audit.pub")], in: folder)
    #expect(verify.code == 30, "\(verify)")
  }

  @Test("a recording beside its store is refused while the store has the flow, and is read after that was pruned")
  func recordingOfPruned() throws {
    let folder = try Folder()
    let path = folder("audit")
    let stream = "authn/01KF0E44M0WHCK43EQTZT3RSGW"
    let log = try EventLog.open(at: path, options: EventLog.Options(segmentBytes: 4 << 10, frameBytes: 1 << 10))
    let at = Timestamp(microseconds: 1_699_999_000_000_000)
    let data = Array(#"{"kind":"authn"}"#.utf8)
    _ = try log.append([NewRecord(at: at, stream: stream, type: "flow.started", data: data)])
    try log.flush()
    try log.close()
    try append(400, to: path)
    let reader = try LogReader(directory: path)
    let file = folder("flow.ndjson.lz4")
    try SliceFile.write(records: reader.records(of: stream), source: reader.identity, to: file)
    let key = folder("audit.key")
    #expect(try Program.run(["checkpoint", "--store", path, "--signing-key", key], in: folder).code == 0)
    let command = ["flows", "--store", path, "--store", file]
    let before = try Program.run(command, in: folder)
    #expect(before.code == 64 && before.errors.contains("copies of one log"), "\(before)")
    let prune = try Program.run(["prune", "--before", "300", "--store", path, "--signing-key", key], in: folder)
    #expect(prune.code == 0, "\(prune)")
    let after = try Program.run(command, in: folder)
    #expect(after.code == 0 && !after.errors.contains("copies of one log"), "\(after)")
  }

  @Test("proofs, backup, restore, verify and tiles work on a store with pruned, sealed and open segments")
  func everyForm() throws {
    let folder = try Folder()
    let (path, key, _) = try store(in: folder)
    func leaf(_ position: Int) throws -> String? {
      try json(try Program.run(["prove", "inclusion", "\(position)", "--store", path], in: folder))["leafHash"]?.string
    }
    let leaves = try [0: leaf(0), 350: leaf(350)]
    #expect(try Program.run(["seal", "--store", path], in: folder).code == 0)
    let prune = try Program.run(
      ["prune", "--before", "200", "--store", path, "--signing-key", key, "--json"], in: folder)
    let kept = try #require(try json(prune)["firstKept"]?.int)
    try append(300, to: path)
    let note = folder("noted.txt")
    let signed = try Program.run(["checkpoint", "--store", path, "--signing-key", key], in: folder)
    try signed.output.write(toFile: note, atomically: false, encoding: .utf8)
    let signedNote = try SignedNote(text: signed.output)
    let size = Int(signedNote.size)

    #expect(
      try Program.run(["backup", "--store", path, "-o", folder("backup")], in: folder).code == 0)
    #expect(
      try Program.run(["restore", folder("backup"), "--store", folder("new")], in: folder).code == 0)
    for copy in [path, folder("backup"), folder("new")] {
      let verify = try Program.run(
        ["verify", "--store", copy, "--public-key", folder("audit.pub"), "--checkpoint", note, "--json"], in: folder)
      #expect(verify.code == 30, "\(verify)")
      let document = try json(verify)
      #expect(document["verdict"]?.string == "pruned" && document["anchored"]?.int == size)
      for position in [0, kept - 1, kept, 350, size - 1] {
        let run = try Program.run(
          ["prove", "inclusion", "\(position)", "--size", "\(size)", "--store", copy], in: folder)
        #expect(run.code == 0, "\(run)")
        let proof = try json(run)
        #expect(proof["root"]?.string == signedNote.root.description)
        if let before = leaves[position] { #expect(proof["leafHash"]?.string == before) }
      }
      for first in [1, kept, 333, size] {
        let run = try Program.run(["prove", "consistency", "\(first)", "\(size)", "--store", copy], in: folder)
        let proof = try json(run)
        #expect(run.code == 0 && proof["first"]?.int == first, "\(run)")
      }
    }

    let tiles = try Program.run(["export", "--store", path, "--tiles", folder("tiles")], in: folder)
    #expect(tiles.code == 0 && tiles.output.contains("from 256 on"), "\(tiles)")
    #expect(try String(contentsOfFile: folder("tiles/checkpoint"), encoding: .utf8) == signed.output)
    let bundles = try FileManager.default.contentsOfDirectory(atPath: folder("tiles/tile/entries")).sorted()
    #expect(bundles == ["001", "002.p"])
    // The last bundle would have entries that were pruned.
    let late = try Program.run(
      ["prune", "--before", "\(size)", "--store", path, "--signing-key", key], in: folder)
    #expect(late.code == 0, "\(late)")
    let refused = try Program.run(["export", "--store", path, "--tiles", folder("none")], in: folder)
    #expect(refused.code == 66 && refused.errors.contains("768"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: folder("none")))
  }

  @Test("what no checkpoint covers is not pruned: 77; nonsense is 64")
  func refused() throws {
    let folder = try Folder()
    let path = folder("audit")
    let log = try EventLog.open(at: path, options: EventLog.Options(segmentBytes: 2 << 10, frameBytes: 1 << 10))
    for number in 0..<200 {
      let data = Array("{\"number\":\(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15)}".utf8)
      _ = try log.append([NewRecord(at: .now(), stream: "app/1", type: "note", data: data)])
      try log.flush()
    }
    try log.close()
    #expect(try Program.run(["prune", "--before", "150", "--store", path], in: folder).code == 77)
    #expect(try Program.run(["prune", "--before", "soon", "--store", path], in: folder).code == 64)
    #expect(try Program.run(["prune", "--store", path], in: folder).code == 64)
    let none = try Program.run(["prune", "--before", "-1d", "--store", path], in: folder)
    #expect(none.code == 0 && none.output.contains("nothing to prune"))
  }
}
