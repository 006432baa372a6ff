// ZIP files whose members are stored, not compressed (PKWARE APPNOTE 6.3.10 §4.3): equal content gives equal bytes, and no
// member can decode to more than it has. Nothing else is written, and nothing else is read.

import EventStore

/// The members of a stored ZIP file, in order.
struct ZipArchive: Equatable {
  /// One member.
  struct Member: Equatable {
    /// Its name: letters, digits, `.`, `-` and `_`.
    var name: String
    /// Its content.
    var bytes: [UInt8]
  }

  /// The members, in the order in which they stand in the file.
  var members: [Member]

  /// The most members and bytes that a file may have.
  static let limits = (members: 64, bytes: 1 << 30)

  /// An archive of these members.
  init(_ members: [Member]) { self.members = members }

  /// The content of a member, or nil if there is none of that name.
  subscript(name: String) -> [UInt8]? {
    get { members.first { $0.name == name }?.bytes }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(Member(name: name, bytes: newValue)) }
    }
  }

  // MARK: Writing

  /// The file. All times are 1980-01-01, all files are 0644, so that equal members give equal bytes.
  ///
  /// - Throws: `tooLarge` if the limits are passed, `invalid` if a name cannot be a member's.
  func encoded() throws(StoreError) -> [UInt8] {
    guard members.count <= Self.limits.members, members.reduce(0, { $0 + $1.bytes.count }) <= Self.limits.bytes else {
      throw StoreError(
        .tooLarge, "the bundle would have more than \(Self.limits.bytes) bytes",
        advice: "choose fewer flows, with --since and --until")
    }
    guard members.allSatisfy({ Self.isName($0.name) }), Set(members.map(\.name)).count == members.count else {
      throw StoreError(.invalid, "a member of the bundle has a name that is none, or one twice")
    }
    var out: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let checksum = CRC32.of(member.bytes)
      directory += Self.entry(member, checksum, at: out.count)
      out += Self.header(member, checksum) + member.bytes
    }
    let start = out.count
    out += directory
    out += Self.little(0x0605_4B50, 4) + Self.little(0, 4)
    out += Self.little(members.count, 2) + Self.little(members.count, 2)
    out += Self.little(directory.count, 4) + Self.little(start, 4) + Self.little(0, 2)
    return out
  }

  /// From the version that is needed to the length of the extra field: the same in both headers.
  private static func common(_ member: Member, _ checksum: UInt32) -> [UInt8] {
    little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) + little(Int(checksum), 4)
      + little(member.bytes.count, 4) + little(member.bytes.count, 4) + little(member.name.utf8.count, 2) + little(0, 2)
  }

  private static func header(_ member: Member, _ checksum: UInt32) -> [UInt8] {
    little(0x0403_4B50, 4) + common(member, checksum) + member.name.utf8
  }

  private static func entry(_ member: Member, _ checksum: UInt32, at offset: Int) -> [UInt8] {
    little(0x0201_4B50, 4) + little(0x0314, 2) + common(member, checksum) + little(0, 2) + little(0, 2)
      + little(0, 2) + little(0o100644 << 16, 4) + little(offset, 4) + member.name.utf8
  }

  private static func little(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    func isPlain(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
    }
    return (1...64).contains(bytes.count) && bytes.allSatisfy(isPlain) && bytes.first != UInt8(ascii: ".")
  }

  // MARK: Reading

  /// Reads a file as `encoded` writes them, and no other: it is taken apart and put together again, and must give the same
  /// bytes. So names that lead elsewhere, members that appear twice, compressed ones, and bytes between them are errors.
  ///
  /// - Throws: `malformed` with the byte, `tooLarge`.
  init(_ file: [UInt8]) throws(StoreError) {
    guard file.count <= Self.limits.bytes + (1 << 20) else {
      throw StoreError(.tooLarge, "a bundle has at most \(Self.limits.bytes) bytes", advice: "make a smaller one")
    }
    var members: [Member] = []
    var at = 0
    while Self.number(file, at, 4) == 0x0403_4B50 {
      guard members.count < Self.limits.members else { throw Self.malformed("has too many members", at) }
      let member = try Self.member(file, at)
      guard !members.contains(where: { $0.name == member.name }) else {
        throw Self.malformed("has \(member.name) twice", at)
      }
      members.append(member)
      at += 30 + member.name.utf8.count + member.bytes.count
    }
    guard !members.isEmpty else { throw Self.malformed("is no ZIP file of stored members", 0) }
    self.init(members)
    let again = try encoded()
    guard again == file else {
      let different = zip(again, file).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      throw Self.malformed("is cut off or was changed", different ?? min(again.count, file.count))
    }
  }

  private static func member(_ file: [UInt8], _ at: Int) throws(StoreError) -> Member {
    guard let method = number(file, at + 8, 2), let size = number(file, at + 22, 4),
      let length = number(file, at + 26, 2),
      file.count - at - 30 >= length, file.count - at - 30 - length >= size
    else { throw malformed("is cut off", at) }
    guard method == 0 else { throw malformed("has a compressed member", at + 8) }
    let start = at + 30
    let name = String(decoding: file[start..<start + length], as: UTF8.self)
    guard isName(name) else { throw malformed("has a member whose name is none", start) }
    return Member(name: name, bytes: Array(file[start + length..<start + length + size]))
  }

  /// The number of `width` bytes at `offset`, or nil behind the end.
  private static func number(_ file: [UInt8], _ offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= file.count - width else { return nil }
    return (0..<width).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
  }

  private static func malformed(_ what: String, _ offset: Int) -> StoreError {
    StoreError(
      .malformed, "the bundle \(what)", offset: UInt64(offset), advice: "take it again from who made it")
  }
}

/// CRC-32 as ZIP has it (ISO 3309, reversed polynomial 0xEDB88320).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
