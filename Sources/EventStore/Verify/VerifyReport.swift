// The verdicts of CLI.md.

/// What verifying a store found.
public struct VerifyReport: Sendable, Hashable {
  /// The verdict; if several hold, the gravest.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// Consistent, and anchored in a checkpoint whose key the caller pinned.
    case ok
    /// Consistent, nothing pinned.
    case unanchored
    /// A torn tail; nothing that the log says was synced is lost.
    case torn
    /// Bytes known to be synced have changed.
    case altered
    /// Smaller than a checkpoint.
    case truncated
    /// The size of a checkpoint matches, but its root differs.
    case forked
    /// A checkpoint's signature is invalid.
    case badSignature
    /// A segment is not there.
    case missingSegment
    /// Consistent and anchored, ranges pruned.
    case pruned

    /// The exit code of `auditctl verify`.
    public var exitCode: Int32 {
      switch self {
      case .ok: 0
      case .unanchored: 10
      case .torn: 11
      case .altered: 20
      case .truncated: 21
      case .forked: 22
      case .badSignature: 23
      case .missingSegment: 24
      case .pruned: 30
      }
    }
  }

  /// One thing that was found.
  public struct Finding: Sendable, Hashable {
    /// The verdict that it supports; `ok` if it is worth a look but changes nothing that can be read, like a stray
    /// file.
    public var kind: Verdict
    /// The file's name, relative to the store.
    public var segment: String?
    /// The byte in the file.
    public var offset: UInt64?
    /// The position in the log.
    public var position: UInt64?
    /// The finding, one sentence.
    public var message: String
    /// True if it is a finding only because the caller demanded it; see `VerifyDemands`.
    public var isDemand = false
  }

  /// The verdict.
  public var verdict: Verdict
  /// How many records are whole, from position 0 without a gap.
  public var records: UInt64
  /// The Merkle root over them, in standard base64.
  public var root: String
  /// All that was found.
  public var findings: [Finding]
  /// The size that the pinned key vouches for; nil if nothing anchors the log.
  public var anchoredSize: UInt64?
  /// How many records follow the anchored ones.
  public var recordsAfterAnchor: UInt64?
  /// The stores that this one says it was restored from; that is not signed.
  public var restoredFrom: [StoreOrigin] = []
  /// The checkpoints that the pinned key has signed and the log agrees with, each copy that was found: one may have
  /// cosignatures that another lacks.
  public var anchors: [SignedNote] = []
  /// What the witnesses that were asked for have cosigned; see `VerifyDemands`.
  public var cosigned: [Cosigned] = []

  /// True if the store is not in a state that a writer leaves.
  var isFault: Bool { ![.ok, .unanchored, .pruned].contains(verdict) }
}
