// Limits the cost of masking one answer, because an org determines the number of secrets and the length of the texts.

/// The remaining budget for masking a message.
struct MaskingBudget: Sendable {
  /// The number of secrets and sightings that may still be added to the vault.
  private var secrets: Int
  /// The number of bytes that may still be stored or searched.
  private var bytes: Int
  /// Whether the budget was exceeded, in which case the masked text must not be used.
  private(set) var isExceeded = false

  /// Without limits, for data from the application.
  static let unbounded = MaskingBudget(secrets: .max, bytes: .max)

  /// A budget of this many secrets and bytes.
  init(secrets: Int, bytes: Int) {
    self.secrets = secrets
    self.bytes = bytes
  }

  /// Deducts the cost of a new secret in the vault.
  mutating func takesSecret(bytes count: Int) -> Bool {
    guard secrets > 0, takes(bytes: count) else {
      isExceeded = true
      return false
    }
    if secrets != .max { secrets -= 1 }
    return true
  }

  /// Deducts bytes that are searched or written.
  mutating func takes(bytes count: Int) -> Bool {
    guard !isExceeded, bytes >= count else {
      isExceeded = true
      return false
    }
    if bytes != .max { bytes -= count }
    return true
  }
}
