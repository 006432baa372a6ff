/// Names of files that are made of an origin.
enum FileName {
  /// The origin as a file name, unique for each origin: printable ASCII is kept; characters that could form a path, or
  /// hide the file, are written as `%` and two hexadecimal digits a byte (docs/FORMAT.md §6).
  static func name(of origin: String) -> String {
    var name = ""
    for byte in origin.utf8 {
      let isPlain = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "%")
      let digits = String(byte, radix: 16, uppercase: true)
      name += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
  }
}
