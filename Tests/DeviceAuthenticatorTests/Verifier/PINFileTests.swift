import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Testing

/// A PIN in a file.
@Suite struct PINFileTests {
  let folder: OwnFolder
  let time = VirtualTime(start: Timestamp(microseconds: 1_700_000_000_000_000))

  init() throws { folder = try OwnFolder() }

  private func pin() throws(PINError) -> PINFile {
    try PINFile(directory: folder.file("pin"), cost: .weakForTests, clock: time)
  }

  @Test func `the right PIN gives the same receipt each time, in any process, and another PIN none`() throws {
    try pin().setPIN("2468")
    let store = MemoryKeyStore()
    let receipt = try pin().verify("2468")
    #expect(try receipt.method == .pin && receipt.epoch == pin().epoch && !receipt.epoch.isEmpty)
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(receipt))
    #expect(try store.sign([], tag: "uv", receipt: pin().verify("2468")).count == 64)
    #expect(throws: PINError.wrong(left: 4)) { try pin().verify("2469") }
    #expect(throws: PINError.wrong(left: 3)) { try pin().verify("") }
    #expect(throws: PINError.wrong(left: 2)) { try pin().verify(String(repeating: "2", count: 500)) }
  }

  @Test func `a PIN typed in another form of the same characters is the same`() throws {
    try pin().setPIN("caf\u{E9}")
    #expect(try pin().verify("cafe\u{301}").method == .pin)
  }

  @Test func `neither the PIN nor the receipt's secret is in the file`() throws {
    let pin = try pin()
    try pin.setPIN("canary-pin")
    let receipt = try pin.verify("canary-pin")
    let text = String(decoding: try folder.read("pin/pin.json"), as: UTF8.self)
    #expect(!text.contains("canary") && !text.contains(Data("canary-pin".utf8).base64EncodedString()))
    let store = MemoryKeyStore()
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(receipt))
    for match in text.matches(of: /"(?:check|salt|epoch)":"([^"]+)"/) {
      let bytes = Array(try #require(Data(base64Encoded: String(match.output.1))))
      let forged = VerificationReceipt(method: .pin, secret: bytes, epoch: receipt.epoch)
      #expect(throws: KeyStoreError.notVerified(tag: "uv")) { try store.sign([], tag: "uv", receipt: forged) }
    }
    #expect(try folder.mode(of: "pin/pin.json") == "600" && folder.mode(of: "pin") == "700")
  }

  @Test func `a PIN is changed with the old one, and keys that were bound to it are invalidated`() throws {
    let pin = try pin()
    try pin.setPIN("2468")
    let store = MemoryKeyStore()
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(try pin.verify("2468")))
    #expect(throws: PINError.alreadySet) { try pin.setPIN("1357") }
    #expect(throws: PINError.wrong(left: 4)) { try pin.setPIN("1357", replacing: "0000") }
    try pin.setPIN("2468", replacing: "2468")
    let receipt = try pin.verify("2468")
    #expect(throws: KeyStoreError.invalidated(tag: "uv")) { try store.sign([], tag: "uv", receipt: receipt) }
  }

  @Test func `of many that set a PIN at the same time one does, and of many that change it`() async throws {
    for round in 0..<20 {
      let path = folder.file("pin-\(round)")
      let set = await tries(at: path) { pin, number in try pin.setPIN("246\(number)") }
      #expect(set.count == 1, "round \(round)")
      let old = "246\(set.first ?? 9)"
      let pin = try PINFile(directory: path, cost: .weakForTests, clock: time)
      #expect(try pin.verify(old).method == .pin, "round \(round)")
      // Each that comes late finds the old PIN wrong, or another one in its place.
      let changed = await tries(at: path) { pin, number in try pin.setPIN("135\(number)", replacing: old) }
      #expect(changed.count <= 1, "round \(round)")
    }
  }

  /// Which of eight tasks succeeded.
  private func tries(
    at path: String, _ body: @escaping @Sendable (PINFile, Int) throws -> Void
  ) async -> [Int] {
    let time = time
    return await withTaskGroup(of: Int?.self) { group in
      for number in 0..<8 {
        group.addTask {
          do {
            try body(try PINFile(directory: path, cost: .weakForTests, clock: time), number)
            return number
          } catch {
            return nil
          }
        }
      }
      return await group.reduce(into: [Int]()) { found, number in if let number { found.append(number) } }
    }
  }

  @Test(arguments: ["", "123", "äöü", String(repeating: "1", count: 257)])
  func `a PIN that is too short or too long is not set`(text: String) throws {
    let pin = try pin()
    #expect(throws: PINError.unfit) { try pin.setPIN(text) }
    #expect(throws: PINError.notSet) { try pin.verify(text) }
    #expect(!pin.isSet && pin.epoch.isEmpty)
  }

  @Test func `after five wrong ones there is a pause, each longer, for the right one too, in each process`() throws {
    try pin().setPIN("2468")
    for left in [4, 3, 2, 1] { #expect(throws: PINError.wrong(left: left)) { try pin().verify("0000") } }
    for (seconds, after) in [(30, 0), (60, 30), (120, 60), (240, 120)] {
      time.advance(milliseconds: after * 1_000)
      #expect(throws: PINError.lockedOut(seconds: seconds)) { try pin().verify("0000") }
      #expect(throws: PINError.lockedOut(seconds: seconds)) { try pin().verify("2468") }
    }
    time.advance(milliseconds: 239_999)
    #expect(throws: PINError.lockedOut(seconds: 1)) { try pin().verify("2468") }
    time.advance(milliseconds: 1)
    #expect(try pin().verify("2468").method == .pin)
    #expect(throws: PINError.wrong(left: 4)) { try pin().verify("0000") }
  }

  @Test func `no pause is longer than an hour`() throws {
    let pin = try pin()
    try pin.setPIN("2468")
    for _ in 0..<40 {
      #expect(throws: PINError.self) { try pin.verify("0000") }
      time.advance(milliseconds: 3_600_000)
    }
    #expect(try pin.verify("2468").method == .pin)
  }

  @Test func `a clock that was set back does not make a pause last for ever`() throws {
    let later = VirtualTime(start: Timestamp(microseconds: 4_000_000_000_000_000))
    let ahead = try PINFile(directory: folder.file("pin"), cost: .weakForTests, clock: later)
    try ahead.setPIN("2468")
    for _ in 0..<5 { #expect(throws: PINError.self) { try ahead.verify("0000") } }
    #expect(throws: PINError.lockedOut(seconds: 30)) { try pin().verify("2468") }
    time.advance(milliseconds: 30_000)
    #expect(try pin().verify("2468").method == .pin)
  }

  @Test func `wrong PINs are counted in the file, and the right one sets the count back`() throws {
    try pin().setPIN("2468")
    let pin = try pin()
    #expect(throws: PINError.wrong(left: 4)) { try pin.verify("0000") }
    #expect(String(decoding: try folder.read("pin/pin.json"), as: UTF8.self).contains("\"failures\":1"))
    _ = try pin.verify("2468")
    #expect(String(decoding: try folder.read("pin/pin.json"), as: UTF8.self).contains("\"failures\":0"))
  }

  @Test func `a file that is damaged is an error and sets no count back`() throws {
    try pin().setPIN("2468")
    let whole = String(decoding: try folder.read("pin/pin.json"), as: UTF8.self)
    for (old, new) in [
      ("\"failures\":0", "\"failures\":-1"), ("\"failures\":0", "\"failures\":9223372036854775807"),
      ("\"rounds\":2", "\"rounds\":3"), ("flowrecorder-pin", "other"), ("{", ""),
      ("\"lockedUntil\":0.0", "\"lockedUntil\":1e999"),
    ] {
      let damaged = whole.replacingOccurrences(of: old, with: new)
      #expect(damaged != whole)
      try folder.write(damaged, to: "pin/pin.json")
      let error = #expect(throws: PINError.self) { try pin().verify("2468") }
      guard case .unavailable? = error else { throw Unexpected("\(new): \(String(describing: error))") }
      #expect(throws: PINError.self) { try pin().setPIN("1357") }
    }
    try pin().remove()
    try pin().setPIN("1357")
    #expect(try pin().verify("1357").method == .pin)
  }

  @Test func `a folder that others may use is an error`() throws {
    try pin().setPIN("2468")
    try folder.setMode(0o755, of: "pin")
    #expect(throws: PINError.self) { try pin() }
  }
}
