// Finding frames of ours in bytes of which no length can be trusted. A hostile file may nest frames in frames, each
// with a length that reaches to the end: so each byte is examined only a few times, however many frames claim it.
import Glibc

/// The good frames of ours among any bytes.
enum FrameScan {
  /// A frame whose checksum fits.
  struct Found {
    /// What it holds.
    var kind: FrameKind
    /// Where its body begins in the file.
    var body: UInt64
    /// How many bytes that has.
    var count: Int
  }

  /// Bytes that may be a frame: a beginning, and an end that says the same length.
  private struct Candidate {
    var start: UInt64
    var size: UInt32
    var checksum: UInt32
    var kind: FrameKind

    /// The bytes that the checksum covers.
    var covered: Range<UInt64> {
      let begin = start + UInt64(SkippableFrame.headLength)
      return begin..<begin + UInt64(size) - 4
    }
  }

  private static let pieceLength = 1 << 20

  /// The frames of the given kinds from `start` on, in order. Bytes inside a good frame belong to it, whatever they
  /// look like. Cost: two looks at each byte outside of holes, a small read for each beginning of a frame.
  static func frames(of kinds: Set<FrameKind>, in file: any DiskFile, from start: UInt64) throws(StoreError) -> [Found]
  {
    let candidates = try candidates(of: kinds, in: file, from: start)
    guard !candidates.isEmpty else { return [] }
    var places: [UInt64] = []
    places.reserveCapacity(2 * candidates.count)
    for candidate in candidates { places += [candidate.covered.lowerBound, candidate.covered.upperBound] }
    places.sort()
    let registers = try registers(at: places, of: file, from: start)
    func register(at place: UInt64) -> UInt32 { registers[places.partitioningIndex { $0 >= place }] }
    var found: [Found] = []
    var end: UInt64 = 0
    for candidate in candidates where candidate.start >= end {
      let covered = candidate.covered
      let checksum = CRC32C.checksum(
        from: register(at: covered.lowerBound), to: register(at: covered.upperBound), count: covered.count)
      guard checksum == candidate.checksum else { continue }
      found.append(
        Found(
          kind: candidate.kind, body: covered.lowerBound + 4, count: Int(candidate.size) - SkippableFrame.overhead))
      end = covered.upperBound + 4
    }
    return found
  }

  private static func candidates(
    of kinds: Set<FrameKind>, in file: any DiskFile, from start: UInt64
  ) throws(StoreError) -> [Candidate] {
    // Magic, size, kind.
    let headLength = 12
    let fileEnd = try file.size()
    var found: [Candidate] = []
    var (room, tail): ([UInt8], [UInt8]) = ([], [])
    var offset = start
    while true {
      // No frame begins with a 0.
      offset = try file.data(from: offset)
      let count = try file.read(at: offset, count: pieceLength, into: &room)
      let bytes = room.span
      func number(_ index: Int) -> UInt32 {
        UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
          | UInt32(bytes[index + 3]) << 24
      }
      var index = -1
      while let next = byte(0x50, in: bytes, from: index + 1, before: count - headLength + 1) {
        index = next
        guard number(index) == FrameFormat.skippableMagic else { continue }
        let size = number(index + 4)
        let place = offset + UInt64(index)
        guard let kind = FrameKind(code: number(index + 8)), kinds.contains(kind), kind.payloads.contains(Int(size)),
          UInt64(size) + UInt64(SkippableFrame.headLength) <= fileEnd - min(place, fileEnd)
        else { continue }
        var candidate = Candidate(start: place, size: size, checksum: 0, kind: kind)
        guard try file.read(at: candidate.covered.upperBound - 4, count: 8, into: &tail) == 8 else { continue }
        var cursor = ByteCursor(Array(tail.prefix(8)))
        guard try cursor.uint32() == size else { continue }
        candidate.checksum = try cursor.uint32()
        found.append(candidate)
      }
      guard count == pieceLength else { return found }
      offset += UInt64(pieceLength - headLength + 1)
    }
  }

  /// Where the next such byte stands, or nil if there is none before `end`.
  private static func byte(_ value: UInt8, in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int? {
    guard start < end, end <= bytes.count else { return nil }
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return nil }
      // SAFETY: memchr reads from `start` to `end`, both inside of the buffer, which outlives the call.
      guard let found = unsafe memchr(base + start, Int32(value), end - start) else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The registers of the file's bytes from `start` on at these places, ascending.
  private static func registers(
    at places: [UInt64], of file: any DiskFile, from start: UInt64
  ) throws(StoreError) -> [UInt32] {
    var registers: [UInt32] = []
    registers.reserveCapacity(places.count)
    var room: [UInt8] = []
    var register: UInt32 = 0
    var offset = start
    while registers.count < places.count {
      let next = min(try file.data(from: offset), places[registers.count])
      if next > offset {
        register = CRC32C.shifted(register, by: Int(next - offset))
        offset = next
      }
      let count = try file.read(at: offset, count: pieceLength, into: &room)
      var done = 0
      while registers.count < places.count, places[registers.count] - offset <= UInt64(count) {
        let place = Int(places[registers.count] - offset)
        register = CRC32C.register(register, over: room[done..<place])
        registers.append(register)
        done = place
      }
      guard registers.count < places.count else { break }
      // A file that was cut meanwhile has no such frames any more.
      guard count == pieceLength else { return registers + places.dropFirst(registers.count).map { _ in register } }
      register = CRC32C.register(register, over: room[done..<count])
      offset += UInt64(count)
    }
    return registers
  }
}
