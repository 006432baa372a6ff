/// The envelope of a line, and where its parts stand in the line: a view of a record in the memory where it was
/// decoded, without copies. See `LogReader.forEachRecord`.
public struct RecordOutline: Sendable, Hashable {
  /// The fields of the envelope.
  var envelope = Envelope()
  /// How long the line is.
  var length = 1

  /// Its position in the log, from 0 without gaps.
  public var position: UInt64 { envelope.position }
  /// When it happened, by the appender's clock. The order is `position`.
  public var at: Timestamp { envelope.at }
  /// Its revision in the stream, from 0 without gaps.
  public var revision: Int { envelope.revision }
  /// The schema version of its type.
  public var version: Int { envelope.version }
  /// The position of the record that caused it.
  public var cause: UInt64? { envelope.cause }
  /// Where the name of its stream stands in the line.
  public var stream: Range<Int> { envelope.stream }
  /// Where its type stands in the line.
  public var type: Range<Int> { envelope.type }
  /// Where the appender's own id stands in the line, if it gave one.
  public var id: Range<Int>? { envelope.id }
  /// Where the event's JSON object stands in the line.
  public var data: Range<Int> { envelope.data..<length - 1 }

  /// The stream of the record, whose line is `line`. Made again at each call.
  public func stream(in line: Span<UInt8>) -> String {
    String(decoding: CommitLines.array(line.extracting(stream)), as: UTF8.self)
  }

  /// True if the record, whose line is `line`, is of that stream.
  public func isOf(stream name: String, in line: Span<UInt8>) -> Bool { Self.has(name, at: stream, line) }

  /// True if the record, whose line is `line`, is of that type.
  public func isOf(type name: String, in line: Span<UInt8>) -> Bool { Self.has(name, at: type, line) }

  private static func has(_ name: String, at range: Range<Int>, _ line: Span<UInt8>) -> Bool {
    let bytes = name.utf8
    guard range.count == bytes.count, range.upperBound <= line.count else { return false }
    return zip(range, bytes).allSatisfy { line[$0] == $1 }
  }
}

extension LogReader {
  /// Calls `body` with each record from `position` on, the first kept one without it, until `body` returns false or
  /// there are no more records. It receives the envelope, and the line without its `\n`, which is valid only during the
  /// call. Cost: as of `cursor`, but nothing is allocated or copied for a record.
  ///
  /// Records that are pruned while it reads are skipped if `passingPruned`, the default without a position: it
  /// continues with the first kept record.
  ///
  /// - Throws: what `cursor` and `RecordCursor.next` throw, and what `body` does.
  public func forEachRecord(
    from position: UInt64? = nil, passingPruned: Bool? = nil,
    _ body: (_ record: RecordOutline, _ line: Span<UInt8>) throws -> Bool
  ) throws {
    var failure: (any Error)?
    var next = position
    while true {
      do throws(StoreError) {
        try reading(from: next).forEach { record, line throws(StoreError) in
          next = record.position + 1
          do {
            return try body(record, line)
          } catch {
            failure = error
            return false
          }
        }
        break
      } catch {
        guard error.code == .pruned, passingPruned ?? (position == nil) else { throw error }
        let kept = try firstKept()
        guard kept > next ?? 0 else { throw error }
        next = kept
      }
    }
    if let failure { throw failure }
  }
}
