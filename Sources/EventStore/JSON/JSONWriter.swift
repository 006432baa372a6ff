// Writes JSON without white space: one value has one encoding, so that equal values give equal bytes.

extension JSON {
  /// The document as UTF-8 bytes, without white space, members in their order.
  public var bytes: [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(512)
    write(to: &out)
    return out
  }

  /// The document as text, without white space.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same value with the members of every object sorted by name, for bytes that do not depend on order.
  public var sorted: JSON {
    switch self {
    case .null, .bool, .number, .string: self
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key }))
    }
  }

  /// Appends the document to bytes.
  public func write(to out: inout [UInt8]) {
    switch self {
    case .null: out.append(contentsOf: [0x6E, 0x75, 0x6C, 0x6C])
    case .bool(true): out.append(contentsOf: [0x74, 0x72, 0x75, 0x65])
    case .bool(false): out.append(contentsOf: [0x66, 0x61, 0x6C, 0x73, 0x65])
    case .number(let text): out.append(contentsOf: text.utf8)
    case .string(let text): JSON.write(text, to: &out)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for index in elements.indices {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        elements[index].write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object):
      out.append(UInt8(ascii: "{"))
      for index in object.members.indices {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        JSON.write(object.members[index].key, to: &out)
        out.append(UInt8(ascii: ":"))
        object.members[index].value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  /// Appends one string with its quotes, escaping what RFC 8259 §7 requires and nothing else.
  public static func write(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    let bytes = text.utf8.span
    // Every byte is checked, so that the loop needs no branch: texts are short, and escapes are rare.
    var escapes: UInt8 = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      escapes |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
    }
    if escapes != 0 {
      for index in 0..<bytes.count { escape(bytes[index], into: &out) }
    } else {
      unsafe bytes.withUnsafeBufferPointer { bytes in
        // SAFETY: the bytes of the span outlive the call, which only reads them.
        unsafe out.append(contentsOf: bytes)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, into out: inout [UInt8]) {
    let short: UInt8? =
      switch byte {
      case 0x22, 0x5C: byte
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0C: UInt8(ascii: "f")
      case 0x0D: UInt8(ascii: "r")
      default: nil
      }
    if let short {
      out.append(UInt8(ascii: "\\"))
      out.append(short)
    } else if byte < 0x20 {
      let digits = Array("0123456789abcdef".utf8)
      out.append(contentsOf: Array("\\u00".utf8))
      out.append(digits[Int(byte >> 4)])
      out.append(digits[Int(byte & 15)])
    } else {
      out.append(byte)
    }
  }
}
