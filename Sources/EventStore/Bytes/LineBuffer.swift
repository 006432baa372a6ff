// Where lines wait for a commit: memory that is written in place. An array would be filled byte by byte, or from
// copies.
import Glibc

/// Bytes that grow at their end. Has one owner at a time: copies of a reference see the same bytes.
@safe final class LineBuffer {
  // SAFETY: `room` is made by `realloc` and freed in `deinit`; its first `count` bytes have been written.
  private var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many bytes it has.
  private(set) var count = 0

  deinit { unsafe free(room.baseAddress) }

  /// How many bytes it can have before it asks for more memory.
  var capacity: Int { unsafe room.count }

  /// Adds what `body` writes, at most `most` bytes. Cost: only that of `body`, if there is enough capacity.
  func append(atMost most: Int, _ body: (inout LineWriter) -> Void) {
    if unsafe room.count - count < most { grow(by: most) }
    // SAFETY: these bytes are free, inside the memory, and nothing else refers to them while `body` runs.
    var writer = unsafe LineWriter(UnsafeMutableRawBufferPointer(rebasing: room[count..<count + most]))
    body(&writer)
    count += writer.count
  }

  /// Removes the last bytes.
  func removeLast(_ bytes: Int) {
    precondition(bytes >= 0 && bytes <= count, "no more can be taken away than is there")
    count -= bytes
  }

  /// Removes all bytes, and releases memory above `limit`.
  func removeAll(keepingUpTo limit: Int) {
    count = 0
    guard unsafe room.count > limit else { return }
    unsafe free(room.baseAddress)
    unsafe room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Lends some of the bytes.
  func withBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "only what was written is lent")
    // SAFETY: these bytes have been written, and stay where they are for the time of the call: nothing else has this
    // object.
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: room[range])
    return try body(unsafe Span<UInt8>(_unsafeBytes: bytes))
  }

  private func grow(by most: Int) {
    // Doubles small buffers; `realloc` moves large ones without copying them.
    let length = max(unsafe room.count + min(room.count, 1 << 20), count + most, 64 << 10)
    // SAFETY: the old memory is not used again. Running out of memory traps, as with an array.
    guard let made = unsafe realloc(room.baseAddress, length) else { preconditionFailure("no memory for the queue") }
    unsafe room = UnsafeMutableRawBufferPointer(start: made, count: length)
  }
}
