// Many rows as text, on all processors.

import Dispatch
import FlowRecording
import Foundation

/// Writes rows in pieces, several at a time on different processors.
enum RowPieces {
  static let lanes = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))

  /// Calls `body` with the pieces in the order of the rows.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - each: the number of rows per piece.
  ///   - lanes: the number of processors.
  ///   - write: makes a piece from its rows, given the index of the first one. Called concurrently.
  static func forEach<Element: Sendable, Piece: Sendable>(
    of rows: [Element], each: Int = 1_024, lanes: Int = lanes,
    writing write: @Sendable (_ first: Int, ArraySlice<Element>) -> Piece, _ body: (Piece) throws -> Void
  ) rethrows {
    let starts = Array(stride(from: 0, to: rows.count, by: each))
    guard lanes > 1, starts.count > 1 else {
      for start in starts { try body(write(start, rows[start..<min(rows.count, start + each)])) }
      return
    }
    // A few at a time, so that a long table is never in memory as a whole.
    for first in stride(from: 0, to: starts.count, by: 4 * lanes) {
      let some = starts[first..<min(starts.count, first + 4 * lanes)]
      let pieces = Locked<[Int: Piece]>([:])
      DispatchQueue.concurrentPerform(iterations: some.count) { number in
        let start = some[some.startIndex + number]
        let made = write(start, rows[start..<min(rows.count, start + each)])
        pieces.withLock { $0[start] = made }
      }
      let made = pieces.withLock { $0 }
      for start in some { if let piece = made[start] { try body(piece) } }
    }
  }
}
