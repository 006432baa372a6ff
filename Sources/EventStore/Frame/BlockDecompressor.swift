// The reading half of liblz4's frame API.
import CLZ4

/// Decodes the blocks of a frame one at a time, so that a commit is seen whole and checked, or not at all.
@safe final class BlockDecompressor {
  private let context: OpaquePointer
  // SAFETY: allocated here, freed in `deinit`; only `count` of its bytes are ever lent, and those have been written.
  private let room: UnsafeMutableRawBufferPointer
  /// How many bytes the last block decoded to.
  private(set) var count = 0

  /// A decompressor. Throws `io` where there is no memory for one (4 MiB, touched as far as blocks are large).
  init() throws(StoreError) {
    var made: OpaquePointer?
    // SAFETY: the call writes one pointer, which is freed in `deinit` and used nowhere else.
    guard unsafe LZ4F_isError(LZ4F_createDecompressionContext(&made, UInt32(LZ4F_VERSION))) == 0, let made = unsafe made
    else { throw StoreError(.io, "no memory for a decompressor") }
    unsafe context = made
    unsafe room = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameFormat.largestCommit, alignment: 16)
  }

  deinit {
    unsafe _ = LZ4F_freeDecompressionContext(context)
    unsafe room.deallocate()
  }

  /// Begins a frame with its header.
  func begin(header: ArraySlice<UInt8>) throws(StoreError) {
    unsafe LZ4F_resetDecompressionContext(context)
    count = 0
    try feed(header)
    guard count == 0 else { throw StoreError(.malformed, "a frame's header holds content", offset: 0) }
  }

  /// Decodes one block: its four bytes of size, its data, its checksum. Throws `malformed`; then the frame has to be
  /// begun again.
  func decode(block: ArraySlice<UInt8>) throws(StoreError) { try feed(block) }

  /// Lends what the last block decoded to.
  func withOutput<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
    // SAFETY: the first `count` bytes have been written by LZ4F_decompress and live as long as this object.
    let filled = unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
    return try body(unsafe Span<UInt8>(_unsafeBytes: filled))
  }

  private func feed(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
    count = 0
    var failure: String?
    unsafe bytes.withUnsafeBytes { source in
      var used = 0
      while used < source.count {
        var produced = unsafe room.count - count
        var consumed = source.count - used
        // SAFETY: both ranges are inside their buffers, which outlive the call.
        let hint = unsafe LZ4F_decompress(
          context, room.baseAddress.map { unsafe $0 + count }, &produced, source.baseAddress.map { unsafe $0 + used },
          &consumed, nil)
        guard LZ4F_isError(hint) == 0 else {
          failure = unsafe LZ4F_getErrorName(hint).map { unsafe String(cString: $0) } ?? "unknown"
          return
        }
        guard consumed > 0 || produced > 0 else {
          failure = "more than 4 MiB in a block"
          return
        }
        count += produced
        used += consumed
      }
    }
    if let failure {
      count = 0
      throw StoreError(.malformed, "a block does not decode, LZ4 says \(failure)", offset: 0)
    }
  }
}
