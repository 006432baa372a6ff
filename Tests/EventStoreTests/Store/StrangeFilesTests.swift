import Foundation
import Testing

@testable import EventStore

/// What stands in a store in the place of a file that it should have: nothing of it may hold up a reader or a writer, or lead it
/// elsewhere.
@Suite struct StrangeFilesTests {
  /// What can be put there.
  enum Strange: String, CaseIterable {
    case pipe, device, directory, link

    func make(at path: String, linkTo target: String) throws {
      switch self {
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      // Not every user may make a device node; a link to one is refused as well, as a link.
      case .device: if mknod(path, S_IFCHR | 0o600, 0x105) != 0 { #expect(symlink("/dev/zero", path) == 0) }
      case .directory: #expect(mkdir(path, 0o700) == 0)
      case .link: #expect(symlink(target, path) == 0)
      }
    }
  }

  /// A signed store of a few segments, and the number of its records.
  private func makeStore() throws -> TemporaryStore {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 200, signedBy: try SigningKey(name: "seal"))
    return store
  }

  /// Everything that reads or opens a store; what it says is not looked at, only that it says something.
  private func touch(_ path: String) {
    _ = try? Verifier(directory: path).run()
    if let reader = try? LogReader(directory: path) {
      _ = try? reader.statistics()
      _ = try? reader.records(of: "s/3")
      _ = try? reader.inclusionProof(of: 3)
      if var cursor = try? reader.cursor() { while (try? cursor.next()) != nil {} }
      _ = try? reader.root(at: 7)
    }
    try? EventLog.open(at: path).close()
  }

  static let files = [
    "store.json", "LOCK", "segments/first", "segments/last", "checkpoints/latest", "checkpoints/100",
  ]

