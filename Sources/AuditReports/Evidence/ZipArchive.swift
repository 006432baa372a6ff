// ZIP files whose members are stored, not compressed (PKWARE APPNOTE 6.3.10 §4.3): equal content gives equal bytes, and
// no member can expand beyond its stored size. No other form is written or read.

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

  /// The members, in the order in which they are in the file.
  var members: [Member]

  /// The maximum number of members and bytes of a file.
  static let limits = (members: 64, bytes: 1 << 30)

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
  /// - Throws: `tooLarge` if the limits are exceeded, `invalid` if a name is not allowed.
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

  /// The fields from the required version to the length of the extra field, which are the same in both headers.
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

  /// Reads a file of stored members, written by any program. The directory at its end must agree with the headers of
  /// the members, and the members must follow one another from the first byte on, without gaps. Names that lead
  /// elsewhere, duplicate, compressed or hidden members, and bytes outside of members are errors; so are extra fields
  /// and comments, in which other readers find members (ZIP64). Times, modes and the writing program are ignored.
  ///
  /// - Throws: `malformed` with the byte, `tooLarge`.
  init(_ file: [UInt8]) throws(StoreError) {
    guard file.count <= Self.limits.bytes + (1 << 20) else {
      throw StoreError(.tooLarge, "a bundle has at most \(Self.limits.bytes) bytes", advice: "make a smaller one")
    }
    guard Self.number(file, 0, 4) == 0x0403_4B50 else { throw Self.malformed("is no ZIP file of stored members", 0) }
    let end = file.count - 22
    guard Self.number(file, end, 4) == 0x0605_4B50, Self.number(file, end + 4, 4) == 0,
      let count = Self.number(file, end + 8, 2), Self.number(file, end + 10, 2) == count,
      let size = Self.number(file, end + 12, 4), let start = Self.number(file, end + 16, 4), start + size == end,
      Self.number(file, end + 20, 2) == 0, Self.number(file, end - 20, 4) != 0x0706_4B50
    else { throw Self.malformed("is cut off or was changed", max(end, 0)) }
    guard count <= Self.limits.members else { throw Self.malformed("has too many members", end + 8) }
    var members: [Member] = []
    var (entry, at) = (start, 0)
    for _ in 0..<count {
      let member = try Self.member(file, &entry, &at)
      guard !members.contains(where: { $0.name == member.name }) else {
        throw Self.malformed("has \(member.name) twice", at)
      }
      members.append(member)
    }
    guard at == start, entry == end else { throw Self.malformed("has bytes of no member", at) }
    self.init(members)
  }

  /// Reads a directory entry and its member, which must be the next one, and advances past both.
  private static func member(_ file: [UInt8], _ entry: inout Int, _ at: inout Int) throws(StoreError) -> Member {
    func field(_ offset: Int, _ width: Int) throws(StoreError) -> Int {
      guard let value = number(file, offset, width) else { throw malformed("is cut off", offset) }
      return value
    }
    guard try field(entry, 4) == 0x0201_4B50, try field(entry + 42, 4) == at, try field(at, 4) == 0x0403_4B50 else {
      throw malformed("has a directory that is not that of its members", entry)
    }
    // A bundle never has the length after the content, a password, or a later version's form.
    guard try field(entry + 8, 2) & ~0x0800 == 0, try field(at + 6, 2) & ~0x0800 == 0, try field(entry + 6, 2) <= 20
    else {
      throw malformed("has a member in a form that no bundle has", at + 6)
    }
    guard try field(entry + 10, 2) == 0, try field(at + 8, 2) == 0 else {
      throw malformed("has a compressed member (put it together with: zip -0 -X)", at + 8)
    }
    let (size, length) = (try field(entry + 24, 4), try field(entry + 28, 2))
    let checksum = try field(entry + 16, 4)
    // From the required version to the length of the name.
    guard try field(entry + 20, 4) == size, at + 28 <= file.count, entry + 30 <= file.count,
      file[entry + 6..<entry + 30] == file[at + 4..<at + 28]
    else { throw malformed("has a directory that is not that of its members", entry) }
    // An extra field, which may hide entries and members that other readers find.
    guard try field(entry + 30, 2) == 0, try field(at + 28, 2) == 0 else {
      throw malformed("has an extra field (put it together with: zip -0 -X)", at + 28)
    }
    // A comment, another disk, or a type that is neither text nor binary.
    guard try field(entry + 32, 2) == 0, try field(entry + 34, 2) == 0, try field(entry + 36, 2) <= 1 else {
      throw malformed("has a member in a form that no bundle has", entry + 32)
    }
    let (name, named) = (at + 30, entry + 46)
    let (start, next) = (name + length, named + length)
    guard next <= file.count, start + size <= file.count else { throw malformed("is cut off", at) }
    let text = String(decoding: file[name..<name + length], as: UTF8.self)
    guard isName(text), file[name..<name + length] == file[named..<named + length] else {
      throw malformed("has a member whose name is none", name)
    }
    let bytes = Array(file[start..<start + size])
    guard CRC32.of(bytes) == UInt32(checksum) else { throw malformed("is cut off or was changed", start) }
    (entry, at) = (next, start + size)
    return Member(name: text, bytes: bytes)
  }

  /// The number of `width` bytes at `offset`, or nil past the end.
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
