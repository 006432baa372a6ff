// The writing half of LZ4: blocks by liblz4's streaming functions, the few bytes of the frame around them by ourselves.
// The frame functions of liblz4 would do both, but they link a block only with the one before it if the caller's
// buffers do not follow each other, and copy 64 KiB a block: commits of one event came out at twice the size. This file
// and `BlockDecompressor.swift` are all that know liblz4.
import CLZ4

/// Compresses commits into the linked blocks of a frame, one block each.
@safe final class BlockCompressor {
  // SAFETY: made here, freed in `deinit`. A stream refers to bytes of `history` alone between two calls.
  private let stream: UnsafeMutablePointer<LZ4_stream_t>?
  private let streamHC: UnsafeMutablePointer<LZ4_streamHC_t>?
  /// The frame's last raw bytes, one commit after the other: what blocks refer to has to stand right before them.
  private let history: UnsafeMutableRawBufferPointer
  private var used = 0
  /// Where blocks are put together; kept between commits.
  private var room: UnsafeMutableRawBufferPointer
  private let level: Int32
  private let acceleration: Int32

  /// How far back a block refers.
  private static let window = 64 << 10
  /// From this size on, the fast compressor lets a commit refer to nothing before it: it has enough to refer to inside,
  /// and takes a third less time for 13% more room.
  private static let aloneBytes = 32 << 10
  /// A frame of the usual size and a large commit.
  private static let historyLength = 1 << 20

  /// A compressor: LZ4-HC with a `level` over 2, otherwise the fast one. For the fast one, a larger `acceleration`
  /// takes less time and more space: on sign-in events, 4 takes 15% less time and 4% more space than 1.
  ///
  /// - Throws: `io` if there is no memory for one (16 KiB, HC 256, and 1 MiB that is touched as far as it is used).
  init(level: Int32 = 0, acceleration: Int32 = 4) throws(StoreError) {
    let isHC = level > 2
    unsafe stream = isHC ? nil : LZ4_createStream()
    unsafe streamHC = isHC ? LZ4_createStreamHC() : nil
    guard unsafe stream != nil || streamHC != nil else { throw StoreError(.io, "no memory for a compressor") }
    unsafe history = .allocate(byteCount: Self.historyLength, alignment: 16)
    unsafe room = .allocate(byteCount: 64 << 10, alignment: 16)
    self.level = level
    self.acceleration = acceleration
  }

  deinit {
    unsafe _ = LZ4_freeStream(stream)
    unsafe _ = LZ4_freeStreamHC(streamHC)
    unsafe history.deallocate()
    unsafe room.deallocate()
  }

  /// Begins a frame: forgets what came before, and appends the frame's header to `out`.
  func begin(into out: inout [UInt8]) throws(StoreError) {
    if let streamHC = unsafe streamHC { unsafe LZ4_resetStreamHC_fast(streamHC, level) }
    if let stream = unsafe stream { unsafe LZ4_resetStream_fast(stream) }
    used = 0
    out.append(contentsOf: FrameFormat.frameHeader)
  }

  /// Appends `commit`, at most 4 MiB, as one block with its size and checksum to `out`. Returns how many bytes the
  /// block has as it is stored, without these.
  @discardableResult
  func add(_ commit: Span<UInt8>, into out: inout [UInt8]) throws(StoreError) -> Int {
    precondition(commit.count > 0 && commit.count <= FrameFormat.largestCommit, "a commit is one block")
    let bound = Int(LZ4_compressBound(Int32(commit.count)))
    if unsafe room.count < bound {
      unsafe room.deallocate()
      unsafe room = .allocate(byteCount: bound, alignment: 16)
    }
    let made = unsafe commit.withUnsafeBytes { bytes in
      // SAFETY: `compress` only reads `bytes`, and refers to nothing but `history` when it returns.
      unsafe compress(bytes)
    }
    guard made > 0 else { throw StoreError(.io, "LZ4 refused to compress") }
    unsafe commit.withUnsafeBytes { bytes in
      let isRaw = made >= commit.count
      // SAFETY: `made` bytes of `room` were just written.
      let block = unsafe isRaw ? bytes : UnsafeRawBufferPointer(rebasing: room[..<made])
      out.appendUInt32(UInt32(block.count) | (isRaw ? FrameFormat.rawBlock : 0))
      unsafe out.append(contentsOf: block)
      out.appendUInt32(unsafe XXH32.checksum(block))
    }
    return min(made, commit.count)
  }

  /// Compresses `bytes` into `room` and keeps them as history. Returns how many bytes that took; 0 if it failed.
  private func compress(_ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe precondition(room.count <= Int(Int32.max) && bytes.count <= Int(Int32.max), "a block's sizes fit 32 bits")
    if let stream = unsafe stream, bytes.count >= Self.aloneBytes {
      // What follows refers to nothing before it either.
      used = 0
      defer { unsafe LZ4_resetStream_fast(stream) }
      // SAFETY: both ranges are inside their buffers; the stream forgets them before it is used again.
      return Int(
        unsafe LZ4_compress_fast_extState(
          stream, bytes.baseAddress, room.baseAddress, Int32(bytes.count), Int32(room.count), acceleration))
    }
    // A frame without blocks has no window, and liblz4 must not be asked for one then (1.9.4 with HC reads at address
    // 0).
    if used > 0, unsafe bytes.count > history.count - used { keepWindow() }
    guard unsafe bytes.count <= history.count - used else {
      // A commit that does not fit behind the window is read where it is, with the window as a dictionary.
      let made = unsafe compressNext(bytes)
      keepWindow()
      return made
    }
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: history[used..<used + bytes.count])
    unsafe place.copyMemory(from: bytes)
    used += bytes.count
    return unsafe compressNext(UnsafeRawBufferPointer(place))
  }

  private func compressNext(_ bytes: UnsafeRawBufferPointer) -> Int {
    // SAFETY: both ranges are inside their buffers, which outlive the call.
    if let streamHC = unsafe streamHC {
      return Int(
        unsafe LZ4_compress_HC_continue(
          streamHC, bytes.baseAddress, room.baseAddress, Int32(bytes.count), Int32(room.count)))
    }
    return Int(
      unsafe LZ4_compress_fast_continue(
        stream, bytes.baseAddress, room.baseAddress, Int32(bytes.count), Int32(room.count), acceleration))
  }

  /// Moves the bytes that blocks may refer to, the window, to the start of `history`.
  private func keepWindow() {
    // SAFETY: `history` has room for the window; the functions move bytes that may overlap, and refer to the copy then.
    used = Int(
      unsafe streamHC == nil
        ? LZ4_saveDict(stream, history.baseAddress, Int32(Self.window))
        : LZ4_saveDictHC(streamHC, history.baseAddress, Int32(Self.window)))
  }
}
