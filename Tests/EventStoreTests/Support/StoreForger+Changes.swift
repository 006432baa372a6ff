// What a forger changes: one thing at a time, drawn.
import Foundation

@testable import EventStore

extension StoreForger {
  /// Changes something in the records, the frames, the segments or the other files.
  mutating func change(using random: inout SeededRandom) {
    switch random.next() % 8 {
    case 0...3: changeLine(using: &random)
    case 4: changePart(using: &random)
    case 5...6: changeSegment(using: &random)
    default: changeOther(using: &random)
    }
  }

  // MARK: Records

  private mutating func changeLine(using random: inout SeededRandom) {
    let all = places
    // The end of the log more often than the rest: what no checkpoint covers is there.
    guard let place = random.next() % 3 == 0 ? all.last : all.randomElement(using: &random),
      let other = all.randomElement(using: &random)
    else { return }
    var lines = self[lines: place]
    let line = lines[place.line]
    let stream = ["s/0", "s/1", "s/2", "s/3", "log"].randomElement(using: &random) ?? ""
    switch random.next() % 10 {
    case 0: lines[place.line] = Self.digits(of: line, using: &random)
    case 1:
      lines[place.line] = FuzzEntry.mutated(line, with: Array(self[lines: other].joined()), using: &random)
    case 2: lines.remove(at: place.line)
    case 3: lines.insert(line, at: place.line)
    case 4:
      let taken = self[lines: other][other.line]
      self[lines: other][other.line] = line
      lines = self[lines: place]  // they may be of one commit
      lines[place.line] = taken
    case 5:
      let text = String(decoding: line, as: UTF8.self)
      if let record = try? StoredRecord(line: line) {
        lines[place.line] = Array(
          text.replacing("\"stream\":\"\(record.stream)\"", with: "\"stream\":\"\(stream)\"", maxReplacements: 1).utf8)
      }
    case 6: lines[place.line] = Self.shifted(line, using: &random)
    case 7...8: lines.insert(Self.own(using: &random), at: place.line + Int(random.next() % 2))
    default:
      // A commit in two, or two in one.
      splitOrJoin(at: place)
      return
    }
    self[lines: place] = lines
  }

  private static func digits(of line: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    var line = line
    let places = line.indices.filter { (0x30...0x39).contains(line[$0]) }
    if let place = places.randomElement(using: &random) { line[place] = 0x30 + UInt8(random.next() % 10) }
    return line
  }

  private static func shifted(_ line: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    guard let record = try? StoredRecord(line: line) else { return line }
    let position = random.next() % 2 == 0 ? record.position &+ 1 : record.position
    return numbered(line, position: position, revision: Swift.max(record.revision + Int(random.next() % 3) - 1, 0))
  }

  /// A record that only a store writes.
  private static func own(using random: inout SeededRandom) -> [UInt8] {
    let number = random.next() % 40
    let (type, data) =
      [
        ("log.pruned", "{\"before\":\(number),\"records\":\(number),\"asked\":\(number)}"),
        ("log.opened", "{\"store\":\"0123456789abcdef0123456789abcdef\",\"origin\":\"damage\",\"format\":2}"),
        ("log.restored", "{\"store\":\"x\",\"origin\":\"damage\",\"size\":\(number),\"root\":\"\",\"lost\":0}"),
        ("log.recovered", "{\"segment\":\"x\",\"offset\":\(number),\"bytes\":1,\"quarantine\":\"x\"}"),
        ("clock.stepped", "{\"from\":\"\(noon)\",\"to\":\"\(noon)\",\"by\":\(number)}"),
        ("snapshot.taken", "{\"fold\":\"x\",\"version\":1,\"size\":\(number),\"root\":\"\",\"sha256\":\"\"}"),
      ].randomElement(using: &random) ?? ("x", "{}")
    return Array(
      "{\"n\":99,\"at\":\"\(noon)\",\"stream\":\"log\",\"rev\":9,\"type\":\"\(type)\",\"v\":1,\"data\":\(data)}".utf8)
  }

  private mutating func splitOrJoin(at place: Place) {
    guard case .frame(var commits, let isOpen) = segments[place.segment].parts[place.part] else { return }
    let lines = commits[place.commit]
    if place.commit + 1 < commits.count {
      commits[place.commit] += commits.remove(at: place.commit + 1)
    } else if lines.count > 1 {
      commits[place.commit] = Array(lines[..<(lines.count / 2)])
      commits.append(Array(lines[(lines.count / 2)...]))
    }
    segments[place.segment].parts[place.part] = .frame(commits, isOpen: isOpen)
  }

  // MARK: Frames

