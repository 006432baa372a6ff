/// When a collector makes durable what it has read: once a second, and earlier if nothing more comes, since a host may
/// wait for it; but for a tenth of the time at most.
struct SettlingPace {
  /// When it settled last, and how long that took, in microseconds.
  private var (last, cost): (Int64, Int64)

  /// Begins at a time of `FleetEngine.uptime`.
  init(now: Int64) { (last, cost) = (now, 0) }

  /// Whether to settle now. `early` says that nothing more comes and that something waits for it.
  func isDue(at now: Int64, early: Bool) -> Bool {
    now - last >= (early ? min(max(50_000, 9 * cost), 1_000_000) : 1_000_000)
  }

  /// Settles.
  mutating func settling(_ body: () throws -> Void) rethrows {
    let began = FleetEngine.uptime()
    try body()
    last = FleetEngine.uptime()
    cost = last - began
  }
}
