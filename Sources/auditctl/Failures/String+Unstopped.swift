extension String {
  /// A sentence without its full stop.
  var unstopped: String { last == "." ? String(dropLast()) : self }
}
