// How the check reports what it finds: torn or altered.

extension LogCheck {
  /// Reports damage: torn if it is in the tail and nothing after it was known to be synced, else altered.
  mutating func damaged(_ walk: SegmentWalk, _ error: StoreError) throws(StoreError) {
    let offset = error.offset ?? walk.offset
    let evidence = try SyncedEvidence.said(in: walk.file, from: min(offset, walk.offset))
    let behind = evidence.synced
    let position = max(frontier.size, walk.first)
    // A file that is cut off need not have the records that a checkpoint covers; good frames after the damage show that
    // it is not cut off.
    let isCut = error.code == .torn && evidence.end < notes.largestSize
    let known = max(synced, behind, isCut ? 0 : notes.largestSize)
    // A segment is begun when everything before it is synced: a name further on shows that more records existed.
    let isGap = walk.first > frontier.size && whole == nil
    // Only a segment with a successor is sealed or pruned, and it is replaced as a whole: no crash leaves a part of it.
    var isRewritten = walk.isLast && walk.footer?.isRewritten == true
    if walk.isLast, !isRewritten { isRewritten = try FooterCheck.looksRewritten(walk.file) }
    let isTorn = walk.isLast && position >= known && error.code != .altered && !isGap && !isRewritten
    let told = error.message.prefix(1).uppercased() + error.message.dropFirst()
    if isTorn, position < notes.largestSize {
      find(.truncated, walk, offset: offset, "\(told); a checkpoint covers \(notes.largestSize) records.")
    } else {
      find(
        isTorn ? .torn : .altered, walk, offset: offset,
        isTorn
          ? "\(told); nothing that the log says was synced is lost." : "\(told), in a part of the log that was synced.")
    }
    if isRewritten { try findFollower(of: walk, rewritten: true) }
    if whole == nil { (whole, isTornOnly) = (frontier, isTorn) }
    // A torn tail has no sync that a directory could report: unsigned bytes must not claim that more records existed.
    reach = max(reach, position, isTorn ? 0 : evidence.end)
  }

  mutating func find(
    _ kind: VerifyReport.Verdict, _ walk: SegmentWalk, offset: UInt64, _ message: String
  ) {
    findings.append(
      .init(kind: kind, segment: walk.name, offset: offset, position: frontier.size, message: message))
  }
}
