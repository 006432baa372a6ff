import EventStore
import Foundation
import Testing

@Suite struct ProveTests {
  private func hash(_ json: JSON?) -> TreeHash? { json?.string.flatMap { TreeHash(base64: $0) } }

  @Test("an inclusion proof has the members of the contract and holds")
  func inclusion() throws {
    let recorded = try Recorded.once()
    let count = UInt64(try recorded.run("cat").lines.count)
    for size in [nil, 6] as [UInt64?] {
      let run = try Program.run(
        ["prove", "inclusion", "5", "--store", recorded.store] + (size.map { ["--size", String($0)] } ?? []),
        in: recorded.folder)
      #expect(run.code == 0 && run.lines.count == 1)
      let json = try JSON(parsing: Array(run.output.utf8))
      #expect(json.keys == ["schema", "leafIndex", "treeSize", "leafHash", "root", "hashes"])
      #expect(json["leafIndex"] == .number("5") && json["treeSize"] == .number(String(size ?? count)))
      let proof = InclusionProof(
        leafIndex: 5, treeSize: size ?? count, leafHash: try #require(hash(json["leafHash"])),
        root: try #require(hash(json["root"])), hashes: (json["hashes"]?.array ?? []).compactMap { hash($0) })
      #expect(proof.isValid && !proof.hashes.isEmpty)
      if size == nil {
        #expect(json["root"] == (try JSON(parsing: Array(try recorded.run("verify", "--json").output.utf8)))["root"])
      }
    }
  }

  @Test("a consistency proof has the members of the contract and holds")
  func consistency() throws {
    let recorded = try Recorded.once()
    let run = try recorded.run("prove", "consistency", "5", "12")
    #expect(run.code == 0)
    let json = try JSON(parsing: Array(run.output.utf8))
    #expect(json.keys == ["schema", "first", "second", "firstRoot", "secondRoot", "hashes"])
    let proof = ConsistencyProof(
      first: 5, second: 12, firstRoot: try #require(hash(json["firstRoot"])),
      secondRoot: try #require(hash(json["secondRoot"])),
      hashes: (json["hashes"]?.array ?? []).compactMap { hash($0) })
    #expect(proof.isValid && !proof.hashes.isEmpty)
    #expect(
      try JSON(parsing: Array(try recorded.run("prove", "consistency", "5", "5").output.utf8))["hashes"] == .array([]))
  }

  @Test(
    "what does not exist is 66, nonsense is 64",
    arguments: [
      (["inclusion", "999999"], 66), (["inclusion", "3", "--size", "999999"], 66),
      (["inclusion", "3", "--size", "2"], 66), (["consistency", "1", "999999"], 66),
      (["consistency", "7", "3"], 64), (["inclusion", "x"], 64), (["inclusion", "-1"], 64), (["inclusion"], 64),
      (["consistency", "3"], 64), (["consistency", "1", "2.5"], 64), (["inclusion", "99999999999999999999"], 64),
      (["nothing", "1"], 64),
    ] as [([String], Int32)])
  func refused(arguments: [String], code: Int32) throws {
    let recorded = try Recorded.once()
    let run = try Program.run(["prove"] + arguments + ["--store", recorded.store], in: recorded.folder)
    #expect(run.code == code && run.output.isEmpty && run.errors.split(separator: "\n").count == 1, "\(run)")
  }

  @Test("a position below 0 is said to be one", arguments: [["inclusion", "-3"], ["consistency", "-1", "4"]])
  func negative(arguments: [String]) throws {
    let recorded = try Recorded.once()
    let run = try Program.run(["prove"] + arguments + ["--store", recorded.store], in: recorded.folder)
    #expect(run.code == 64 && run.errors.contains("'\(arguments[1])' is no position"), "\(run)")
  }

  @Test("a store that is not there is 66")
  func noStore() throws {
    let folder = try Folder()
    #expect(try Program.run(["prove", "inclusion", "0", "--store", folder("none")], in: folder).code == 66)
  }
}
