// The writing half of liblz4's frame API. This file and `BlockDecompressor.swift` are all that know it.
import CLZ4

/// Compresses commits into the linked blocks of a frame, one block each.
@safe final class BlockCompressor {
  private let context: OpaquePointer
  private var preferences = LZ4F_preferences_t()
  /// Where blocks are put together; kept between commits.
  private var room: [UInt8] = []

  /// A compressor; with a `level` over 2, LZ4-HC. Throws `io` where there is no memory for one (about 150 KiB, HC 400).
  init(level: Int32 = 0) throws(StoreError) {
    var made: OpaquePointer?
    // SAFETY: the call writes one pointer, which is freed in `deinit` and used nowhere else.
    guard unsafe LZ4F_isError(LZ4F_createCompressionContext(&made, UInt32(LZ4F_VERSION))) == 0, let made = unsafe made
    else { throw StoreError(.io, "no memory for a compressor") }
    unsafe context = made
    preferences.frameInfo.blockSizeID = LZ4F_max4MB
    preferences.frameInfo.blockMode = LZ4F_blockLinked
    preferences.frameInfo.blockChecksumFlag = LZ4F_blockChecksumEnabled
    preferences.autoFlush = 1
    preferences.compressionLevel = level
  }

  deinit { unsafe _ = LZ4F_freeCompressionContext(context) }

  /// Begins a frame: forgets what came before, and appends the frame's header to `out`.
  func begin(into out: inout [UInt8]) throws(StoreError) {
    try grow(to: 64)
    let count = unsafe room.withUnsafeMutableBytes { buffer in
      // SAFETY: the header takes at most 19 bytes (LZ4F_HEADER_SIZE_MAX), the buffer has 64.
      unsafe LZ4F_compressBegin(context, buffer.baseAddress, buffer.count, &preferences)
    }
    try take(count, into: &out)
  }

  /// Appends `commit`, at most 4 MiB, as one block with its size and checksum to `out`.
  func add(_ commit: Span<UInt8>, into out: inout [UInt8]) throws(StoreError) {
    precondition(commit.count > 0 && commit.count <= FrameFormat.largestCommit, "a commit is one block")
    try grow(to: unsafe LZ4F_compressBound(commit.count, &preferences))
    let count = unsafe commit.withUnsafeBytes { source in
      unsafe room.withUnsafeMutableBytes { buffer in
        // SAFETY: the buffer has at least LZ4F_compressBound bytes; both outlive the call.
        unsafe LZ4F_compressUpdate(context, buffer.baseAddress, buffer.count, source.baseAddress, source.count, nil)
      }
    }
    try take(count, into: &out)
  }

  private func grow(to count: Int) throws(StoreError) {
    if room.count < count { room = [UInt8](repeating: 0, count: count) }
  }

  private func take(_ count: Int, into out: inout [UInt8]) throws(StoreError) {
    guard LZ4F_isError(count) == 0, count <= room.count else {
      throw StoreError(.io, "LZ4 refused to compress")
    }
    out.append(contentsOf: room[..<count])
  }
}
