/// Making a store if there is none.
struct StoreCreation {
  let layout: StoreLayout
  let disk: any Disk

  /// Names that an existing directory may hold when it becomes a store: leftovers of an interrupted attempt.
  private static let leftovers: Set<String> = [
    "LOCK", "segments", "checkpoints", "quarantine", "index", "store.json" + Draft.suffix,
  ]

  /// Makes the directory and those above it, mode 0700, durable when it returns.
  ///
  /// - Throws: `notAStore` if it holds something else.
  func prepareDirectory() throws(StoreError) {
    var path = layout.root.hasPrefix("/") ? "/" : ""
    var parents: [String] = []
    for part in layout.root.split(separator: "/") {
      let parent = path.isEmpty ? "." : path
      path += part
      if try disk.makeDirectory(path) { try disk.syncDirectory(parent) } else { parents.append(parent) }
      path += "/"
    }
    let names = Set(try disk.names(in: layout.root))
    if names.contains("store.json") {
      guard names.contains("segments") else {
        throw StoreError(
          .missingSegment, "the store has lost its segments", file: layout.segments,
          advice: "put them back, or keep the store as evidence and run auditctl verify")
      }
      return
    }
    // An interrupted attempt may have made them. We may not be allowed to open directories of other users.
    for parent in parents { try? disk.syncDirectory(parent) }
    let strange = names.subtracting(Self.leftovers).sorted()
    let segments = names.contains("segments") ? try layout.segmentList(on: disk) : []
    guard strange.isEmpty, segments.isEmpty else {
      // Another process may have made the store since: its `store.json` is there before its first segment.
      if try disk.names(in: layout.root).contains("store.json") { return }
      throw StoreError(
        .notAStore, "the directory is not empty and holds no store", file: layout.root,
        advice: "give an empty or a new directory")
    }
  }

  /// Makes the directories that a store has, if they are missing.
  ///
  /// - Parameter marksNew: true if the first segment is begun next. Until then an empty draft of it distinguishes a new
  ///   store from one that has lost its segments.
  func prepareFolders(marksNew: Bool = false) throws(StoreError) {
    var isNew = false
    for path in [layout.segments, layout.checkpoints, layout.quarantine, layout.index] {
      if try disk.makeDirectory(path) { isNew = true }
    }
    // Also if they existed: the process that made or replaced a file may have been killed before its sync.
    let last = try layout.segmentList(on: disk).last.map { first throws(StoreError) in
      try disk.open(layout.segment(first), .update)
    }
    if marksNew, last == nil {
      // Before store.json is written, so that it is durable by then.
      if !isNew { isNew = try !disk.exists(layout.identity, in: layout.root) }
      if isNew { _ = try disk.open(layout.segment(0) + Draft.suffix, .updateOrCreate) }
    }
    // A file with another end is written to when it is recovered, and synced then.
    let isWhole = try last.map { file throws(StoreError) in try SyncedEvidence.ends(file) } ?? false
    if let last, isWhole { try FileRewriting.rewriteEnd(of: last) }
    try disk.syncDirectories([layout.root, layout.segments, layout.checkpoints], and: isWhole ? last : nil)
  }

  /// Writes `store.json` if there is none. Returns the identity and whether it is new.
  func identity(origin: String?) throws(StoreError) -> (identity: StoreIdentity, isNew: Bool) {
    do throws(StoreError) {
      return (try StoreIdentity(of: layout, on: disk), false)
    } catch {
      guard error.code == .notAStore else { throw error }
      let identity = try StoreIdentity(newWithOrigin: origin)
      try identity.save(to: layout, on: disk)
      return (identity, true)
    }
  }
}
