// Finds pieces in quarantine that no record of the log reports.

extension Quarantine {
  /// The pieces that an earlier opening kept but could not report, since its process ended, or its disk was full,
  /// between the cut and the record. `known` are the pieces that this opening reports anyway.
  ///
  /// The next opening always finds them, so that only the end of the log is looked at: files of the last two segments,
  /// and of those that were superseded just before. Older ones are taken as reported. Cost: nothing if there are no
  /// such files, else a look-up of the stream `log`. If the log cannot be read, nothing counts as missing.
  func unreported(besides known: [RecoveredDamage]) throws(StoreError) -> [RecoveredDamage] {
    let names = try disk.names(in: layout.quarantine).filter(StoreFolder.quarantine.has)
    if names.isEmpty { return [] }
    let firsts = try layout.segmentList(on: disk)
    var start = max(0, firsts.count - 2)
    while start > 0, (try? SegmentHeader.supersedes(firsts[start], in: layout, on: disk)) == true { start -= 1 }
    guard start < firsts.count else { return [] }
    let reportedNow = Set(known.map(\.quarantine))
    let candidates = names.filter { name in
      guard !reportedNow.contains(name), let first = SegmentName.first(of: name.prefix(20) + SegmentName.suffix) else {
        return false
      }
      return first >= firsts[start]
    }
    if candidates.isEmpty { return [] }
    let catalog = SegmentCatalog(layout: layout, disk: disk)
    let reading = try StreamReading(Envelope.ownStream, layout: layout, disk: disk, catalog: catalog)
    guard let records = try? reading.found().records else { return [] }
    let reported = Set(records.compactMap(Self.reported(by:)))
    var found: [RecoveredDamage] = []
    for name in candidates.sorted() where !reported.contains(name) {
      guard let offset = StoreFolder.number(name.dropFirst(21).prefix { $0 != "-" && $0 != "." }) else { continue }
      let bytes = try disk.open(layout.quarantine + "/" + name, .read).size()
      found.append(
        RecoveredDamage(segment: name.prefix(20) + SegmentName.suffix, offset: offset, bytes: bytes, quarantine: name))
    }
    return found
  }

  /// The file in quarantine that a record reports; nil for other records.
  private static func reported(by record: StoredRecord) -> String? {
    guard record.type == OwnRecords.recovered, let data = try? JSON(parsing: record.data),
      case .string(let name)? = data["quarantine"]
    else { return nil }
    return name
  }
}
