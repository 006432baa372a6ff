// Closes full segments and begins the next ones.

extension SegmentWriter {
  /// True if the segment has its size, or its age.
  var isFull: Bool { (offset >= segmentBytes || isOld) && size > first }

  /// True if the first record of the segment is older than the options allow.
  var isOld: Bool {
    guard let segmentAge, let begun else { return false }
    let (age, overflow) = clock().microseconds.subtractingReportingOverflow(begun.microseconds)
    return !overflow && age >= segmentAge
  }

  /// Begins the next segment if this one is full. `index` is what is known of this one already; without it, all of its
  /// directories are read here.
  func rollIfFull(knowing index: ActiveIndex? = nil) throws(StoreError) {
    if let broken { throw broken }
    if isFull { try roll(knowing: index) }
  }

  func roll(knowing index: ActiveIndex? = nil) throws(StoreError) {
    if !isClosed {
      try sync()
      // A sync that failed has begun a new segment already.
      guard isFull else { return }
      let current = file
      if takesFooter, let footer = footer(knowing: index) {
        try write(SkippableFrame(kind: .footer, body: footer).encoded)
        try syncFile()
        isClosed = file === current
      } else {
        try syncFile()
      }
      guard file === current else { return }
    }
    try begin()
  }

  /// The content of the footer of a segment, all of whose frames have their directories; nil if these cannot be read,
  /// or have so many streams that they do not fit into a frame. Such a segment ends without a footer, and is read by
  /// its directories.
  private func footer(knowing known: ActiveIndex?) -> [UInt8]? {
    guard var index = known?.file === file ? known : try? ActiveIndex(first, of: file), (try? index.update()) != nil,
      index.frontier == frontier
    else { return nil }
    let body = SegmentIndex.encode(index.contents)
    return body.count <= FrameFormat.largestPayload - SkippableFrame.overhead ? body : nil
  }

  /// Goes on in a new segment; all before it is synced.
  func begin() throws(StoreError) {
    let header = SegmentHeader(identity: identity, frontier: frontier, previous: first)
    try removeStray()
    // Checked before `stray` is set, since a stray segment is removed.
    try Self.refuseTaken(header.first, layout: layout, disk: disk)
    stray = header.first
    (file, offset) = try Self.begin(header, layout: layout, disk: disk, lock: lock)
    stray = nil
    previous = first
    first = header.first
    begun = nil
    (takesFooter, isClosed) = (true, false)
    announced = max(announced, first)
    directory = 0
    observer.segmentBegun(first: first)
  }

  /// Removes a segment whose creation failed, before another record is written: otherwise the log would continue in
  /// this file and in that segment.
  func removeStray() throws(StoreError) {
    guard let first = stray else { return }
    let path = layout.segment(first)
    if try disk.exists(path, in: layout.segments) { try disk.remove(path) }
    try disk.syncDirectory(layout.segments)
    stray = nil
  }

  /// Makes a segment file with its header; it is complete, locked and durable before it gets its name. Returns the file
  /// and its length.
  static func begin(
    _ header: SegmentHeader, layout: StoreLayout, disk: any Disk, lock: StoreLock?
  ) throws(StoreError) -> (any DiskFile, UInt64) {
    let path = layout.segment(header.first)
    let bytes = FrameFormat.prologue + (try header.frame()).encoded
    var locked: (any DiskFile)?
    do throws(StoreError) {
      // The draft of the very first segment says that the store was only just made: see `StoreCreation`.
      try disk.putInPlace(of: path, keepingDraft: header.first == 0) { draft throws(StoreError) in
        try draft.write(bytes.span, at: 0)
        try draft.sync()
        try lock?.hold(draft)
        locked = draft
      }
      try disk.syncDirectory(layout.segments)
    } catch {
      if let locked { lock?.giveBack(locked) }
      throw error
    }
    lock?.keepLast()
    return (GuardedFile(try disk.open(path, .update)), UInt64(bytes.count))
  }

  /// Throws `altered` if a segment of that name is there already: only a replacement after a failed sync may be put in
  /// the place of one.
  static func refuseTaken(_ first: UInt64, layout: StoreLayout, disk: any Disk) throws(StoreError) {
    let path = layout.segment(first)
    guard try disk.entry(path, followingLinks: false) != nil else { return }
    throw StoreError(
      .altered, "the segment that is to be begun is there already", file: path, position: first,
      advice: "keep the store as evidence, run auditctl verify, then open the log again")
  }
}
