import DeviceAuthenticator
import Foundation
import Testing

/// Key stores of processes that die, and of disks that refuse.
@Suite struct KeyStoreProcessTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  private var path: String { folder.file("keys") }

  @Test func `a process that is killed at any moment leaves the old key or the new one`() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next() % 1_000_000
    var state = seed
    var last: String?
    for round in 0..<25 {
      let process = try StoreProcess("keys", path)
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      process.read(lines: Int(state >> 60) + 1)
      process.kill()
      let end = process.end()
      #expect(end.code == -9)
      let said = try #require(end.lines.last ?? last)
      let store = try FileKeyStore(directory: path, seal: .none)
      let key = try #require(try store.publicKey(tag: "a"))
      let found = "made " + (key.x + key.y).map { String($0, radix: 16) }.joined(separator: ".")
      // What it did not come to say may be there already; an older one than it said may not.
      #expect(found == said || !end.lines.contains(found), "seed \(seed), round \(round)")
      #expect(try key.verifies(store.sign([1], tag: "a", receipt: nil), of: [1]), "seed \(seed), round \(round)")
      last = found
    }
    // The next write takes away what the dead ones left.
    let store = try FileKeyStore(directory: path, seal: .none)
    _ = try store.generate(tag: "b", role: .clientInstance, binding: nil)
    #expect(try folder.names(in: "keys") == ["LOCK", "a.key", "b.key", "store.json"])
  }

  @Test func `a full disk is an error, and leaves the old key and no new one`() throws {
    let end = try StoreProcess("full", path).end()
    #expect(end.code == 0 && end.lines.count == 3)
    for line in end.lines.dropFirst() {
      #expect(line.hasPrefix("refused ") && line.contains("unavailable") && line.contains("write on"), "\(line)")
    }
    let store = try FileKeyStore(directory: path, seal: .none)
    let key = try #require(try store.publicKey(tag: "a"))
    #expect(end.lines[0] == "made " + (key.x + key.y).map { String($0, radix: 16) }.joined(separator: "."))
    #expect(try folder.names(in: "keys") == ["LOCK", "a.key", "store.json"])
  }

  @Test func `a folder that may not be written is an error, and its keys can still be used`() throws {
    let end = try StoreProcess("readonly", path).end()
    #expect(end.code == 0, "\(end.lines)")
    #expect(end.lines.count == 4 && end.lines.last == "state available", "\(end.lines)")
    for line in end.lines.dropLast() {
      #expect(line.hasPrefix("refused ") && line.contains("unavailable"), "\(line)")
    }
  }

  @Test func `signals that interrupt each call disturb nothing`() throws {
    // Three, so that they wait for each other's lock: that is a call which a signal interrupts.
    let processes = try (0..<3).map { _ in try StoreProcess("interrupted", path, "200") }
    for process in processes {
      let end = process.end()
      #expect(end.lines == ["done 200"] && end.code == 0)
    }
  }
}
