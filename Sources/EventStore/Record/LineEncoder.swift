/// Writes records as lines. Keeps the text of the last second, since most records have the same one.
struct LineEncoder {
  private var second = Int64.min
  /// `2026-11-21T08:35:00.`
  private var secondText: [UInt8] = []

  /// Appends the line of `record` and a `\n`. Cost: one copy of the data, no allocation if capacity is there.
  mutating func append(
    _ record: borrowing NewRecord, position: UInt64, revision: Int, cause: UInt64?, to lines: LineBuffer
  ) {
    let time = Swift.min(Swift.max(record.at.microseconds, Timestamp.earliest), Timestamp.latest)
    let inSecond = (time % 1_000_000 + 1_000_000) % 1_000_000
    if second != time - inSecond {
      second = time - inSecond
      secondText.removeAll(keepingCapacity: true)
      Timestamp(microseconds: second).append(to: &secondText)
      secondText.removeLast(7)
    }
    // What stands beside names and data, with four numbers of at most 20 digits, has under 192 bytes.
    let names = record.stream.utf8.count + (record.id?.utf8.count ?? 0) + record.type.utf8.count
    lines.append(atMost: 192 + names + record.data.count) { line in
      line.put("{\"n\":")
      line.put(position)
      line.put(",\"at\":\"")
      line.put(secondText.span)
      line.put(microseconds: UInt64(inSecond))
      line.put("Z\",\"stream\":\"")
      line.put(record.stream)
      line.put("\",\"rev\":")
      line.put(UInt64(revision))
      if let id = record.id {
        line.put(",\"id\":\"")
        line.put(id)
        line.put("\"")
      }
      line.put(",\"type\":\"")
      line.put(record.type)
      line.put("\",\"v\":")
      line.put(UInt64(record.version))
      if let cause {
        line.put(",\"cause\":")
        line.put(cause)
      }
      line.put(",\"data\":")
      line.put(record.data.span)
      line.put("}\n")
      precondition(!line.isCut, "the room of a line was counted")
    }
  }
}
