/// Why a witness does not cosign a checkpoint.
public struct WitnessRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reasons, each with the HTTP status that the protocol gives it.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The request cannot be read, or contradicts itself.
    case malformed
    /// None of the log's keys that the witness knows has signed the checkpoint.
    case unsigned
    /// The witness does not know the log.
    case unknownLog
    /// The proof begins at another size than the one that the witness cosigned last: ask again from there.
    case stale
    /// The checkpoint is smaller than one that the witness has cosigned: the log was rolled back.
    case truncated
    /// The checkpoint has the size of the one that was cosigned last, and another root.
    case forked
    /// The proof does not lead from what was cosigned last to the checkpoint.
    case badProof

    /// The status of the answer (C2SP tlog-witness).
    public var status: Int {
      switch self {
      case .malformed: 400
      case .unsigned: 403
      case .unknownLog: 404
      case .stale, .truncated, .forked: 409
      case .badProof: 422
      }
    }
  }

  /// Why.
  public let reason: Reason
  /// The size that the witness cosigned last of this log, if it is about that.
  public let latest: UInt64?
  /// What happened: a clause without a full stop.
  public let message: String

  init(_ reason: Reason, _ message: String, latest: UInt64? = nil) {
    self.reason = reason
    self.latest = latest
    self.message = message
  }

  /// The message as a sentence.
  public var description: String { message.prefix(1).uppercased() + message.dropFirst() + "." }

  /// The same as an error of the store.
  public var storeError: StoreError {
    let code: StoreError.Code =
      switch reason {
      case .malformed: .malformed
      case .unsigned: .keyMismatch
      case .unknownLog: .notFound
      case .stale: .conflict
      case .truncated: .truncated
      case .forked: .forked
      case .badProof: .altered
      }
    return StoreError(code, message, position: latest)
  }
}
