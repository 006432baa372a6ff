import Foundation
import Testing

@testable import AuditReports
@testable import EventStore

@Suite struct ZipArchiveTests {
  private static let archive = ZipArchive([.init(name: "a.txt", bytes: [1, 2, 3]), .init(name: "b", bytes: [])])

  @Test("what is written is read again, and checksums are CRC-32")
  func whole() throws {
    let bytes = try Self.archive.encoded()
    #expect(try ZipArchive(bytes) == Self.archive)
    #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test("every cut and every changed byte is an error, but for the mode of a file and the program that wrote it")
  func cuts() throws {
    let bytes = try Self.archive.encoded()
    let entries = bytes.indices.dropLast(3).filter { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] }
    let free = Set(entries.flatMap { [$0 + 4, $0 + 5] + Array($0 + 38..<$0 + 42) })
    #expect(free.count == 12)
    for end in 0..<bytes.count {
      #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(Array(bytes[..<end])) }
      var changed = bytes
      changed[end] ^= 0x5A
      if free.contains(end) {
        #expect(try ZipArchive(changed) == Self.archive)
      } else {
        // A name may change into another good one only if both places that state it do.
        #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(changed) }
      }
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(bytes + [0]) }
  }

  @Test("a bundle that another program put together again is read, if its members are stored")
  func elsewhere() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zip-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func python(_ method: String) throws -> [UInt8] {
      let program = """
        import zipfile
        with zipfile.ZipFile(r'\(folder)/x.zip', 'w', zipfile.\(method)) as z:
            z.writestr('a.txt', bytes([1, 2, 3]))
            z.writestr('b', b'')
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", "-c", program]
      try process.run()
      process.waitUntilExit()
      return try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/x.zip")))
    }
    #expect(try ZipArchive(python("ZIP_STORED")) == Self.archive)
    let compressed = try python("ZIP_DEFLATED")
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(compressed) }
  }

  @Test(
    "names that lead elsewhere, and others that no bundle has, are errors",
    arguments: ["../x", "/etc/passwd", "a/b", ".x", "", "x\u{0}", "é", "a\\b", String(repeating: "x", count: 65)])
  func names(name: String) throws {
    #expect(throws: StoreError(.invalid, "")) {
      _ = try ZipArchive([.init(name: name, bytes: [])]).encoded()
    }
    // A file that has it all the same, put in the place of a name of that length.
    let plain = String(repeating: "q", count: name.utf8.count)
    guard (1...64).contains(plain.utf8.count) else { return }
    let bytes = try ZipArchive([.init(name: plain, bytes: [7])]).encoded()
    var text = bytes
    for place in bytes.indices.dropLast(plain.utf8.count - 1)
    where bytes[place..<place + plain.utf8.count].elementsEqual(plain.utf8) {
      text.replaceSubrange(place..<place + plain.utf8.count, with: name.utf8)
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(text) }
  }

  @Test("a member twice, compressed data and sizes that are not there are errors")
  func crafted() throws {
    var twice = try ZipArchive([.init(name: "aa", bytes: [1]), .init(name: "ab", bytes: [1])]).encoded()
    for place in twice.indices.dropLast() where twice[place] == 0x61 && twice[place + 1] == 0x62 {
      twice[place + 1] = 0x61
    }
    #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(twice) }
    let bytes = try Self.archive.encoded()
    for (offset, value) in [(8, UInt8(8)), (22, 0xFF), (25, 0xFF), (27, 0xFF)] {
      var crafted = bytes
      crafted[offset] = value
      #expect(throws: StoreError(.malformed, "")) { _ = try ZipArchive(crafted) }
    }
  }
}
