/// Finds the index of a segment in its file.
enum FooterPlace {
  /// How many bytes of the frame stand before its body: magic number, size, kind.
  static let headLength = SkippableFrame.headLength + 4

  /// The place and length of the footer's body at the end of `file`, or nil if it does not end with one. Reads 20 bytes
  /// of it; only `verify` checks the CRC of the whole.
  static func body(in file: any DiskFile) throws(StoreError) -> (offset: UInt64, length: Int)? {
    let end = try file.size()
    guard end >= UInt64(SkippableFrame.headLength + SkippableFrame.overhead) else { return nil }
    var tail = ByteCursor(try file.read(at: end - 8, count: 4))
    guard let size = try? tail.uint32(), size >= SkippableFrame.overhead, size <= FrameFormat.largestPayload,
      UInt64(size) + UInt64(SkippableFrame.headLength) <= end
    else { return nil }
    let start = end - UInt64(size) - UInt64(SkippableFrame.headLength)
    var head = ByteCursor(try file.read(at: start, count: headLength))
    guard (try? head.uint32()) == FrameFormat.skippableMagic, (try? head.uint32()) == size,
      let kind = try? head.take(4), kind.elementsEqual(FrameKind.footer.rawValue.utf8)
    else { return nil }
    return (start + UInt64(headLength), Int(size) - SkippableFrame.overhead)
  }

  /// The form of the segment in `file` by its footer, or nil if it does not end with one. Reads 28 bytes; only `verify`
  /// compares them with the whole file.
  static func form(in file: any DiskFile) throws(StoreError) -> SegmentForm? {
    guard let (offset, _) = try body(in: file) else { return nil }
    return SegmentIndex.form(head: try file.read(at: offset, count: 8))
  }

  /// The index at the end of `file`, or nil if it does not end with one.
  ///
  /// - Throws: `malformed` if it is damaged.
  static func index(in file: any DiskFile) throws(StoreError) -> SegmentIndex? {
    guard let (offset, length) = try body(in: file) else { return nil }
    return try SegmentIndex(file, at: offset, length: length)
  }
}
