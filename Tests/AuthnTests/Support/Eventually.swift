import Scenarios
import Testing

/// Lets other threads run until something holds that one of them brings about. It is an issue where it never does.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
  if await !holdsSoon(holds) { Issue.record(what, sourceLocation: sourceLocation) }
}
