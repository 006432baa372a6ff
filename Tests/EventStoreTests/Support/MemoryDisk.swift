// A disk that can lose its power. What is live and what would survive are kept apart: a write, a creation, a rename
// survive for certain only once they were synced; until then any part of them may. A sync that fails leaves pages that
// count as clean and are not on the disk, as Linux does.
import Foundation

@testable import EventStore

/// A disk in memory, for one store at a time.
final class MemoryDisk: Disk, @unchecked Sendable {  // guarded by `guardian`
  /// The kinds of calls that can fail.
  enum Call: String, CaseIterable, Sendable {
    case open, makeDirectory, names, rename, remove, syncDirectory, size, read, write, truncate, sync, lock
  }
  /// How a call fails.
  enum Failure: CaseIterable, Sendable {
    case io, noSpace
    var code: StoreError.Code { self == .io ? .io : .noSpace }
  }

  private let guardian = NSRecursiveLock()  // a file that goes away under it takes it again
  private var random: SeededRandom
  private var directories: [String: Directory] = ["/": Directory()]
  private var calls = 0
  private var callsOfKind: [Call: Int] = [:]
  private var cutAt: Int?
  private var keepsAll = false
  private var suffixToKillAt: (suffix: String, number: Int)?
  private var fault: (call: Call, number: Int, failure: Failure)?
  private var survivor: MemoryDisk?
  private var syncing: Set<String> = []
  private var lastCall: Call?

  /// An empty disk; `seed` decides what a power cut leaves.
  init(seed: UInt64) { random = SeededRandom(seed) }

  /// Cuts the power after `count` more calls.
  func cutPower(afterCalls count: Int) { locked { cutAt = calls + count } }

  /// Ends the process after `count` more calls: nothing is done any more, and all that was done is there.
  func kill(afterCalls count: Int) {
    locked {
      cutAt = calls + count
      keepsAll = true
    }
  }

  /// Ends the process as `kill(afterCalls:)` does, at the call that comes `number`th of those on a path that ends so. The
  /// store's threads may take turns as they like: each such call has its number in some session.
  func kill(atCall number: Int, onPathsEnding suffix: String) {
    locked {
      suffixToKillAt = (suffix, number)
      keepsAll = true
    }
  }

  /// Lets the call of that kind that comes `number`th from now on fail, once.
  func fail(_ call: Call, number: Int, with failure: Failure) {
    locked { fault = (call, (callsOfKind[call] ?? 0) + number, failure) }
  }

  /// True where the fault that was asked for has not come.
  var isFaultPending: Bool { locked { fault != nil } }

  /// The names of the threads that synced a file or a directory since `forgetThreads`.
  var syncingThreads: Set<String> { locked { syncing } }

  /// Forgets who synced.
  func forgetThreads() { locked { syncing = [] } }
  /// The call at which the power failed; nil while it is on.
  var callAtCut: Call? { locked { survivor == nil ? nil : lastCall } }

  /// How many calls there were.
  var callCount: Int { locked { calls } }

  /// What the power cut left; cuts the power where it is still on.
  func afterCut() -> MemoryDisk {
    locked {
      if survivor == nil { cut() }
      return survivor ?? MemoryDisk(seed: 0)
    }
  }

  // MARK: What is on it

  /// A file: its bytes as they are read, and as they would survive.
  fileprivate final class Node {
    var live: [UInt8] = []
    var durable: [UInt8] = []
    /// Pages written since the last sync, with some of the contents that they had meanwhile.
    var dirty: [Int: [[UInt8]]] = [:]
    var isSizeDirty = false
    var links = 0
    var lockedBy: ObjectIdentifier?
  }

  private enum Entry {
    case file(Node)
    case directory
  }

  private struct Directory {
    var live: [String: Entry] = [:]
    var durable: [String: Entry] = [:]
    /// What was changed since the last sync, each change in one step.
    var changes: [[(name: String, entry: Entry?)]] = []
  }

  private static let page = 4_096

