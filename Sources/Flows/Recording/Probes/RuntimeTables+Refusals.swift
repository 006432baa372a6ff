// What draws return if a seam of the application refuses, or returns an unusual value.

import EventStore

extension RuntimeTables {
  /// Keys that sign by reversing, unless they refuse.
  private struct OddKeys: SigningKeys {
    let error: SigningKeyError?

    func makeKey(id: String) throws(SigningKeyError) -> [UInt8] { [] }
    func sign(_ message: [UInt8], with id: String) throws(SigningKeyError) -> [UInt8] {
      if let error { throw error }
      return Array(id.utf8) + Array(message.reversed())
    }
  }

  /// A storage that refuses.
  private struct RefusingStorage: FlowStorage {
    let error: FlowStorageError

    func read(_ name: StorageName) throws(FlowStorageError) -> [UInt8]? { throw error }
    func write(_ bytes: [UInt8], as name: StorageName) throws(FlowStorageError) { throw error }
    func remove(_ name: StorageName) throws(FlowStorageError) -> Bool { throw error }
    func names() throws(FlowStorageError) -> [StorageName] { throw error }
  }

  /// A device with a token for each issuer.
  private struct OddDevice: DeviceIdentity {
    let token: String

    func token(for issuer: String) -> String { token + issuer }
  }

  private static func environment(_ change: (inout FlowEnvironment) -> Void) -> FlowEnvironment {
    var environment = FlowEnvironment(
      transport: InertTransport(), clock: VirtualTime(start: Timestamp(microseconds: 1_768_467_600_000_000)),
      entropy: SeededEntropy(seed: 7), device: nil, userAgent: "agent")
    change(&environment)
    return environment
  }

  static var refused: [String] {
    let errors: [SigningKeyError?] = [
      nil, .exists("k"), .notFound("k"), .cancelled("k"), .lockedOut("k"), .invalidated("k"), .failed("k"),
    ]
    let signed = errors.enumerated().flatMap { number, error -> [String] in
      let seams = environment { $0.keys = OddKeys(error: error) }
      return ["m", "", "\u{e9}"].map { message in
        let input: JSON = ["key": "k", "message": .string(message)]
        return line("sign \(number) \(message)", result(of: .signature, input, seams))
      }
    }
    let failures: [FlowStorageError] = [
      .unsafe(path: "/home/ann", reason: "others can read it"), .failed(path: "/home/ann", reason: "it is full"),
    ]
    let stored = failures.enumerated().flatMap { number, failure -> [String] in
      let seams = environment { $0[FlowStorageSeam.self] = RefusingStorage(error: failure) }
      let input: JSON = ["name": "kept", "value": "v"]
      return [DrawKind.storageRead, .storageWrite, .storageRemove].map { kind in
        line("store \(number) \(kind.rawValue)", result(of: kind, input, seams))
      }
    }
    let devices = ["", "a", "a;b", String(repeating: "a", count: 31)].flatMap { token -> [String] in
      let seams = environment { $0.device = OddDevice(token: token) }
      let inputs: [JSON] = [[:], ["issuer": "x"], ["issuer": "xy"], ["issuer": "https://a.example"]]
      return inputs.map { line("device \(token) \($0.text)", result(of: .deviceToken, $0, seams)) }
    }
    return signed + stored + devices
  }
}
