// What must hold in a simulation, at every moment.
import Testing

@testable import EventStore
@testable import Fleet

extension Simulation {
  /// Nothing is called collected that a power cut could take, and what a checkpoint covers is the host's.
  func checkCollected(_ collector: StageCollector) throws {
    guard let state = collector.collector?.state else { return }
    let rest = collector.disk.leftByCut()
    for host in hosts {
      guard let record = state.hosts[host.id], record.state.size > 0 else { continue }
      let directory = collector.folder.host(host.id)
      let there = try segmentFiles(of: directory, on: rest)
      let own = try segmentFiles(of: directory, on: collector.disk)
      for (name, bytes) in own {
        let first = SegmentName.first(of: name) ?? 0
        guard first <= record.state.end.segment else { continue }
        let count = first < record.state.end.segment ? bytes.count : Int(record.state.end.offset)
        guard count <= bytes.count, there[name]?.prefix(count).elementsEqual(bytes[..<count]) ?? false else {
          throw Broken(
            description: "\(collector.name) calls \(name) collected up to \(count), and it is not synced: it has "
              + "\(bytes.count) bytes, a power cut leaves \(there[name]?.count ?? 0); \(record.state)")
        }
      }
      try checkCosigned(collector, host)
      try checkPrefix(own, of: host, state: record.state, by: collector)
    }
  }

  /// No two cosigned roots for one size, and none that is not the host's.
  private func checkCosigned(_ collector: StageCollector, _ host: StageHost) throws {
    let place = collector.folder.witness + "/" + FileName.name(of: host.key.verifier.name) + ".checkpoint"
    guard let bytes = try? collector.disk.contents(of: place, limit: 1 << 16) else { return }
    let note = try SignedNote(bytes: bytes, of: place)
    let key = "\(collector.name) \(host.id) \(note.size)"
    guard cosigned[key] ?? note.root == note.root else {
      throw Broken(description: "two roots were cosigned at \(note.size)")
    }
    cosigned[key] = note.root
    let root = try LogReader(directory: host.directory, disk: host.disk).root(at: note.size)
    guard root == note.root else { throw Broken(description: "a root was cosigned that is not the host's") }
  }

  /// A copy is a prefix of its host as far as it is verified: all of that, or, where someone wrote in its name, what a checkpoint
  /// covers.
  private func checkPrefix(
    _ own: [String: [UInt8]], of host: StageHost, state: MirrorState, by collector: StageCollector
  ) throws {
    let files = try host.files()
    for (name, bytes) in own {
      let first = SegmentName.first(of: name) ?? 0
      guard let theirs = files[name] else {
        if hasForged, first >= state.signed?.segment ?? 0 { continue }
        throw Broken(description: "\(collector.name) has \(name), which the host has not")
      }
      // One of the two may be sealed already.
      let isSealed = { (bytes: [UInt8]) in
        (try? FooterPlace.form(in: MemoryFile(bytes, path: name))).flatMap { $0 }.map { $0 != .closed } ?? false
      }
      if isSealed(bytes) != isSealed(theirs) { continue }
      var count = bytes.count
      if hasForged {
        guard let end = state.signed, first <= end.segment else { continue }
        if first == end.segment { count = min(count, Int(end.offset)) }
      }
      guard let place = bytes.prefix(count).indices.first(where: { $0 >= theirs.count || bytes[$0] != theirs[$0] })
      else { continue }
      // The beginning of an element, which a bit may have flipped in: that is seen when all of it is there.
      if first == state.end.segment, place >= Int(state.end.offset) {
        did("flip in what is not whole")
        continue
      }
      throw Broken(
        description: "\(collector.name)'s copy of \(name), \(bytes.count) bytes, is not a prefix of the host's from "
          + "\(place) on; collected up to \(state.end.offset) of \(state.end.segment)")
    }
  }
}
