// Facts about a store that no record shows: which users may read it, which process has it open, what recovery put
// aside.

/// The condition of a store on its disk, for `auditctl doctor`.
package struct StoreCondition: Sendable, Equatable {
  /// A file or folder of the store with its mode.
  package struct Place: Sendable, Equatable {
    /// Its path.
    package let path: String
    /// Its permission bits.
    package let mode: UInt32
  }

  /// True if a writer has the store open.
  package let isHeld: Bool
  /// The process number of the latest writer, from `LOCK`.
  package let holder: String?
  /// Folders that other users may read or enter.
  package let exposed: [Place]
  /// Folders that belong to another user, or that others may write to.
  package let foreign: [String]
  /// Folders that this user cannot list, and that no reader needs.
  package let unlisted: [String]
  /// How many pieces of torn writes recovery has put aside; nil if this user cannot list them.
  package let quarantined: Int?
  /// The byte at which the last segment stops being whole, as an interrupted writer leaves it; nil if it is whole,
  /// has a writer now, or is not there.
  package let damage: UInt64?
}

extension LogReader {
  /// Looks at the store's folders, locks and leftovers; reads the end of the last segment.
  ///
  /// - Throws: what reading the folders and that file throws.
  package func condition() throws(StoreError) -> StoreCondition {
    var exposed: [StoreCondition.Place] = []
    var foreign: [String] = []
    for path in [layout.root] + layout.folders {
      guard let entry = try disk.entry(path, followingLinks: path == layout.root) else { continue }
      if !entry.isOwn || entry.isWritableByOthers { foreign.append(path) }
      if entry.mode & 0o077 != 0 { exposed.append(.init(path: path, mode: UInt32(entry.mode))) }
    }
    var (unlisted, quarantined): ([String], Int?) = ([], 0)
    for folder in StoreFolder.allCases where !folder.isNeeded {
      let path = folder.path(in: layout)
      do throws(StoreError) {
        let names = try disk.names(in: path)
        if folder == .quarantine { quarantined = names.count(where: folder.has) }
      } catch {
        guard error.code != .notFound else { continue }
        unlisted.append(path)
        if folder == .quarantine { quarantined = nil }
      }
    }
    let text = (try? disk.contents(of: layout.lock, limit: 64)).map { String(decoding: $0, as: UTF8.self) }
    let holder = text.map { String($0.prefix { $0.isNumber }) }
    let isHeld = StoreLock.isHeld(in: layout, on: disk)
    return StoreCondition(
      isHeld: isHeld, holder: holder.flatMap { $0.isEmpty ? nil : $0 },
      exposed: exposed, foreign: foreign, unlisted: unlisted, quarantined: quarantined,
      damage: isHeld ? nil : try endOfWhole())
  }

  /// Where the last segment stops being whole; nil if all of it is whole, or if there is none.
  private func endOfWhole() throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      guard let last = try layout.segmentList(on: disk).last else { return nil }
      let file = try disk.open(layout.segment(last), .read)
      let head = try FileHead(of: file)
      return try Tail(of: file, head: head, header: try SegmentHeader(frame: head.frame)).damage?.offset
    } catch {
      switch error.code {
      case .notFound: return nil
      case .malformed, .torn, .altered: return error.offset ?? 0
      default: throw error
      }
    }
  }
}
