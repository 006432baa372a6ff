// Stores and recordings that someone made to make a reader work, wait or grow.

import Foundation
import Glibc
import Testing

@testable import EventStore

@Suite struct CraftedInputTests {
  /// What is wrong with a store.
  enum Craft: String, CaseIterable {
    case nestedFrames, longNote, largeFrame, hole, manySignatures, manyRetired, deepIdentity, deepHeader, footerOfMany

    /// Spoils a store of two records.
    func apply(to store: String) throws {
      let layout = StoreLayout(store)
      let path = layout.segment(0)
      func append(_ bytes: [UInt8]) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
      }
      func frame(_ kind: FrameKind, size: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt32(FrameFormat.skippableMagic)
        bytes.appendUInt32(size)
        return bytes + Array(kind.rawValue.utf8)
      }
      switch self {
      case .nestedFrames:
        let count = (1 << 20) / 20
        var bytes: [UInt8] = []
        for index in 0..<count { bytes += frame(.directory, size: UInt32((count - index) * 20 - 8)) }
        for index in (0..<count).reversed() {
          bytes.appendUInt32(UInt32((count - index) * 20 - 8))
          bytes.appendUInt32(7)
        }
        try append(bytes)
      case .longNote:
        try append(frame(.note, size: 64 << 20))
        #expect(truncate(path, 64 << 20) == 0)
      case .largeFrame: try append(try Self.largeFrame(from: 2))
      case .hole: #expect(truncate(path, 96 << 20) == 0)
      case .manySignatures:
        let line = "\u{2014} origin \(Data(repeating: 7, count: 68).base64EncodedString())\n"
        let root = Data(repeating: 1, count: 32).base64EncodedString()
        let note = "origin\n2\n\(root)\n\n" + String(repeating: line, count: 560)
        for name in ["latest"] + (1..<40).map(String.init) {
          try Data(note.utf8).write(to: URL(fileURLWithPath: layout.checkpoints + "/" + name))
        }
      case .manyRetired:
        func key(_ number: Int) throws -> String {
          let bytes = [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 7, count: 30)
          return try VerifierKey(name: "origin", publicKey: bytes).description
        }
        var identity = try StoreIdentity(of: layout, on: SystemDisk())
        identity.retiredKeys = try (0..<2_000).map { RetiredKey(key: try key($0), until: 1) }
        try identity.save(to: layout, on: SystemDisk())
        let line = "\u{2014} origin \(Data(repeating: 7, count: 68).base64EncodedString())\n"
        let root = Data(repeating: 1, count: 32).base64EncodedString()
        for number in 1...2_000 {
          let note = "origin\n2\n\(root)\nnext-key \(try key(2_000 + number))\n\n\(line)"
          try Data(note.utf8).write(to: URL(fileURLWithPath: layout.checkpoints + "/\(number)"))
        }
      case .deepIdentity:
        let text = String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)
        try Data("{\"format\":1,\"id\":\(text)}".utf8).write(to: URL(fileURLWithPath: layout.identity))
      case .deepHeader:
        let body = Array("{\"kind\":\"segment\",\"a\":\(String(repeating: "[", count: 60_000))".utf8)
        let bytes = FrameFormat.prologue + SkippableFrame(kind: .head, body: body).encoded
        try Data(bytes).write(to: URL(fileURLWithPath: path))
      case .footerOfMany:
        var body: [UInt8] = []
        body.appendUInt32(1)
        body.appendUInt32(0)
        for value in [0, 1 << 40, 1 << 50, 0] as [UInt64] { body.appendUInt64(value) }
        body.appendUInt32(0)
        for _ in 0..<6 { body.appendUInt32(.max) }
        body.appendUInt32(CRC32C.checksum(body))
        try append(SkippableFrame(kind: .footer, body: body + [UInt8](repeating: 0, count: 100_000)).encoded)
      }
    }

    /// A frame that decodes to 40 MiB of good records.
    static func largeFrame(from first: UInt64) throws -> [UInt8] {
      let compressor = try BlockCompressor()
      var bytes: [UInt8] = []
      try compressor.begin(into: &bytes)
      let text = Array(String(repeating: "x", count: 60_000).utf8)
      var position = first
      for _ in 0..<10 {
        var commit: [UInt8] = []
        for _ in 0..<68 {
          let head =
            #"{"n":\#(position),"at":"2026-11-21T08:35:00.123456Z","stream":"s","rev":\#(position - first + 1)"#
          commit += Array((head + #","type":"t","v":1,"data":{"text":""#).utf8) + text + Array("\"}}\n".utf8)
          position += 1
        }
        try compressor.add(commit.span, into: &bytes)
      }
      return bytes + FrameFormat.endMark
    }
  }

  @Test("a crafted store costs every command little time and memory", arguments: Craft.allCases)
  func stores(craft: Craft) throws {
    let folder = try Folder()
    let line = #"{"stream":"s","type":"t","data":{}}"#
    #expect(try Program.run(["append", "--store", folder("audit")], input: line, in: folder).code == 0)
    try craft.apply(to: folder("audit"))
    let commands = [
      ["verify"], ["info"], ["cat"], ["cat", "--stream", "s"], ["flows"], ["prove", "inclusion", "1"],
      ["backup", "-o", folder("copy")], ["append"],
    ]
    for command in commands {
      let run = try MeasuredRun(command + ["--store", folder("audit")], in: folder)
      #expect(run.code < 128, "\(command): \(run)")
      // A build without optimization takes some 40 MB and less than 8 s for any of them.
      #expect(run.memory < 256 << 20 && run.seconds < 60, "\(command): \(run)")
    }
  }

  @Test("a crafted recording costs little time and memory")
  func recordings() throws {
    let folder = try Folder()
    let header = Array(
      #"{"format":1,"kind":"slice","origin":"o","records":680,"store":"0123456789abcdef0123456789abcdef"}"#.utf8)
    let head = FrameFormat.prologue + SkippableFrame(kind: .head, body: header).encoded
    let deep = Array(#"{"format":1,"kind":\#(String(repeating: "[", count: 60_000))"#.utf8)
    let crafts: [(String, [UInt8])] = [
      ("large", head + (try Craft.largeFrame(from: 2))),
      ("cut", head + (try Craft.largeFrame(from: 2)).prefix(10_000)),
      ("deep", FrameFormat.prologue + SkippableFrame(kind: .head, body: deep).encoded),
      ("none", Array(repeating: 0x50, count: 1 << 20)),
    ]
    for (name, bytes) in crafts {
      try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
      for command in [["replay", folder(name)], ["explain", folder(name)]] {
        let run = try MeasuredRun(command, in: folder)
        #expect(run.code != 0 && run.code < 128, "\(command): \(run)")
        #expect(run.memory < 256 << 20 && run.seconds < 60, "\(command): \(run)")
      }
    }
  }
}