  @Test(arguments: files, Strange.allCases) func `what is not a file is refused, at once`(
    _ name: String, _ strange: Strange
  ) throws {
    let store = try makeStore()
    let segments = try store.segments()
    let last = try #require(segments.last)
    var path = store.path + "/" + name
    if name == "segments/first" { path = segments[0] }
    if name == "segments/last" { path = last }
    let elsewhere = store.folder + "/elsewhere"
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
    } else {
      try write([1, 2, 3], to: elsewhere)
    }
    let before = try bytes(of: elsewhere)
    try strange.make(at: path, linkTo: elsewhere)
    let error = #expect(throws: StoreError.self) { try SystemDisk().open(path, .read) }
    #expect(error?.code == .malformed, "\(String(describing: error))")
    #expect(error?.file == path)
    if name == "store.json" || name == "LOCK" || name == "segments/last" {
      #expect(throws: StoreError(.malformed, "")) { try EventLog.open(at: store.path) }
    }
    touch(store.path)
    #expect(try bytes(of: elsewhere) == before, "what a link leads to was changed")
  }

  @Test(arguments: Strange.allCases, [0, 1, 3])
  func `what is not a file in the place of a segment is a finding, and the others are checked`(
    _ strange: Strange, _ number: Int
  ) throws {
    let store = try TemporaryStore()
    try makeSegments(in: store, records: 900)
    let segments = try store.segments()
    try #require(segments.count > 4)
    let path = segments[number]
    try FileManager.default.moveItem(atPath: path, toPath: store.folder + "/elsewhere")
    try strange.make(at: path, linkTo: store.folder + "/elsewhere")
    var changed = try bytes(of: segments[2])
    changed[changed.count / 2] ^= 0x5A
    try write(changed, to: segments[2])
    for threads in [1, 4] {
      let report = try Verifier(directory: store.path).run(threads: threads)
      #expect(report.verdict == .altered)
      #expect(report.findings.count == 2 && report.findings.allSatisfy { $0.kind == .altered }, "\(report.findings)")
      for place in [path, segments[2]] {
        #expect(report.findings.contains { $0.segment.map(place.hasSuffix) == true }, "\(report.findings)")
      }
    }
  }

  /// A disk on which this user may not enter, or cannot read, one folder.
  private struct ClosedFolderDisk: Disk {
    let base = SystemDisk()
    let folder: String
    let code: StoreError.Code

    private func refuse(_ path: String) throws(StoreError) {
      if path.hasPrefix(folder + "/") { throw StoreError(code, "this folder is closed", file: path) }
    }

    func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
      try refuse(path)
      return try base.open(path, mode)
    }
    func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? {
      try refuse(path)
      return try base.entry(path, followingLinks: followingLinks)
    }
    func names(in directory: String) throws(StoreError) -> [String] {
      try refuse(directory + "/")
      return try base.names(in: directory)
    }
    func makeDirectory(_ path: String) throws(StoreError) -> Bool { try base.makeDirectory(path) }
    func rename(_ from: String, to: String) throws(StoreError) { try base.rename(from, to: to) }
    func remove(_ path: String) throws(StoreError) { try base.remove(path) }
    func syncDirectory(_ path: String) throws(StoreError) { try base.syncDirectory(path) }
  }

  @Test(arguments: ["index", "quarantine"], [StoreError.Code.permission, .io])
  func `a folder that no reader needs may be closed to a reader`(_ folder: String, _ code: StoreError.Code) throws {
    let store = try makeStore()
    let path = store.path + "/" + folder
    let disk = ClosedFolderDisk(folder: path, code: code)
    let reader = try LogReader(directory: store.path, disk: disk)
    #expect(try reader.statistics().records == UInt64(try records(in: store.path).count))
    let condition = try reader.condition()
    #expect(condition.unlisted.first == path && condition.quarantined == (folder == "quarantine" ? nil : 0))
    #expect(try LogReader(directory: store.path).condition().unlisted.isEmpty)
    let report = try Verifier(directory: store.path, disk: disk).run()
    #expect(report.verdict == .unanchored)
    #expect(report.findings.contains { $0.kind == .ok && $0.segment == folder }, "\(report.findings)")
  }

  @Test(arguments: ["segments", "checkpoints"]) func `a folder that readers need is not passed over`(
    _ folder: String
  ) throws {
    let store = try makeStore()
    let disk = ClosedFolderDisk(folder: store.path + "/" + folder, code: .permission)
    #expect(throws: StoreError(.permission, "")) { try Verifier(directory: store.path, disk: disk).run() }
  }

  @Test(arguments: ["segments", "checkpoints", "quarantine", "index"]) func `a folder that is a link is refused`(
    _ name: String
  ) throws {
    let store = try makeStore()
    let elsewhere = store.folder + "/elsewhere"
    try FileManager.default.moveItem(atPath: store.path + "/" + name, toPath: elsewhere)
    #expect(symlink(elsewhere, store.path + "/" + name) == 0)
    try write([1], to: elsewhere + "/00000000000000000000.ndjson.lz4.tmp")
    #expect(throws: StoreError(.malformed, "")) { try LogReader(directory: store.path) }
    #expect(throws: StoreError(.malformed, "")) { try Verifier(directory: store.path).run() }
    #expect(throws: StoreError(.malformed, "")) { try EventLog.open(at: store.path) }
    #expect(FileManager.default.fileExists(atPath: elsewhere + "/00000000000000000000.ndjson.lz4.tmp"))
  }

  @Test func `a store as a whole may be behind a link`() throws {
    let store = try makeStore()
    let link = store.folder + "/link"
    #expect(symlink(store.path, link) == 0)
    let count = try records(in: store.path).count
    let log = try EventLog.open(at: link)
    pass(log, try log.append([record("a")]))
    try log.close()
    #expect(try records(in: link).count == count + 1)
  }

  @Test func `a recording may be behind a link, and may be no pipe`() throws {
    let store = try makeStore()
    let reader = try LogReader(directory: store.path)
    let file = store.folder + "/slice.ndjson.lz4"
    try SliceFile.write(records: reader.records(of: "s/3"), source: reader.identity, to: file)
    let link = store.folder + "/link"
    #expect(symlink(file, link) == 0)
    #expect(try SliceFile.read(path: link).records.count == reader.records(of: "s/3").count)
    let pipe = store.folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: StoreError(.malformed, "")) { try SliceFile.read(path: pipe) }
    #expect(throws: StoreError(.malformed, "")) { try SliceFile.read(path: "/dev/zero") }
    #expect(throws: StoreError(.malformed, "")) { try SigningKey.load(path: pipe) }
  }

  @Test func `a second place that is a pipe or a link holds no writer up`() throws {
    for kind in [Strange.pipe, .link] {
      let store = try TemporaryStore()
      let place = store.folder + "/place"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let victim = store.folder + "/victim"
      try write([7], to: victim)
      for name in ["place.checkpoint", "place.checkpoint.lock"] {
        try kind.make(at: place + "/" + name, linkTo: victim)
      }
      let key = try SigningKey(name: "place")
      let options = LogOptions(origin: "place", checkpoints: CheckpointSchedule(key: key, every: nil, also: place))
      if let log = try? EventLog.open(at: store.path, options: options) {
        _ = try log.append([record("a")])
        try? log.close()
      }
      #expect(try bytes(of: victim) == [7])
    }
  }
}
