// What can be read of a store in which bytes are damaged: all frames that are whole, and what lies between them.

/// Records that cannot be read.
public struct LogGap: Sendable, Hashable {
  /// The position of the first of them.
  public var first: UInt64
  /// The position behind the last of them; nil if nothing behind them can be read.
  public var end: UInt64?
  /// Why, with file and byte.
  public var error: StoreError
}

extension LogReader {
  /// Calls `body` with each record that can be read, in order, whatever is damaged between them. `verify` reports what
  /// the damage is; nothing proves the records that are read here.
  ///
  /// After damaged bytes it continues after the next directory of the segment (FORMAT §4), or with the next segment:
  /// the rest of the damaged frame is left out.
  ///
  /// - Returns: what was left out, in order.
  /// - Throws: `StoreError` if the segments cannot be listed, and what `body` throws. Cost: a look at every byte, and
  ///   one more at those of a segment that follow a damage. If a segment is damaged in thousands of places, the rest of
  ///   it is left out.
  public func salvage(
    _ body: (StoredRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> [LogGap] {
    let firsts = try layout.segmentList(on: disk)
    var wanted = (try? firstKept()) ?? 0
    var gaps: [LogGap] = []
    var problem: StoreError?
    // How many records are known to have existed: a log that ends earlier lacks its end.
    var known = (try? layout.latestCheckpoint(on: disk))?.size ?? 0
    for (index, first) in firsts.enumerated() {
      // If a later segment was begun to replace records whose sync had failed, its records count.
      let end = index + 1 < firsts.count ? firsts[index + 1] : .max
      let reading: SegmentSalvage
      do throws(StoreError) {
        reading = SegmentSalvage(try disk.open(layout.segment(first), .read))
      } catch {
        problem = problem ?? error
        continue
      }
      while let records = reading.next() {
        for record in records where record.position >= wanted && record.position < end {
          if record.position > wanted {
            let missing = StoreError(
              .missingSegment, "the records are not there", file: layout.segments, position: wanted)
            gaps.append(LogGap(first: wanted, end: record.position, error: reading.problem ?? problem ?? missing))
          }
          (reading.problem, problem) = (nil, nil)
          wanted = record.position + 1
          try body(record)
        }
      }
      problem = reading.problem ?? problem
      known = max(known, reading.known)
    }
    if problem == nil, wanted < known {
      problem = StoreError(
        .truncated, "something says that the log goes on to record \(known - 1)", file: layout.segments,
        position: wanted)
    }
    if let problem { gaps.append(LogGap(first: wanted, end: nil, error: problem)) }
    return gaps
  }
}

/// Reads a segment past its damaged places.
private final class SegmentSalvage {
  private let file: any DiskFile
  private var walker: SegmentWalker?
  /// The first damage since this was taken away.
  var problem: StoreError?
  /// Where directories end behind the first damage, and the first of them that was not passed; nil before a damage is
  /// met.
  private var ends: (places: [UInt64], next: Int)?
  /// How often it has continued after damage.
  private var resumes = 0
  private static let mostResumes = 2_048
  /// How many records exist according to frames after the first cut; nil before a cut is found.
  private var said: UInt64?
  /// How many records are known to exist.
  var known: UInt64 { said ?? 0 }

  init(_ file: any DiskFile) {
    self.file = file
    do throws(StoreError) {
      walker = try SegmentWalker(file, from: try FileHead(of: file).end)
    } catch {
      problem = error
      resume(behind: 0)
    }
  }

  /// The records of the next commit that has any; nil at the end.
  func next() -> [StoredRecord]? {
    while let walker {
      do throws(StoreError) {
        switch try walker.next() {
        case .commit:
          let records = records(of: walker)
          if !records.isEmpty { return records }
        case .end(.whole): self.walker = nil
        case .end:
          // The last write may have been cut short; or a damaged length reaches over the end.
          let known = try known(behind: walker.offset)
          guard known > 0 else {
            self.walker = nil
            break
          }
          problem =
            problem
            ?? StoreError(
              .malformed, "the segment seems to end here, and goes on", file: file.path, offset: walker.offset)
          resume(behind: walker.offset)
        case .frameStart, .frameEnd, .skippable: break
        }
      } catch {
        problem = problem ?? error
        resume(behind: walker.offset)
      }
    }
    return nil
  }

  /// How many records frames after a cut report. Computed once: it scans every byte.
  private func known(behind offset: UInt64) throws(StoreError) -> UInt64 {
    if let said { return said }
    let evidence = try SyncedEvidence.said(in: file, from: offset)
    let known = max(evidence.end, evidence.synced)
    said = known
    return known
  }

  private func records(of walker: SegmentWalker) -> [StoredRecord] {
    var records: [StoredRecord] = []
    let lines = walker.withCommit { (commit: Span<UInt8>) in CommitLines.array(commit) }
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      // Of a million short lines, only one is named.
      if problem != nil, line.count < Envelope.shortestLine { continue }
      do throws(StoreError) {
        records.append(try StoredRecord(line: Array(line)))
      } catch {
        problem = problem ?? error.inFile(file.path)
      }
    }
    return records
  }

  /// Goes on behind the next directory that is whole, at which a frame of records begins.
  private func resume(behind offset: UInt64) {
    walker = nil
    do throws(StoreError) {
      if ends == nil { ends = (try FrameScan.frames(of: [.directory], in: file, from: offset).map(\.end), 0) }
      var (places, next) = ends ?? ([], 0)
      while next < places.count, places[next] <= offset { next += 1 }
      ends = (places, next)
      resumes += 1
      guard next < places.count, resumes <= Self.mostResumes else { return }
      walker = try SegmentWalker(file, from: places[next])
    } catch {
      problem = problem ?? error
    }
  }
}

extension FrameScan.Found {
  /// Where the frame ends: its body is followed by its length and its checksum.
  fileprivate var end: UInt64 { body + UInt64(count) + 8 }
}
