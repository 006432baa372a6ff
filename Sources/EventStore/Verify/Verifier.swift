/// Checks a store, trusting only its bytes and what the caller pins.
public struct Verifier: Sendable {
  let directory: String
  let pinnedKey: VerifierKey?
  let pinnedCheckpoint: SignedNote?

  /// A check of the store at `directory`.
  public init(directory: String, pinnedKey: VerifierKey? = nil, pinnedCheckpoint: SignedNote? = nil) {
    self.directory = directory
    self.pinnedKey = pinnedKey
    self.pinnedCheckpoint = pinnedCheckpoint
  }

  /// Runs the check.
  public func run() throws(StoreError) -> VerifyReport { throw StoreError(.closed, "not built yet") }
}
