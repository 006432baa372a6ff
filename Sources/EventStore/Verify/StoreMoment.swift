/// Detects whether a writer is using a store, or has used it since.
struct StoreMoment {
  private let layout: StoreLayout
  private let disk: any Disk
  private let traces: Traces

  /// The traces of a writer. It takes its lock before it writes, and releases it afterward.
  private struct Traces: Equatable {
    var isHeld: Bool
    var identity: StoreIdentity?
    var segments: [UInt64]?
    var size: UInt64?

    init(of layout: StoreLayout, on disk: any Disk) {
      isHeld = StoreLock.isHeld(in: layout, on: disk)
      identity = try? StoreIdentity(of: layout, on: disk)
      segments = try? layout.segmentList(on: disk)
      size = segments?.last.flatMap { try? disk.open(layout.segment($0), .read).size() }
    }
  }

  /// The store as it is now.
  init(of layout: StoreLayout, on disk: any Disk) {
    (self.layout, self.disk) = (layout, disk)
    traces = Traces(of: layout, on: disk)
  }

  /// True if a writer may have changed something since then.
  var mayHaveChanged: Bool { traces.isHeld || traces != Traces(of: layout, on: disk) }
}
