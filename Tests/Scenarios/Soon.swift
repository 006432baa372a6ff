/// Lets other tasks and threads run until something holds that one of them brings about. False where it never does: after
/// a minute, which no machine needs, however busy it is.
public func holdsSoon(_ holds: () -> Bool) async -> Bool {
  let limit = ContinuousClock.now + .seconds(60)
  while !holds() {
    guard ContinuousClock.now < limit else { return false }
    await Task.yield()
  }
  return true
}