  // MARK: Power

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    return try body()
  }

  /// Counts a call, does it, and ends it as was asked for. `partly` is done where it is to fail.
  private func call<Result>(
    _ kind: Call, _ path: String, partly: () -> Void = {}, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    guard survivor == nil else { throw StoreError(.io, "the power is cut", file: path) }
    calls += 1
    if kind == .sync || kind == .syncDirectory { syncing.insert(Thread.current.name ?? "") }
    lastCall = kind
    callsOfKind[kind, default: 0] += 1
    if let fault, fault.call == kind, callsOfKind[kind] == fault.number {
      self.fault = nil
      partly()
      throw StoreError(fault.failure.code, "cannot \(kind): it was made to fail", file: path)
    }
    if let (suffix, number) = suffixToKillAt, path.hasSuffix(suffix) {
      suffixToKillAt = (suffix, number - 1)
      if number == 1 { cutAt = calls }
    }
    guard calls == cutAt else { return try body() }
    _ = try? body()
    cut()
    throw StoreError(.io, "the power is cut", file: path)
  }

  /// What a power cut at this moment would leave for certain, and nothing that was not synced; the power stays on.
  func leftByCut() -> MemoryDisk { locked { remainder(MemoryDisk(seed: 0), mood: 0) } }

  /// Decides what survives.
  private func cut() {
    let rest = MemoryDisk(seed: random.next())
    // 0: nothing that was not synced, 1: all of it, else each part by itself.
    survivor = remainder(rest, mood: keepsAll ? 1 : random.next() % 6)
  }

  private func remainder(_ rest: MemoryDisk, mood: UInt64) -> MemoryDisk {
    var copies: [ObjectIdentifier: Node] = [:]
    for (path, directory) in directories.sorted(by: { $0.key < $1.key }) {
      var names = directory.durable
      for change in directory.changes where survives(mood) {
        for (name, entry) in change { names[name] = entry }
      }
      var copy = Directory()
      for (name, entry) in names.sorted(by: { $0.key < $1.key }) {
        guard case .file(let node) = entry else {
          copy.durable[name] = entry
          continue
        }
        let kept = copies[ObjectIdentifier(node)] ?? remains(of: node, mood)
        copies[ObjectIdentifier(node)] = kept
        kept.links += 1
        copy.durable[name] = .file(kept)
      }
      copy.live = copy.durable
      rest.directories[path] = copy
    }
    rest.dropUnreachable()
    return rest
  }

  private func survives(_ mood: UInt64) -> Bool { mood == 1 || (mood > 1 && random.next() % 2 == 0) }

  private func remains(of node: Node, _ mood: UInt64) -> Node {
    let kept = Node()
    kept.live = node.durable
    if node.isSizeDirty, survives(mood) {
      var size = node.live.count
      if mood > 1, size > node.durable.count, random.next() % 3 == 0 {
        size = node.durable.count + Int(random.next() % UInt64(size - node.durable.count + 1))
      }
      Self.resize(&kept.live, to: size)
    }
    for (index, versions) in node.dirty.sorted(by: { $0.key < $1.key }) where survives(mood) {
      var content = Self.content(of: node.live, page: index)
      if mood > 1, let older = versions.randomElement(using: &random), random.next() % 3 == 0 { content = older }
      Self.replace(&kept.live, from: index * Self.page, with: content)
    }
    kept.durable = kept.live
    return kept
  }

  private func dropUnreachable() {
    for path in directories.keys.sorted() where path != "/" {
      let (parent, name) = Self.split(path)
      if directories[parent]?.live[name] == nil { directories[path] = nil }
    }
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: size - bytes.count))
    }
  }

  /// Puts bytes in the place of those from `start` on, as far as there are any.
  private static func replace(_ bytes: inout [UInt8], from start: Int, with content: [UInt8]) {
    guard start < bytes.count else { return }
    let count = Swift.min(content.count, bytes.count - start)
    bytes.replaceSubrange(start..<start + count, with: content[..<count])
  }

  private static func content(of bytes: [UInt8], page index: Int) -> [UInt8] {
    let start = Swift.min(index * page, bytes.count)
    return Array(bytes[start..<Swift.min(start + page, bytes.count)])
  }

  // MARK: Directories

  private static func split(_ path: String) -> (parent: String, name: String) {
    let parts = path.split(separator: "/").map(String.init)
    return ("/" + parts.dropLast().joined(separator: "/"), parts.last ?? "")
  }

  private static func clean(_ path: String) -> String { "/" + path.split(separator: "/").joined(separator: "/") }

  private func change(_ parent: String, _ steps: [(name: String, entry: Entry?)]) {
    for (name, entry) in steps {
      if case .file(let node) = directories[parent]?.live[name] { node.links -= 1 }
      if case .file(let node) = entry { node.links += 1 }
      directories[parent]?.live[name] = entry
    }
    directories[parent]?.changes.append(steps)
  }

  private func missing(_ path: String) -> StoreError { StoreError(.notFound, "there is no such file", file: path) }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    try call(.open, path) { () throws(StoreError) in
      let (parent, name) = Self.split(path)
      guard let directory = directories[parent] else { throw missing(path) }
      switch (directory.live[name], mode) {
      case (.directory, _): throw StoreError(.notFound, "this is a directory", file: path)
      case (.file, .createNew): throw StoreError(.cannotCreate, "it is there", file: path)
      case (.file(let node), _): return OpenFile(node, path: path, disk: self)
      case (nil, .read), (nil, .update): throw missing(path)
      case (nil, .createNew), (nil, .updateOrCreate):
        let node = Node()
        change(parent, [(name, .file(node))])
        return OpenFile(node, path: path, disk: self)
      }
    }
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool {
    try call(.makeDirectory, path) { () throws(StoreError) in
      let (parent, name) = Self.split(path)
      guard let directory = directories[parent] else { throw missing(path) }
      if directory.live[name] != nil { return false }
      change(parent, [(name, .directory)])
      directories[Self.clean(path)] = Directory()
      return true
    }
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    try call(.names, directory) { () throws(StoreError) in
      guard let found = directories[Self.clean(directory)] else { throw missing(directory) }
      return Array(found.live.keys)
    }
  }

  func rename(_ from: String, to: String) throws(StoreError) {
    try call(.rename, from) { () throws(StoreError) in
      let (parent, name) = Self.split(from)
      guard let entry = directories[parent]?.live[name] else { throw missing(from) }
      change(parent, [(Self.split(to).name, entry), (name, nil)])
    }
  }

  func remove(_ path: String) throws(StoreError) {
    try call(.remove, path) { () throws(StoreError) in
      let (parent, name) = Self.split(path)
      guard directories[parent]?.live[name] != nil else { throw missing(path) }
      change(parent, [(name, nil)])
    }
  }

  func syncDirectory(_ path: String) throws(StoreError) {
    try call(.syncDirectory, path) { () throws(StoreError) in
      let path = Self.clean(path)
      guard let directory = directories[path] else { throw missing(path) }
      directories[path]?.durable = directory.live
      directories[path]?.changes = []
    }
  }

  // MARK: Files

  private final class OpenFile: DiskFile, @unchecked Sendable {  // guarded by the disk
    let path: String
    private let node: Node
    private let disk: MemoryDisk

    init(_ node: Node, path: String, disk: MemoryDisk) {
      self.node = node
      self.path = path
      self.disk = disk
    }

    deinit { unlock() }

    func size() throws(StoreError) -> UInt64 { try disk.call(.size, path) { UInt64(node.live.count) } }

    func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
      try disk.call(.read, path) {
        guard offset < UInt64(node.live.count), count > 0 else { return [] }
        let start = Int(offset)
        return Array(node.live[start..<start + Swift.min(count, node.live.count - start)])
      }
    }

    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
      var copy: [UInt8] = []
      for index in bytes.indices { copy.append(bytes[index]) }
      let (start, all) = (Int(offset), copy)
      try disk.call(
        .write, path,
        partly: { disk.put(all.prefix(Int(disk.random.next() % UInt64(all.count + 1))), at: start, in: node) },
        { disk.put(all[...], at: start, in: node) })
    }

    func truncate(to size: UInt64) throws(StoreError) {
      try disk.call(.truncate, path) { disk.resize(node, to: Int(size)) }
    }

    func sync() throws(StoreError) {
      try disk.call(
        .sync, path, partly: { disk.settle(node, isWhole: false) }, { disk.settle(node, isWhole: true) })
    }

    func lock() throws(StoreError) -> Bool {
      try disk.call(.lock, path) {
        guard node.lockedBy == nil || node.lockedBy == ObjectIdentifier(self) else { return false }
        node.lockedBy = ObjectIdentifier(self)
        return true
      }
    }

    func unlock() {
      let me = ObjectIdentifier(self)
      disk.locked { if node.lockedBy == me { node.lockedBy = nil } }
    }

    func isReplaced() throws(StoreError) -> Bool { try disk.call(.size, path) { node.links == 0 } }

    func isLockedElsewhere() throws(StoreError) -> Bool {
      try disk.call(.lock, path) { node.lockedBy != nil && node.lockedBy != ObjectIdentifier(self) }
    }
  }

  private func put(_ bytes: ArraySlice<UInt8>, at start: Int, in node: Node) {
    guard !bytes.isEmpty else { return }
    let end = start + bytes.count
    remember(node, from: start, to: end)
    if end > node.live.count { Self.resize(&node.live, to: end) }
    // Also where the file had that size: what is written behind the durable end brings it along, as its blocks do on a disk.
    if end > node.durable.count { node.isSizeDirty = true }
    node.live.replaceSubrange(start..<end, with: bytes)
  }

  private func resize(_ node: Node, to size: Int) {
    guard size != node.live.count else { return }
    remember(node, from: Swift.min(size, node.live.count), to: Swift.max(size, node.live.count))
    Self.resize(&node.live, to: size)
    node.isSizeDirty = true
  }

  private func remember(_ node: Node, from start: Int, to end: Int) {
    for index in start / Self.page...Swift.max(start, end - 1) / Self.page {
      var versions = node.dirty[index] ?? []
      if versions.count == 4 { versions.remove(at: Int(random.next() % 4)) }
      versions.append(Self.content(of: node.live, page: index))
      node.dirty[index] = versions
    }
  }

  /// Makes what was written durable; or only some of it, and forgets that the rest is not.
  private func settle(_ node: Node, isWhole: Bool) {
    if node.isSizeDirty, isWhole || random.next() % 2 == 0 { Self.resize(&node.durable, to: node.live.count) }
    for index in node.dirty.keys.sorted() where isWhole || random.next() % 2 == 0 {
      Self.replace(&node.durable, from: index * Self.page, with: Self.content(of: node.live, page: index))
    }
    node.dirty = [:]
    node.isSizeDirty = false
  }
}

/// SplitMix64: small, and the same on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
