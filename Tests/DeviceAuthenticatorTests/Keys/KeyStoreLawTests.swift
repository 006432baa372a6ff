import Crypto
import DeviceAuthenticator
import Foundation
import Testing

/// The laws of a key store, for each of ours.
@Suite struct KeyStoreLawTests {
  static let message = Array("message".utf8)
  static let receipt = VerificationReceipt(method: .pin, secret: Array(repeating: 9, count: 32), epoch: [1])

  @Test(arguments: KeyStoreMaker.all)
  func `a signature is 64 bytes and verifies with the public key`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    let key = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let signature = try store.sign(Self.message, tag: "a", receipt: nil)
    #expect(signature.count == 64 && key.x.count == 32 && key.y.count == 32)
    #expect(try key.verifies(signature, of: Self.message))
    #expect(try !key.verifies(signature, of: [0]))
    #expect(try store.publicKey(tag: "a") == key && store.state(tag: "a") == .available)
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a key that is not there is lost, nil, deleted for false, and not found to sign with`(
    maker: KeyStoreMaker
  ) throws {
    let store = try maker.make()
    #expect(try store.publicKey(tag: "none") == nil && store.delete(tag: "none") == false && store.tags().isEmpty)
    #expect(store.state(tag: "none") == .lost)
    #expect(throws: KeyStoreError.notFound(tag: "none")) { try store.sign([], tag: "none", receipt: nil) }
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a deleted key is gone, and the others stay`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    _ = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let kept = try store.generate(tag: "b", role: .clientInstance, binding: nil)
    #expect(try store.tags().sorted() == ["a", "b"])
    #expect(try store.delete(tag: "a") && store.tags() == ["b"])
    #expect(try store.publicKey(tag: "b") == kept && store.state(tag: "a") == .lost)
    #expect(throws: KeyStoreError.notFound(tag: "a")) { try store.sign([], tag: "a", receipt: nil) }
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a key made under a tag that is taken replaces it`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    let first = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let second = try store.generate(tag: "a", role: .proofOfPossession, binding: nil)
    let signature = try store.sign(Self.message, tag: "a", receipt: nil)
    #expect(try first != second && second.verifies(signature, of: Self.message))
    #expect(try !first.verifies(signature, of: Self.message) && store.tags() == ["a"])
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a bound key signs with its receipt, and without it or with another one it does not`(
    maker: KeyStoreMaker
  ) throws {
    let store = try maker.make()
    let key = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(Self.receipt))
    let signature = try store.sign(Self.message, tag: "uv", receipt: Self.receipt)
    #expect(try key.verifies(signature, of: Self.message))
    #expect(try store.publicKey(tag: "uv") == key && store.state(tag: "uv") == .available)
    let other = VerificationReceipt(method: .pin, secret: Array(repeating: 8, count: 32), epoch: [1])
    let short = VerificationReceipt(method: .pin, secret: [9], epoch: [1])
    for receipt in [nil, other, short] {
      #expect(throws: KeyStoreError.notVerified(tag: "uv")) { try store.sign([], tag: "uv", receipt: receipt) }
    }
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a bound key is invalidated by another enrolled set, even with the same secret`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(Self.receipt))
    let later = VerificationReceipt(method: .pin, secret: Array(repeating: 9, count: 32), epoch: [2])
    #expect(throws: KeyStoreError.invalidated(tag: "uv")) { try store.sign([], tag: "uv", receipt: later) }
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a bound key counts under its own enrolled set, a silent one under any, one that is not there under none`(
    maker: KeyStoreMaker
  ) throws {
    let store = try maker.make()
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(Self.receipt))
    _ = try store.generate(tag: "pop", role: .proofOfPossession, binding: nil)
    let epochs: [[UInt8]] = [[1], [2], []]
    #expect(epochs.map { store.counts(tag: "uv", under: $0) } == [true, false, false])
    #expect(epochs.map { store.counts(tag: "pop", under: $0) } == [true, true, true])
    #expect(epochs.map { store.counts(tag: "none", under: $0) } == [false, false, false])
  }

  @Test(arguments: KeyStoreMaker.all, [KeyRole.userVerification, .userVerificationBioOrPin])
  func `a key that shows the person's presence cannot be made without a binding`(
    maker: KeyStoreMaker, role: KeyRole
  ) throws {
    let store = try maker.make()
    let error = #expect(throws: KeyStoreError.self) { try store.generate(tag: "uv", role: role, binding: nil) }
    guard case .notMade("uv", _) = error else { throw Unexpected("\(String(describing: error))") }
    #expect(try store.tags().isEmpty)
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a binding of another enrolled set, or of a short secret, makes no key`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    let bindings = [
      KeyBinding(receipt: Self.receipt, epoch: [2]),
      KeyBinding(VerificationReceipt(method: .pin, secret: [1, 2, 3], epoch: [1])),
    ]
    for binding in bindings {
      let error = #expect(throws: KeyStoreError.self) {
        try store.generate(tag: "uv", role: .userVerification, binding: binding)
      }
      guard case .notMade("uv", _) = error else { throw Unexpected("\(String(describing: error))") }
    }
    #expect(try store.tags().isEmpty)
  }

  @Test(arguments: KeyStoreMaker.all)
  func `a key that is bound may be a silent one too`(maker: KeyStoreMaker) throws {
    let store = try maker.make()
    _ = try store.generate(tag: "pop", role: .proofOfPossession, binding: KeyBinding(Self.receipt))
    #expect(throws: KeyStoreError.notVerified(tag: "pop")) { try store.sign([], tag: "pop", receipt: nil) }
    #expect(try store.sign([], tag: "pop", receipt: Self.receipt).count == 64)
  }

  @Test(arguments: KeyStoreMaker.all)
  func `many tasks that make, use and delete keys of their own do not disturb each other`(
    maker: KeyStoreMaker
  ) async throws {
    let store = try maker.make()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          let tag = "key-\(number)"
          let key = try store.generate(tag: tag, role: .proofOfPossession, binding: nil)
          let signature = try store.sign(Self.message, tag: tag, receipt: nil)
          let isGood = try key.verifies(signature, of: Self.message)
          return try store.delete(tag: tag) && isGood
        }
      }
      for try await isGood in group { #expect(isGood) }
    }
    #expect(try store.tags().isEmpty)
  }
}
