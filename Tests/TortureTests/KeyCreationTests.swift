import EventStore
import Foundation
import Testing

/// A program that is killed while it makes a signing key, or one of whose calls fails there.
@Suite(.serialized) struct KeyCreationTests {
  @Test(
    "wherever it ends, the key is there whole or not at all, and one is made afterwards",
    .enabled(if: FaultShim.canBuild, "needs a C compiler"))
  func faults() async throws { try await Effort.onThread { try Self.run() } }

  private static func run() throws {
    let folder = try Folder()
    let shim = try FaultShim(in: folder)
    let key = folder.store + "/new/key"
    func make(_ environment: [String: String] = [:]) throws -> (lines: [String], end: Subject.End) {
      try Subject(["key", folder.store], environment: environment).end()
    }
    func start() throws {
      folder.clear()
      try FileManager.default.createDirectory(atPath: folder.store, withIntermediateDirectories: false)
    }
    try start()
    #expect(try make(shim.environment()).end == .exit(0))
    let calls = try shim.counters().calls.filter { $0.value > 0 }
    // What it remembers comes first, then the key: of the folder, each draft and the folder again, each is synced.
    #expect(calls["mkdir"] == 2 && calls["link"] == 1 && calls["unlink"] == 1 && calls["pwrite64"] == 2, "\(calls)")
    #expect((calls["fsync"] ?? 0) + (calls["fdatasync"] ?? 0) == 5 && calls["rename"] == 1, "\(calls)")
    var struck = 0
    for (call, most) in calls {
      for number in 1..<most + 1 {
        for fault in FaultShim.faults(of: call) {
          try start()
          let context = "\(call) number \(number), fault \(fault)"
          let (lines, end) = try make(shim.environment(call, number: number, fault))
          #expect(try shim.counters().hasStruck, "\(context)")
          struck += 1
          if FileManager.default.fileExists(atPath: key) {
            let found = try SigningKey.load(path: key)
            if end == .exit(0) { #expect(lines == ["\(found.verifier)"], "\(context)") }
            #expect(try make().end == .exit(1), "\(context): no key is made over another")
            #expect(try SigningKey.load(path: key).verifier == found.verifier, "\(context)")
          } else {
            #expect(end != .exit(0), "\(context)")
            #expect(try make().end == .exit(0), "\(context): the next one is made")
            _ = try SigningKey.load(path: key)
          }
        }
      }
    }
    #expect(struck > 30)
  }
}
