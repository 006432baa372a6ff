// Places in the files of a store, as its copies on other machines name them (docs/FLEET.md).

/// The form of a segment's bytes.
package enum SliceForm: String, Sendable, Hashable {
  /// As the log's writer wrote them.
  case written = "a"
  /// As sealing or pruning has rewritten the segment.
  case rewritten = "s"
}

/// A byte of a store: a segment, its form, an offset in the file.
package struct MirrorPlace: Sendable, Hashable {
  /// The first position of the segment.
  package var segment: UInt64
  /// The form of the file.
  package var form: SliceForm
  /// The offset in it.
  package var offset: UInt64

  /// The place at that offset.
  package init(segment: UInt64, form: SliceForm = .written, offset: UInt64 = 0) {
    self.segment = segment
    self.form = form
    self.offset = offset
  }

  /// Where a log begins.
  package static let start = MirrorPlace(segment: 0)

  /// True if this place of the log stands before another. Forms are not compared.
  package func isBefore(_ other: MirrorPlace) -> Bool { (segment, offset) < (other.segment, other.offset) }
}

/// How far a copy of a store is known to be good.
package struct MirrorState: Sendable, Hashable {
  /// The end of what was verified and synced.
  package var end: MirrorPlace
  /// How many records stand before it.
  package var size: UInt64
  /// The end of what the newest checkpoint covers that the enrolled key, or one that it led to, has signed; nil without
  /// one.
  package var signed: MirrorPlace?
  /// How many records that checkpoint covers; 0 without one.
  package var signedSize: UInt64

  /// A state from its parts.
  package init(end: MirrorPlace = .start, size: UInt64 = 0, signed: MirrorPlace? = nil, signedSize: UInt64 = 0) {
    self.end = end
    self.size = size
    self.signed = signed
    self.signedSize = signedSize
  }
}

/// The result of giving bytes to a copy.
package enum MirrorOutcome: Sendable, Hashable {
  /// They were verified and appended.
  case applied
  /// The same bytes were there.
  case known
  /// Bytes before them are missing.
  case gap
  /// They differ from the bytes that are there, or do not verify. They were kept as evidence. Bytes that no checkpoint
  /// covered were also kept as evidence, and dropped; if there is no room for that evidence, nothing is dropped.
  ///
  /// - Parameters:
  ///   - reason: what was wrong, a clause.
  ///   - isFork: true if the host's key has signed two logs of one size.
  case conflict(reason: String, isFork: Bool)
}
