import Testing

/// Lets other threads run until something holds that one of them brings about. It is an issue where it never does.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
  for _ in 0..<1_000_000 {
    if holds() { return }
    await Task.yield()
  }
  Issue.record(what, sourceLocation: sourceLocation)
}
