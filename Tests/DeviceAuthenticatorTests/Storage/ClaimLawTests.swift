import DeviceAuthenticator
import Testing

/// The laws of claims: a transaction is answered once, whoever else tries.
@Suite struct ClaimLawTests {
  @Test(arguments: StorageMaker.all)
  func `the first claim counts, and the second reports it`(maker: StorageMaker) throws {
    let storage = try maker.make()
    let first = StoredTransaction.asked("ft1")
    #expect(try storage.claim(first, now: 500) == nil)
    #expect(try storage.claim(.asked("ft1", stream: "device/2"), now: 500) == first)
    #expect(try storage.claim(.asked("ft2"), now: 500) == nil)
    #expect(try storage.transaction(id: "ft1") == first && storage.transaction(id: "ft3") == nil)
  }

  @Test(arguments: StorageMaker.all)
  func `of many that claim at the same time one succeeds`(maker: StorageMaker) async throws {
    let storage = try maker.make()
    for round in 0..<20 {
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<8 {
          group.addTask { try storage.claim(.asked("ft\(round)", stream: "device/\(number)"), now: 0) == nil }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }

  @Test(arguments: StorageMaker.all)
  func `a transaction is known until its expiry, that instant included, and may be claimed after`(
    maker: StorageMaker
  ) throws {
    let storage = try maker.make()
    _ = try storage.claim(.asked("ft1", expiry: 1_000), now: 0)
    #expect(try storage.claim(.asked("ft1"), now: 1_000) != nil)
    #expect(try storage.claim(.asked("ft1"), now: 1_000.000_001) == nil)
  }

  @Test(arguments: StorageMaker.all)
  func `the answer is kept while it is signed, and forgotten when the transaction ended`(maker: StorageMaker) throws {
    let storage = try maker.make()
    let asked = StoredTransaction.asked("ft1")
    _ = try storage.claim(asked, now: 0)
    try storage.save(asked.signed())
    #expect(try storage.transaction(id: "ft1") == asked.signed())
    try storage.save(asked.signed())
    try storage.save(asked.signed().ended)
    let ended = try storage.transaction(id: "ft1")
    #expect(ended?.stage == .ended && ended?.response == nil && ended?.fingerprint == "print")
  }

  @Test(arguments: StorageMaker.all)
  func `no stage goes back, no answer is changed for another, and no claims are`(maker: StorageMaker) throws {
    let storage = try maker.make()
    let asked = StoredTransaction.asked("ft1")
    _ = try storage.claim(asked, now: 0)
    var foreign = asked
    foreign.fingerprint = "other"
    #expect(throws: StorageFailure.self) { try storage.save(foreign) }
    try storage.save(asked.signed())
    for refused in [asked, asked.signed("d.e.f"), foreign.signed()] {
      #expect(throws: StorageFailure.self) { try storage.save(refused) }
    }
    #expect(try storage.transaction(id: "ft1") == asked.signed())
    try storage.save(asked.signed().ended)
    for refused in [asked, asked.signed()] { #expect(throws: StorageFailure.self) { try storage.save(refused) } }
    #expect(try storage.transaction(id: "ft1")?.stage == .ended)
  }

  @Test(arguments: StorageMaker.all)
  func `a claim is taken over and released if it is still as it was, else not`(maker: StorageMaker) throws {
    let storage = try maker.make()
    let dead = StoredTransaction.asked("ft1", stream: "device/dead")
    let next = StoredTransaction.asked("ft1", stream: "device/next")
    _ = try storage.claim(dead, now: 0)
    #expect(try storage.replace(dead, with: next))
    #expect(try !storage.replace(dead, with: .asked("ft1", stream: "device/late")))
    #expect(try storage.transaction(id: "ft1") == next)
    #expect(throws: StorageFailure.self) { try storage.replace(next, with: .asked("ft2")) }
    #expect(try storage.replace(next, with: next.signed()))
    #expect(throws: StorageFailure.self) { try storage.replace(next.signed(), with: next) }
    #expect(try storage.replace(next.signed(), with: nil) && storage.transaction(id: "ft1") == nil)
    #expect(try !storage.replace(next.signed(), with: nil))
  }

  @Test func `a storage in memory that fails says so until it is let`() throws {
    let storage = MemoryEnrollmentStorage()
    let failure = StorageFailure.sqlite(code: 13, reason: "the disk is full")
    storage.fail(with: failure)
    #expect(throws: failure) { try storage.enrollments() }
    #expect(throws: failure) { try storage.claim(.asked("ft1"), now: 0) }
    storage.fail(with: nil)
    #expect(try storage.claim(.asked("ft1"), now: 0) == nil)
  }
}
