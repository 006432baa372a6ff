// Text that is safe for a terminal: no data can move the cursor, hide text or change its direction.

extension String {
  /// The same text with control and direction-changing characters written as escapes: `\n`, `\u001b`.
  package var printable: String {
    guard !isPlain, unicodeScalars.contains(where: TerminalText.isUnsafe) else { return self }
    var out = ""
    for scalar in unicodeScalars {
      if TerminalText.isUnsafe(scalar) { out += TerminalText.escape(scalar) } else { out.unicodeScalars.append(scalar) }
    }
    return out
  }

  /// The text with everything unprintable escaped except line ends and colors: a safeguard for text composed of
  /// printable parts.
  package var shown: String {
    guard !isPlain else { return self }
    guard unicodeScalars.contains(where: { TerminalText.isUnsafe($0) && !TerminalText.isOwn($0) }) else { return self }
    return unicodeScalars.map { scalar in
      TerminalText.isUnsafe(scalar) && !TerminalText.isOwn(scalar) ? TerminalText.escape(scalar) : String(scalar)
    }.joined()
  }

  /// The width of the text in terminal columns.
  package var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + TerminalText.columns(of: $1) } }

  /// Whether all characters are printable ASCII, one column per byte, as in most texts.
  private var isPlain: Bool {
    // Checks all bytes without an early exit, so that processors can do many at a time.
    let bytes = utf8.span
    var others: UInt8 = 0
    for index in bytes.indices { others |= bytes[index] &- 0x20 < 0x5F ? 0 : 1 }
    return others == 0
  }

  /// The text cut to a number of columns, with `…` in place of the rest.
  package func cut(to width: Int) -> String {
    guard columns > width else { return self }
    guard width > 0 else { return "" }
    if isPlain { return String(decoding: utf8.prefix(width - 1), as: UTF8.self) + "…" }
    var out = ""
    var used = 0
    for character in self {
      used += TerminalText.columns(of: character)
      guard used <= width - 1 else { break }
      out.append(character)
    }
    return out + "…"
  }

  /// The text padded with spaces to a number of columns.
  package func padded(to width: Int, alignsRight: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - columns))
    return alignsRight ? fill + self : self + fill
  }
}

/// Which Unicode characters a terminal must not receive unescaped, and the width of the others.
enum TerminalText {
  /// Control characters (C0, DEL, C1), line separators, and everything that Unicode does not display: direction marks,
  /// zero-width characters, soft hyphens, variation selectors, tags. With these escaped, two names that look the same
  /// are the same.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0xA0, 0x2028...0x2029, 0xFFF9...0xFFFB: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// What a program itself puts into a text that is shown: the end of a line, its beginning, colors.
  static func isOwn(_ scalar: Unicode.Scalar) -> Bool { ["\n", "\r", "\u{1B}"].contains(scalar) }

  static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09: return "\\t"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    default:
      // As JSON does: a scalar over 0xFFFF has two.
      return UTF16.encode(scalar)?.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      }.joined() ?? ""
    }
  }

  /// 2 for the wide blocks of East Asian Width (Unicode UAX #11), 1 for the rest.
  static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
