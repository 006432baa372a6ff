import ArgumentParser

/// How an index is made.
struct IndexOptions: ParsableArguments {
  @Flag(help: "Rebuild it.") var rebuild = false
  @Option(
    name: .customLong("index"),
    help: ArgumentHelp("Where to put it (default: below $XDG_CACHE_HOME/flowrecorder).", valueName: "FILE"))
  var file: String?
}
