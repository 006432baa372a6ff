// Bodies that are hardly JSON: blank ones, some with a byte order mark, and texts that break off or are no objects.

extension RuntimeTables {
  /// The bodies, for readers that must take any.
  package static let oddBodies: [[UInt8]] = {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let blank: [[UInt8]] = [
      [], [0x20], [0x09], [0x0A], [0x0D], [0x20, 0x09, 0x0A, 0x0D], [0x0B], [0x00], [0xC3], mark, mark + [0x20],
      mark + mark,
    ]
    let texts = [
      "{}", " {} ", "{} {}", "{", "[]", "[1,2]", "[1,", "null", "true", "5", "\"text\"", "text",
      #"{"status":"SUCCESS"}"#, #"{"version":"1.0.0"}"#,
    ]
    let bodies = texts.map { Array($0.utf8) }
    return blank + bodies + bodies.map { mark + $0 }
  }()
}
