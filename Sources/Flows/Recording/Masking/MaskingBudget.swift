// An org decides how many secrets an answer has and how long its texts are: what one answer may cost is bounded.

/// What masking one message may still take up.
struct MaskingBudget: Sendable {
  /// How many secrets and sightings may come into the vault.
  private var secrets: Int
  /// How many bytes may be taken up or searched.
  private var bytes: Int
  /// Whether it was not enough: the masked text is of no use then.
  private(set) var isExceeded = false

  /// No bound: for what the application gives.
  static let unbounded = MaskingBudget(secrets: .max, bytes: .max)

  /// A budget of so many secrets and bytes.
  init(secrets: Int, bytes: Int) {
    self.secrets = secrets
    self.bytes = bytes
  }

  /// Takes off what a new secret of the vault costs.
  mutating func takesSecret(bytes count: Int) -> Bool {
    guard secrets > 0, takes(bytes: count) else {
      isExceeded = true
      return false
    }
    if secrets != .max { secrets -= 1 }
    return true
  }

  /// Takes off bytes that are searched or written.
  mutating func takes(bytes count: Int) -> Bool {
    guard !isExceeded, bytes >= count else {
      isExceeded = true
      return false
    }
    if bytes != .max { bytes -= count }
    return true
  }
}
