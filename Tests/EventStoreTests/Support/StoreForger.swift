// A store taken apart by a forger who has all but its key, and put together again: with good checksums, and, as far as the forger
// makes it so, with good numbers, hashes, directories and footers. What damage cannot make, and someone can.
import Foundation

@testable import EventStore

/// The parts of a store, to be changed one by one.
struct StoreForger {
  /// What stands in a segment behind its header.
  enum Part {
    /// A frame of records: its commits, each of lines without their `\n`; the last of a segment may lack its end mark.
    case frame([[[UInt8]]], isOpen: Bool)
    /// A frame of ours.
    case ours(SkippableFrame)

    var kind: FrameKind? { if case .ours(let frame) = self { frame.kind } else { nil } }
  }

  /// A segment file.
  struct Segment {
    /// The first position that its name says.
    var name: UInt64
    var header: SegmentHeader
    var parts: [Part] = []
    /// The form that its footer has.
    var form = SegmentForm.closed
    /// What a footer says of pruned streams: the names are gone.
    var prunedStreams: [IndexedStream] = []
    var prunedBytes: UInt64 = 0
    /// What stands behind all that can be read.
    var rest: [UInt8] = []
  }

  /// What the forger makes good again; the checksums of frames and blocks always.
  struct Repairs {
    /// Positions and revisions of the lines.
    var numbers = true
    /// The names of segments, their first positions and what they say of the tree.
    var headers = true
    var directories = true
    var footers = true
    /// Checkpoints, which the forger signs with another key, and the key that `store.json` names.
    var signatures = false

    static func drawn(using random: inout SeededRandom) -> Repairs {
      var repairs = Repairs()
      func fails(_ sides: UInt64) -> Bool { random.next() % sides == 0 }
      repairs.numbers = !fails(6)
      repairs.headers = !fails(8)
      repairs.directories = !fails(8)
      repairs.footers = !fails(8)
      repairs.signatures = fails(5)
      return repairs
    }
  }

  var segments: [Segment] = []
  /// The files that are no segments, by path relative to the store.
  var others: [String: [UInt8]] = [:]
  /// The forger's own key, under the name of the store's.
  let key: SigningKey

  /// Takes a store apart in which nothing is wrong.
  init(_ store: HeldStore, key: SigningKey) throws {
    self.key = key
    for (name, bytes) in store.files.sorted(by: { $0.key < $1.key }) {
      if name.hasPrefix("segments/"), let first = SegmentName.first(of: String(name.dropFirst(9))) {
        segments.append(try Self.segment(bytes, name: first))
      } else {
        others[name] = bytes
      }
    }
  }

  private static func segment(_ bytes: [UInt8], name: UInt64) throws -> Segment {
    let file = MemoryFile(bytes, path: "forged")
    let head = try FileHead(of: file)
    var segment = Segment(name: name, header: try SegmentHeader(frame: head.frame))
    if let index = try FooterPlace.index(in: file) {
      segment.form = index.form
      if index.isPruned { (segment.prunedStreams, segment.prunedBytes) = (try index.allStreams(), index.rawBytes) }
    }
    let walker = try SegmentWalker(file, from: head.end)
    var commits: [[[UInt8]]] = []
    while true {
      let item: SegmentWalker.Item
      do { item = try walker.next() } catch {
        // Behind this nothing is a segment's: the end that another one supersedes.
        segment.rest = Array(bytes[Int(walker.offset)...])
        return segment
      }
      switch item {
      case .frameStart: commits = []
      case .commit:
        let lines = walker.withCommit { CommitLines.array($0) }
        commits.append(lines.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(Array.init))
      case .frameEnd: segment.parts.append(.frame(commits, isOpen: false))
      case .skippable(let frame, _): segment.parts.append(.ours(frame))
      case .end(let end):
        if walker.frame != nil { segment.parts.append(.frame(commits, isOpen: true)) }
        if end == .cut { segment.rest = Array(bytes[Int(walker.offset)...]) }
        return segment
      }
    }
  }

  // MARK: Lines

  /// Where a line stands.
  struct Place {
    var segment: Int
    var part: Int
    var commit: Int
    var line: Int
  }

  /// The places of all lines, in order.
  var places: [Place] {
    var all: [Place] = []
    for (segment, whole) in segments.enumerated() {
      for (part, item) in whole.parts.enumerated() {
        guard case .frame(let commits, _) = item else { continue }
        for (commit, lines) in commits.enumerated() {
          for line in lines.indices { all.append(Place(segment: segment, part: part, commit: commit, line: line)) }
        }
      }
    }
    return all
  }

  /// The commit that a place is in.
  subscript(lines place: Place) -> [[UInt8]] {
    get {
      guard case .frame(let commits, _) = segments[place.segment].parts[place.part] else { return [] }
      return commits[place.commit]
    }
    set {
      guard case .frame(var commits, let isOpen) = segments[place.segment].parts[place.part] else { return }
      commits[place.commit] = newValue
      segments[place.segment].parts[place.part] = .frame(commits, isOpen: isOpen)
    }
  }

  /// A line with another position and revision; the line itself if it is none of a record.
  static func numbered(_ line: [UInt8], position: UInt64, revision: Int) -> [UInt8] {
    guard let record = try? StoredRecord(line: line) else { return line }
    var text = String(decoding: line, as: UTF8.self)
    let start = "{\"n\":\(record.position),"
    guard text.hasPrefix(start), let place = text.range(of: ",\"rev\":\(record.revision),") else { return line }
    text.replaceSubrange(place, with: ",\"rev\":\(revision),")
    return Array("{\"n\":\(position),\(text.dropFirst(start.count))".utf8)
  }
}
