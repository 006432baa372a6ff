/// Where a reader considers a log to end that has not been recovered yet.
enum TornTail {
  /// True if the bytes at `offset` of the last segment, which follow no format, are a torn tail: the whole commits end
  /// there, and neither the bytes after them nor a checkpoint say that there was more. Damage that `auditctl verify`
  /// calls altered is not a torn tail. Cost: decodes the frames without a directory, and looks at every byte after
  /// them.
  static func begins(
    at offset: UInt64, of file: any DiskFile, segment: UInt64, layout: StoreLayout, disk: any Disk
  ) throws(StoreError) -> Bool {
    guard try layout.segmentList(on: disk).last == segment else { return false }
    let tail: Tail
    do throws(StoreError) {
      let head = try FileHead(of: file)
      tail = try Tail(of: file, head: head, header: try SegmentHeader(frame: head.frame))
    } catch {
      guard error.code == .malformed || error.code == .torn else { throw error }
      return false
    }
    guard let damage = tail.damage, damage.offset <= offset else { return false }
    let evidence = max(tail.synced, try SyncedEvidence.position(in: file, from: damage.offset))
    return tail.frontier.size >= max(evidence, try signedSize(layout, disk))
  }

  /// The largest size that a checkpoint of the store states. Unreadable checkpoints are ignored.
  private static func signedSize(_ layout: StoreLayout, _ disk: any Disk) throws(StoreError) -> UInt64 {
    let latest = try? layout.latestCheckpoint(on: disk)?.size
    let sizes = (try? layout.checkpointSizes(on: disk)) ?? []
    return max(latest ?? 0, sizes.max() ?? 0)
  }
}
