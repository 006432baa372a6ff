// Appending what was appended before: the ids of a batch against those of the last records.

extension AppendQueue {
  /// The ticket of the batch if its records are in the log or the queue already, each with its id; nil if none of them
  /// is.
  ///
  /// - Throws: `conflict` if only some are, if they are not consecutive, or if a record with that id says something
  ///   else; `invalid` if two records of the batch have one id.
  func repetition(of batch: [NewRecord]) throws(StoreError) -> Ticket? {
    var seen: Set<ByteName> = []
    var first: UInt64?
    var known = 0
    var fits = true
    for (index, record) in batch.enumerated() {
      guard let id = record.id else { continue }
      guard batch.count == 1 || seen.insert(ByteName(id)).inserted else {
        throw StoreError(
          .invalid, "record \(index) of the batch has the id of an earlier one", advice: "give each its own id")
      }
      guard let entry = ids.entry(of: id, before: nextPosition) else { continue }
      guard entry.content == RecentIds.content(of: record) else {
        throw StoreError(
          .conflict, "the id \(id) belongs to a record that says something else", position: entry.position,
          advice: "give a new record a new id")
      }
      known += 1
      if first == nil { first = entry.position - min(entry.position, UInt64(index)) }
      fits = fits && entry.position == (first ?? 0) + UInt64(index)
    }
    guard known > 0, let first else { return nil }
    guard known == batch.count, fits else {
      throw StoreError(
        .conflict, "\(known) of the batch's \(batch.count) records are in the log already, and not as this batch",
        position: first, advice: "append again exactly the batch that was appended, or give new ids")
    }
    var ticket = Ticket(positions: first..<first + UInt64(batch.count), generation: everything.generation)
    ticket.isRepeat = true
    return ticket
  }

  /// Records the ids of a batch that was queued from position `first` on.
  mutating func noteIds(of batch: [NewRecord], at first: UInt64) {
    for (index, record) in batch.enumerated() {
      guard let id = record.id else { continue }
      ids.note(id, .init(position: first + UInt64(index), content: RecentIds.content(of: record)))
    }
  }
}
