// How many values a document has, before it is read: a small text of many values takes a hundred times its size in
// memory.

/// Counts without reading.
package enum JSONCount {
  /// Counts commas and opening brackets outside strings.
  ///
  /// - Returns: as many values as the document may have beside the first, or more; a number over `most` once there are
  ///   more.
  package static func values(in bytes: some Collection<UInt8>, upTo most: Int) -> Int {
    var (count, isString, isEscaped) = (0, false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "\\"): isEscaped = isString
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): if !isString { count += 1 }
      default: break
      }
      if count > most { break }
    }
    return count
  }

  /// Whether a document has more values than real documents of its size do: more than one for six bytes.
  package static func isImplausible(_ bytes: some Collection<UInt8>) -> Bool {
    let most = 100_000 + bytes.count / 6
    return values(in: bytes, upTo: most) > most
  }
}
