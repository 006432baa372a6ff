import Foundation
import Testing

@testable import AuditReports
@testable import EventStore

/// A change to a bundle, and what both checkers must say of it.
struct EvidenceChange: Sendable, CustomTestStringConvertible {
  var name: String
  var code: Int32
  var change: @Sendable (inout ZipArchive, EvidenceStore) throws -> Void
  var testDescription: String { name }

  /// Replaces text in a file; the manifest then lists the new one if it is renewed.
  static func edit(
    _ name: String, _ code: Int32, _ file: String, renewed: Bool = true, _ edit: @escaping @Sendable (String) -> String
  ) -> EvidenceChange {
    EvidenceChange(name: name, code: code) { archive, _ in
      let text = String(decoding: try #require(archive[file]), as: UTF8.self)
      let edited = edit(text)
      #expect(edited != text)
      archive[file] = Array(edited.utf8)
      if renewed { try renew(&archive) }
    }
  }

  /// Makes the manifest fit the other files.
  static func renew(_ archive: inout ZipArchive) throws {
    let about = try JSON(parsing: try #require(archive[EvidenceFile.manifest]))
    let members = (about.object?.members ?? []).filter { $0.key != "files" }.map { ($0.key, Optional($0.value)) }
    archive[EvidenceFile.manifest] = EvidenceBundle.manifest(of: archive, members)
  }

  private static func withoutLine(_ index: Int) -> @Sendable (String) -> String {
    { text in
      var lines = text.components(separatedBy: "\n")
      lines.remove(at: index)
      return lines.joined(separator: "\n")
    }
  }

  private static func replacing(_ old: String, _ new: String) -> @Sendable (String) -> String {
    { text in
      guard let place = text.range(of: old) else { return text }
      return text.replacingCharacters(in: place, with: new)
    }
  }

  /// Another character in the place of the first base64 one behind a mark.
  private static func spoiled(after mark: String) -> @Sendable (String) -> String {
    { text in
      guard let place = text.range(of: mark) else { return text }
      return text.replacingCharacters(
        in: place.upperBound..<text.index(after: place.upperBound), with: text[place.upperBound] == "A" ? "B" : "A")
    }
  }

  static let all: [EvidenceChange] = [
    .edit("a record's text", 20, EvidenceFile.records, renewed: false, replacing("step 4", "step 5")),
    .edit("a record's text, listed", 20, EvidenceFile.records, replacing("step 4", "step 5")),
    .edit("the line end of the last record", 20, EvidenceFile.records) { String($0.dropLast()) },
    .edit("an empty line among the records", 20, EvidenceFile.records) { $0 + "\n" },
    EvidenceChange(name: "a record left out", code: 20) { archive, _ in try leaveOut(2, of: &archive) },
    EvidenceChange(name: "the first record left out", code: 20) { archive, _ in try leaveOut(0, of: &archive) },
    .edit("two records swapped", 20, EvidenceFile.records) { text in
      var lines = text.components(separatedBy: "\n")
      lines.swapAt(1, 2)
      return lines.joined(separator: "\n")
    },
    .edit("a hash of a proof", 20, EvidenceFile.proofs, spoiled(after: "\"hashes\":[\"")),
    .edit("a position", 20, EvidenceFile.proofs, replacing("\"position\":3", "\"position\":4")),
    .edit("a proof left out", 20, EvidenceFile.proofs, withoutLine(2)),
    .edit("a leaf hash", 20, EvidenceFile.proofs, spoiled(after: "\"leafHash\":\"")),
    .edit("a position twice", 20, EvidenceFile.proofs, replacing("\"position\":3", "\"position\":7,\"position\":3")),
    .edit("more than the proofs", 20, EvidenceFile.proofs, replacing("{\"schema\":1", "{\"schema\":1,\"by\":\"all\"")),
    .edit("the root of the checkpoint", 23, EvidenceFile.checkpoint) { text in
      var lines = text.components(separatedBy: "\n")
      lines[2] = TreeHash(sha256Of: []).description
      return lines.joined(separator: "\n")
    },
    .edit("the size of the checkpoint", 23, EvidenceFile.checkpoint, replacing("\n13\n", "\n14\n")),
    EvidenceChange(name: "a signature of another key", code: 23) { archive, store in
      let stranger = try SigningKey(name: store.early.origin)
      let note = try SignedNote(
        origin: store.early.origin, size: store.early.size, root: store.early.root, signedBy: stranger)
      archive[EvidenceFile.checkpoint] = Array(note.text.utf8)
      try renew(&archive)
    },
    EvidenceChange(name: "another key", code: 23) { archive, store in
      archive[EvidenceFile.keys] = Array("\(try SigningKey(name: store.early.origin))\n".utf8)
      try renew(&archive)
    },
    .edit("no key", 23, EvidenceFile.keys) { _ in "" },
    .edit("a key without its line end", 65, EvidenceFile.keys) { String($0.dropLast()) },
    .edit("a space before a key", 65, EvidenceFile.keys) { " " + $0 },
    .edit("line ends of two bytes behind keys", 65, EvidenceFile.keys) {
      $0.replacingOccurrences(of: "\n", with: "\r\n")
    },
    .edit("a short signature of an unknown name", 65, EvidenceFile.checkpoint) { $0 + "\u{2014} nobody AAAA\n" },
    .edit("a signature of an unknown name", 0, EvidenceFile.checkpoint) { $0 + "\u{2014} nobody AAAAAAA=\n" },
    EvidenceChange(name: "a later checkpoint by a stranger whose key is listed", code: 10) { archive, store in
      let latest = try SignedNote(text: String(decoding: try #require(archive[EvidenceFile.latest]), as: UTF8.self))
      let stranger = try SigningKey(name: latest.origin)
      let note = try SignedNote(origin: latest.origin, size: latest.size, root: latest.root, signedBy: stranger)
      archive[EvidenceFile.latest] = Array(note.text.utf8)
      archive[EvidenceFile.keys] = try #require(archive[EvidenceFile.keys]) + Array("\(stranger.verifier)\n".utf8)
      try renew(&archive)
    },
    EvidenceChange(name: "a later checkpoint of another log", code: 22) { archive, store in
      let note = try SignedNote(
        origin: store.early.origin, size: 14, root: TreeHash(sha256Of: [1]), signedBy: store.key)
      archive[EvidenceFile.latest] = Array(note.text.utf8)
      try renew(&archive)
    },
    .edit("a hash of the consistency proof", 22, EvidenceFile.consistency, spoiled(after: "\"hashes\":[\"")),
    .edit("the consistency proof emptied", 22, EvidenceFile.consistency) { _ in "{\"hashes\":[]}" },
    .edit(
      "more than the consistency proof", 20, EvidenceFile.consistency,
      replacing("{\"schema\":1", "{\"schema\":1,\"by\":\"all\"")),
    .edit("the time line", 20, EvidenceFile.timeLine, renewed: false, replacing("step 4", "nothing")),
    .edit("the flows that are named", 20, EvidenceFile.manifest, renewed: false, replacing("T3V4\"]", "T3V9\"]")),
    .edit(
      "a checkpoint of another log", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"origin\":\"f", "\"origin\":\"g")),
    .edit(
      "how many records there are", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"records\":6", "\"records\":7")),
    .edit(
      "the checkpoint that is named", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"checkpoint\":{\"size\":", "\"checkpoint\":{\"size\":1")),
    .edit(
      "the later checkpoint that is named", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"latest\":{\"size\":", "\"latest\":{\"size\":1")),
    .edit(
      "how many records there are, as another number", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"records\":6", "\"records\":6.0")),
    .edit(
      "the checkpoint's size, as another number", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"checkpoint\":{\"size\":13", "\"checkpoint\":{\"size\":13.0")),
    .edit(
      "more of a file", 20, EvidenceFile.manifest, renewed: false,
      replacing("{\"name\":\"check.py\"", "{\"by\":\"all\",\"name\":\"check.py\"")),
    .edit("the schema", 20, EvidenceFile.manifest, renewed: false, replacing("{\"schema\":1", "{\"schema\":7")),
    .edit("the form", 20, EvidenceFile.manifest, renewed: false, replacing("flowrecorder-evidence-1", "evidence")),
    .edit(
      "a malformed selection", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"selection\":{}", "\"selection\":{\"proves\":\"all\"}")),
    .edit("white space", 20, EvidenceFile.manifest, renewed: false, replacing("{\"schema\":", "{\"schema\": ")),
    .edit("a flow with an escape", 20, EvidenceFile.manifest, renewed: false, replacing("[\"authn/", "[\"authn\\/")),
    .edit("a number among the flows", 20, EvidenceFile.manifest, renewed: false, replacing("T3V4\"]", "T3V4\",7]")),
    .edit(
      "a member that is no bundle's", 20, EvidenceFile.manifest, renewed: false,
      replacing("{\"schema\":1", "{\"schema\":1,\"statement\":\"signed by all\"")),
    .edit(
      "flows that are named twice", 20, EvidenceFile.manifest, renewed: false,
      replacing("\"flows\":[", "\"flows\":[\"authn/forged\"],\"flows\":[")),
    .edit("members in another order", 20, EvidenceFile.manifest, renewed: false) { text in
      text.replacingOccurrences(of: "{\"schema\":1,", with: "{").dropLast(2) + ",\"schema\":1}\n"
    },
    .edit("a manifest that is no JSON", 65, EvidenceFile.manifest, renewed: false) { String($0.dropLast(2)) },
    .edit("a malformed checkpoint", 65, EvidenceFile.checkpoint) { _ in "nothing\n" },
    .edit("more keys than sign", 65, EvidenceFile.keys) { String(repeating: $0, count: 17) },
    .edit("keys several times", 0, EvidenceFile.keys) { String(repeating: $0, count: 16) },
    .edit("a malformed key", 65, EvidenceFile.keys) { _ in "a+00000000+AQ==\n" },
    EvidenceChange(name: "a file left out", code: 65) { archive, _ in archive[EvidenceFile.howTo] = nil },
    EvidenceChange(name: "a file more", code: 65) { archive, _ in archive["more.txt"] = [1] },
    EvidenceChange(name: "half of the later checkpoint", code: 65) { archive, _ in
      archive[EvidenceFile.consistency] = nil
    },
  ]

  private static func leaveOut(_ index: Int, of archive: inout ZipArchive) throws {
    for (file, line) in [(EvidenceFile.records, index), (EvidenceFile.proofs, index + 1)] {
      let text = String(decoding: try #require(archive[file]), as: UTF8.self)
      archive[file] = Array(withoutLine(line)(text).utf8)
    }
    try renew(&archive)
  }
}
