import Foundation
import Testing

@testable import EventStore

/// A writer whose file is taken away under it: a write to it succeeds, and keeps nothing.
@Suite struct GoneFileTests {
  enum Harm: String, CaseIterable {
    case removed, replaced, cut, directoryRemoved, directoryMoved

    func apply(to store: TemporaryStore) throws {
      let last = try #require(store.segments().last)
      let files = FileManager.default
      switch self {
      case .removed: try files.removeItem(atPath: last)
      case .replaced:
        let content = try bytes(of: last)
        try files.removeItem(atPath: last)
        try write(content, to: last)
      case .cut: #expect(truncate(last, 400) == 0)
      case .directoryRemoved: try files.removeItem(atPath: store.path)
      case .directoryMoved: try files.moveItem(atPath: store.path, toPath: store.folder + "/moved")
      }
    }
  }

  @Test(arguments: Harm.allCases) func `a sync finds that the file is gone, and the log stops`(_ harm: Harm) throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    pass(log, try log.append([record("a"), record("b")]))
    try log.sync()
    try harm.apply(to: store)
    let error = #expect(throws: StoreError.self) {
      _ = try log.append([record("a", "lost")])
      try log.sync()
    }
    #expect(error?.code == .missingSegment && error?.advice != nil, "\(String(describing: error))")
    #expect(log.failure?.code == .missingSegment)
    #expect(throws: StoreError(.missingSegment, "")) { try log.append([record("a")]) }
    try? log.close()
  }

  @Test(arguments: Harm.allCases) func `in mode each no record is acknowledged any more`(_ harm: Harm) async throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: LogOptions(durability: .each))
    _ = try await log.appendAndWait([record("a")])
    try harm.apply(to: store)
    await #expect(throws: StoreError(.missingSegment, "")) { try await log.appendAndWait([record("a", "lost")]) }
    try? log.close()
  }

  @Test func `without a sync, the end of a frame finds it`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: LogOptions(frameBytes: 2_000))
    pass(log, try log.append([record("a")]))
    try Harm.removed.apply(to: store)
    var acknowledged = 0
    while acknowledged < 100, let ticket = try? log.append([record("a", "\(acknowledged)")]),
      log.barrier(ticket, resume: { _ in }) == .passed
    { acknowledged += 1 }
    #expect(acknowledged < 20, "a frame of 2,000 bytes has fewer records")
    #expect(log.failure?.code == .missingSegment)
    try? log.close()
  }
}
