// The reading half of LZ4: see `BlockCompressor.swift`.
import CLZ4
import Glibc

/// Decodes the blocks of a frame one at a time, so that a reader sees a commit whole and checked, or not at all.
@safe final class BlockDecompressor {
  // SAFETY: allocated here, freed in `deinit`; only bytes that have been written are ever lent or referred to.
  private let room: UnsafeMutableRawBufferPointer
  /// Where the last block's bytes begin.
  private var start = 0
  /// How many bytes the last block decoded to.
  private(set) var count = 0
  private var isLinked = true

  /// How far back a block refers.
  private static let window = 64 << 10
  /// After this many bytes it starts over at the front of its memory, so that the memory it writes to stays in the
  /// processor's cache.
  private static let lap = 320 << 10

  /// A decompressor (some 4 MiB, touched as far as blocks are large).
  ///
  /// - Throws: `io` if there is no memory for one.
  init() throws(StoreError) {
    let length = Self.lap + FrameFormat.largestCommit
    guard let made = unsafe malloc(length) else { throw StoreError(.io, "no memory for a decompressor") }
    unsafe room = UnsafeMutableRawBufferPointer(start: made, count: length)
  }

  deinit { unsafe free(room.baseAddress) }

  /// Begins a frame with its header.
  ///
  /// - Throws: `malformed` if it is not one that the log writes.
  func begin(header: ArraySlice<UInt8>) throws(StoreError) {
    start = 0
    count = 0
    let bytes = Array(header)
    guard bytes.count == FrameFormat.headerLength,
      bytes == FrameFormat.frameHeader || bytes == FrameFormat.independentFrameHeader
    else { throw StoreError(.malformed, "a frame's header is damaged", offset: 0) }
    isLinked = bytes == FrameFormat.frameHeader
  }

  /// Decodes one block: its four bytes of size, its data, its checksum.
  ///
  /// - Throws: `malformed`; then the frame has to be begun again.
  func decode(block: ArraySlice<UInt8>) throws(StoreError) {
    start += count
    count = 0
    if !isLinked { start = 0 }
    if start > Self.lap {
      // SAFETY: `start` bytes have been written; copyMemory takes ranges that overlap.
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[start - Self.window..<start]))
      start = Self.window
    }
    let made = try unsafe block.span.withUnsafeBytes { bytes throws(StoreError) in
      // SAFETY: `decoded` reads `bytes` while it runs, and no longer.
      try unsafe decoded(bytes)
    }
    count = made
  }

  /// Lends what the last block decoded to.
  func withOutput<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
    // SAFETY: these bytes have been written by `decoded` and live as long as this object.
    let filled = unsafe UnsafeRawBufferPointer(rebasing: room[start..<start + count])
    return try body(unsafe Span<UInt8>(_unsafeBytes: filled))
  }

  private func decoded(_ block: UnsafeRawBufferPointer) throws(StoreError) -> Int {
    func failure(_ what: String) -> StoreError { StoreError(.malformed, "a block does not decode: \(what)", offset: 0) }
    guard block.count > 8, block.count <= FrameFormat.largestCommit + 8 else {
      throw failure("it has no such length")
    }
    let size = UInt32(littleEndian: unsafe block.loadUnaligned(as: UInt32.self))
    let data = unsafe UnsafeRawBufferPointer(rebasing: block[4..<block.count - 4])
    let checksum = UInt32(littleEndian: unsafe block.loadUnaligned(fromByteOffset: block.count - 4, as: UInt32.self))
    guard Int(size & ~FrameFormat.rawBlock) == data.count else { throw failure("it has no such length") }
    guard unsafe XXH32.checksum(data) == checksum else { throw failure("ERROR_blockChecksum_invalid") }
    let target = unsafe UnsafeMutableRawBufferPointer(
      rebasing: room[start..<min(start + FrameFormat.largestCommit, room.count)])
    if size & FrameFormat.rawBlock != 0 {
      guard data.count <= target.count else { throw failure("more than 4 MiB in a block") }
      unsafe target.copyMemory(from: data)
      return data.count
    }
    let known = min(start, Self.window)
    // SAFETY: source and target are inside their buffers; the `known` bytes before the target have been written.
    let made = unsafe LZ4_decompress_safe_usingDict(
      data.baseAddress, target.baseAddress, Int32(data.count), Int32(target.count),
      room.baseAddress.map { unsafe $0 + (start - known) }, Int32(known))
    guard made > 0 else { throw failure("ERROR_decompressionFailed") }
    return Int(made)
  }
}