  private mutating func changePart(using random: inout SeededRandom) {
    guard let index = segments.indices.randomElement(using: &random),
      let place = segments[index].parts.indices.randomElement(using: &random),
      let other = segments.indices.randomElement(using: &random)
    else { return }
    let part = segments[index].parts[place]
    switch random.next() % 7 {
    case 0: segments[index].parts.remove(at: place)
    case 1: segments[index].parts.insert(part, at: place)
    case 2: segments[other].parts.insert(part, at: Int(random.next() % UInt64(segments[other].parts.count + 1)))
    case 3: segments[index].parts.swapAt(place, Int(random.next() % UInt64(segments[index].parts.count)))
    case 4: segments[index].parts.removeSubrange(place...)
    case 5:
      var body: [UInt8] = []
      body.appendUInt64(random.next() % 50)
      segments[index].parts.insert(.ours(SkippableFrame(kind: .synced, body: body)), at: place)
    default:
      guard case .ours(let frame) = part else { return }
      let body = FuzzEntry.mutated(frame.body, with: others["store.json"] ?? [], using: &random)
      segments[index].parts[place] = .ours(SkippableFrame(kind: frame.kind, body: body))
    }
  }

  // MARK: Segments

  private mutating func changeSegment(using random: inout SeededRandom) {
    guard let index = segments.indices.randomElement(using: &random) else { return }
    switch random.next() % 11 {
    case 0: segments.remove(at: index)
    case 1: segments.removeSubrange(index...)
    case 2: segments[index].name = random.next() % 50
    case 3: segments.swapAt(index, Int(random.next() % UInt64(segments.count)))
    case 4: seal(index)
    case 5: for place in 0...index { prune(place) }
    case 6: prune(index)
    case 7:
      segments[index].header.supersedes =
        segments[index].header.supersedes == nil ? segments[index].header.first : nil
    case 8: segments[index].header.previous = random.next() % 4 == 0 ? nil : random.next() % 50
    case 9: segments[index].rest += others["store.json"]?.prefix(Int(random.next() % 100)) ?? []
    default:
      segments[index].header.store = String(segments[index].header.store.reversed())
      segments[index].header.origin += random.next() % 2 == 0 ? "x" : ""
    }
  }

  /// Gives a segment the form of a sealed one.
  private mutating func seal(_ index: Int) {
    let segment = segments[index]
    let notes = segment.parts.filter { $0.kind == .note }
    let frames = segment.parts.filter { $0.kind == nil }
    segments[index].parts = notes + frames + [.ours(SkippableFrame(kind: .footer, body: []))]
    segments[index].form = .sealed
  }

  /// Takes the records of a segment away, and leaves their hashes.
  private mutating func prune(_ index: Int) {
    let segment = segments[index]
    guard segment.form != .pruned || segment.parts.contains(where: { $0.kind == nil }) else { return }
    var leaves = LeafHashes(first: segment.header.first, hashes: [])
    var gathering = StreamGathering()
    var raw: UInt64 = 0
    for part in segment.parts {
      guard case .frame(let commits, _) = part else { continue }
      for line in commits.joined() {
        if let record = try? StoredRecord(line: line) {
          gathering.add(Array(record.stream.utf8), revision: record.revision, position: record.position)
        }
        leaves.hashes.append(MerkleTree.leaf(line))
        raw += UInt64(line.count) + 1
      }
    }
    guard !leaves.hashes.isEmpty else { return }
    let notes = segment.parts.filter { $0.kind == .note }
    segments[index].parts = notes + [.ours(leaves.frame), .ours(SkippableFrame(kind: .footer, body: []))]
    segments[index].form = .pruned
    segments[index].prunedStreams = gathering.sorted.map(\.pruned)
    segments[index].prunedBytes = raw
  }

  // MARK: Other files

  private mutating func changeOther(using random: inout SeededRandom) {
    let names = others.keys.sorted()
    guard let name = names.randomElement(using: &random), let other = names.randomElement(using: &random),
      let bytes = others[name]
    else { return }
    switch random.next() % 6 {
    case 0: others[name] = nil
    case 1: others[other] = bytes
    case 2: others["checkpoints/\(random.next() % 50)"] = others["checkpoints/latest"]
    case 3: others[name] = FuzzEntry.mutated(bytes, with: others[other] ?? [], using: &random)
    case 4: changeIdentity(using: &random)
    default: others[name] = Self.digits(of: bytes, using: &random)
    }
  }

  private mutating func changeIdentity(using random: inout SeededRandom) {
    guard let bytes = others["store.json"] else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let size = random.next() % 50
    let root = Base64.encode([UInt8](repeating: 7, count: 32))
    let member =
      [
        "\"retiredKeys\":[{\"key\":\"\(key.verifier)\",\"until\":\(size)}]",
        "\"publicKey\":\"\(key.verifier)\"", "\"backup\":{\"at\":\"\(noon)\",\"size\":\(size),\"root\":\"\(root)\"}",
        "\"restoredFrom\":[{\"store\":\"x\",\"origin\":\"damage\",\"size\":\(size),\"root\":\"\(root)\"}]",
        "\"format\":1", "\"id\":\"fedcba9876543210fedcba9876543210\"",
      ].randomElement(using: &random) ?? ""
    let mark = String(member.prefix { $0 != ":" })
    // In the place of the member of that name, as far as a forger in a hurry looks; else as one more.
    let lines = text.split(separator: "\n").filter { !$0.contains(mark) || random.next() % 8 == 0 }
    let body = lines.joined(separator: "\n")
    guard let open = body.firstIndex(of: "{") else { return }
    others["store.json"] = Array("{\(member),\(body[body.index(after: open)...])\n".utf8)
  }
}
