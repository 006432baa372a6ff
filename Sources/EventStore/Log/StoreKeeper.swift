// What an open log does for its closed segments, beside appending: sealing, pruning. One piece of work at a
// time, and none of it holds up writers.
import Foundation

/// The upkeep of a store whose lock this process holds.
final class StoreKeeper: @unchecked Sendable {  // guarded by `guardian`
  private let layout: StoreLayout
  private let disk: any Disk
  private let catalog: SegmentCatalog
  private let guardian = NSLock()
  private let queue = DispatchQueue(label: "EventLog.keeper", qos: .utility)
  private let sealsItself: Bool
  private let observer: LogObserver
  private let state = NSLock()
  private var stopped = false
  private var isScheduled = false
  /// The segments that are damaged, and not tried again. Used on `queue` alone.
  private var damaged: Set<UInt64> = []
  /// The damaged files, each reported once. Used on `queue` alone.
  private var reported: Set<String> = []

  /// The upkeep of a log; the options say what it does by itself.
  init(layout: StoreLayout, disk: any Disk, catalog: SegmentCatalog, options: LogOptions) {
    self.layout = layout
    self.disk = disk
    self.catalog = catalog
    sealsItself = options.sealing == .automatic
    observer = options.observer
  }

  /// Seals the closed segments before `settled` soon, on its own thread.
  func segmentClosed(before settled: @escaping @Sendable () -> UInt64) {
    guard sealsItself else { return }
    state.lock()
    defer { state.unlock() }
    guard !stopped, !isScheduled else { return }
    isScheduled = true
    queue.async { [weak self] in
      guard let self else { return }
      self.state.lock()
      self.isScheduled = false
      self.state.unlock()
      // A failure here is tried again with the next segment; nothing depends on it.
      var failures: [StoreError] = []
      do throws(StoreError) {
        try self.alone { () throws(StoreError) in try self.sealAll(before: settled(), &failures) }
      } catch {
        if error.code != .closed { failures.append(error) }
      }
      // Without the lock: the receivers of the reports are not our code.
      for failure in failures { self.observer.sealingFailed(failure) }
    }
  }

  /// Seals the closed segments before `settled`. One that is damaged is left as it is, and its error added to
  /// `failures` the first time; later ones are sealed all the same. If the header of the next one is damaged, it is
  /// tried again.
  private func sealAll(before settled: UInt64, _ failures: inout [StoreError]) throws(StoreError) {
    for (first, next) in try closed(before: settled) where mayGoOn && !damaged.contains(first) {
      var sealer = SegmentSealer(layout: layout, disk: disk)
      sealer.mayGoOn = { self.mayGoOn }
      do throws(StoreError) {
        _ = try sealer.seal(first, before: next)
      } catch {
        guard error.isDamage else { throw error }
        let (own, file) = (layout.segment(first), error.file ?? layout.segment(first))
        if file == own { damaged.insert(first) }
        if reported.insert(file).inserted { failures.append(error) }
      }
    }
  }

  /// Begins no more work, and waits for the work in progress.
  func stop() {
    state.lock()
    stopped = true
    state.unlock()
    guardian.lock()
    guardian.unlock()
  }

  private var mayGoOn: Bool {
    state.lock()
    defer { state.unlock() }
    return !stopped
  }

  /// Runs `body` while nothing else is done with closed segments. What the log has open of those that `body` replaces
  /// is closed then: their bytes stay on the disk until it is.
  ///
  /// - Throws: `closed` after `stop`.
  func alone<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    guardian.lock()
    defer { guardian.unlock() }
    guard mayGoOn else {
      throw StoreError(.closed, "the log has been closed", file: layout.root, advice: "open it again")
    }
    defer { catalog.forgetReplaced() }
    return try body()
  }

  /// The closed segments whose records are all durable, each with the one that follows.
  func closed(before settled: UInt64) throws(StoreError) -> [(first: UInt64, next: UInt64)] {
    let firsts = try layout.segmentList(on: disk)
    return zip(firsts, firsts.dropFirst()).filter { $1 <= settled }.map { (first: $0, next: $1) }
  }
}
