import DeviceAuthenticator
import Testing

/// What the store in memory does beyond the laws: failures in advance, keys of test vectors, counts.
@Suite struct MemoryKeyStoreTests {
  @Test func `the key of test vector 22.2 keeps the zero byte that its x begins with`() throws {
    let d: [UInt8] = [
      0x32, 0x83, 0x80, 0x26, 0xc4, 0xf7, 0x40, 0x54, 0x30, 0x5f, 0xa6, 0x7b, 0xaa, 0xd4, 0xc3, 0xfb, 0x02, 0xac, 0x74,
      0xb4, 0xaf, 0xdc, 0x92, 0xef, 0x24, 0x14, 0xe2, 0xca, 0xfa, 0x9e, 0x65, 0x31,
    ]
    let store = MemoryKeyStore()
    let key = try store.add(privateKey: d, tag: "8F0B6C1E", role: .proofOfPossession)
    #expect(key.x.count == 32 && key.x.prefix(2) == [0x00, 0x2b] && key.x.suffix(2) == [0x39, 0x1a])
    #expect(key.y.prefix(2) == [0xaa, 0xb4] && key.y.suffix(2) == [0x8d, 0xab])
    #expect(try key.verifies(store.sign([1], tag: "8F0B6C1E", receipt: nil), of: [1]))
  }

  @Test func `bytes that are no key are refused`() {
    #expect(throws: KeyStoreError.self) {
      try MemoryKeyStore().add(privateKey: [1, 2], tag: "a", role: .clientInstance)
    }
  }

  @Test(arguments: MemoryKeyStore.Operation.allCases)
  func `an error given in advance ends the next call of its operation alone`(
    operation: MemoryKeyStore.Operation
  ) throws {
    let store = MemoryKeyStore()
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    store.fail(operation, with: .unavailable(reason: "test"))
    func call(_ operation: MemoryKeyStore.Operation) throws {
      switch operation {
      case .generate: _ = try store.generate(tag: "b", role: .proofOfPossession, binding: nil)
      case .publicKey: _ = try store.publicKey(tag: "a")
      case .sign: _ = try store.sign([], tag: "a", receipt: nil)
      case .delete: try store.delete(tag: "a")
      case .tags: _ = try store.tags()
      }
    }
    for other in MemoryKeyStore.Operation.allCases where other != operation && other != .delete { try call(other) }
    #expect(throws: KeyStoreError.unavailable(reason: "test")) { try call(operation) }
    try call(operation)
  }

  @Test func `a locked key says so, signs nothing, and signs again when it is let`() throws {
    let store = MemoryKeyStore(protection: .hardware)
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    store.setLockedOut(true, tag: "a")
    #expect(store.state(tag: "a") == .lockedOut && store.protection == .hardware)
    #expect(throws: KeyStoreError.lockedOut(tag: "a")) { try store.sign([], tag: "a", receipt: nil) }
    #expect(store.signatures(tag: "a") == 0)
    store.setLockedOut(false, tag: "a")
    _ = try store.sign([], tag: "a", receipt: nil)
    #expect(store.signatures(tag: "a") == 1)
  }
}
