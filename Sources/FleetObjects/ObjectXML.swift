// The XML in answers of storages: elements, text, and attributes that nothing needs. Foundation's parser would have to
// be linked with libxml2, and accepts more than is safe to accept from a server.

/// An element of an answer.
struct ObjectXML: Sendable, Hashable {
  /// Its name, with a prefix if it has one.
  var name: String
  /// Its own text, without that of its children.
  var text = ""
  /// The elements in it, in their order.
  var children: [ObjectXML] = []

  /// The first child of that name.
  subscript(_ name: String) -> ObjectXML? { children.first { $0.name == name } }

  /// The root element of a document; nil if it is not well-formed, has declarations of types, or more than 16 levels.
  init?(parsing bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let root = reader.document() else { return nil }
    self = root
  }

  private init(name: String) { self.name = name }

  /// Reads a document once, from its beginning to its end.
  private struct Reader {
    let bytes: [UInt8]
    var at = 0

    private mutating func take(_ word: String) -> Bool {
      guard bytes[at...].starts(with: word.utf8) else { return false }
      at += word.utf8.count
      return true
    }

    /// Skips past the next occurrence of a word; false if there is none.
    private mutating func pass(_ word: String) -> Bool {
      while at < bytes.count {
        if take(word) { return true }
        at += 1
      }
      return false
    }

    private mutating func skipSpace() {
      while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    /// Skips white space, comments and instructions.
    private mutating func skipOther() -> Bool {
      while true {
        skipSpace()
        if take("<!--") {
          guard pass("-->") else { return false }
        } else if take("<?") {
          guard pass("?>") else { return false }
        } else {
          return true
        }
      }
    }

    mutating func document() -> ObjectXML? {
      _ = take("\u{FEFF}")
      guard skipOther(), let root = element(depth: 0), skipOther(), at == bytes.count else { return nil }
      return root
    }

    private mutating func element(depth: Int) -> ObjectXML? {
      guard depth < 16, take("<"), let name = name() else { return nil }
      var element = ObjectXML(name: name)
      guard let isEmpty = attributes() else { return nil }
      if isEmpty { return element }
      var text: [UInt8] = []
      while at < bytes.count {
        if take("</") {
          guard self.name() == name else { return nil }
          skipSpace()
          guard take(">"), let own = String(validating: text, as: UTF8.self) else { return nil }
          element.text = own
          return element
        }
        if take("<!--") {
          guard pass("-->") else { return nil }
        } else if take("<![CDATA[") {
          let start = at
          guard pass("]]>") else { return nil }
          text += bytes[start..<at - 3]
        } else if bytes[at] == UInt8(ascii: "<") {
          guard let child = self.element(depth: depth + 1) else { return nil }
          element.children.append(child)
        } else if bytes[at] == UInt8(ascii: "&") {
          guard let letter = reference() else { return nil }
          text += Array(String(letter).utf8)
        } else {
          text.append(bytes[at])
          at += 1
        }
      }
      return nil
    }

    private mutating func name() -> String? {
      let start = at
      while at < bytes.count, RequestSigner.isPlain(bytes[at]) || bytes[at] == UInt8(ascii: ":") { at += 1 }
      return at == start ? nil : String(decoding: bytes[start..<at], as: UTF8.self)
    }

    /// Skips a tag's attributes and its end. True if the element ends with it, nil if it is not well-formed.
    private mutating func attributes() -> Bool? {
      while true {
        skipSpace()
        if take("/>") { return true }
        if take(">") { return false }
        guard name() != nil else { return nil }
        skipSpace()
        guard take("=") else { return nil }
        skipSpace()
        guard take("\"") ? pass("\"") : take("'") && pass("'") else { return nil }
      }
    }

    /// `&amp;`, `&#38;`, `&#x26;`: the five that XML knows, and numbers.
    private mutating func reference() -> Unicode.Scalar? {
      let start = at + 1
      guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      at = end + 1
      if let known: Unicode.Scalar = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][name] {
        return known
      }
      guard name.hasPrefix("#") else { return nil }
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
      return number.flatMap(Unicode.Scalar.init)
    }
  }
}
