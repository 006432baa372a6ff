// The durable operations: each is one function, whose comment says what is synced and what is not.

extension Disk {
  /// The whole content of a file.
  ///
  /// - Throws: `tooLarge` over `limit` bytes.
  package func contents(of path: String, limit: Int) throws(StoreError) -> [UInt8] {
    try Self.contents(of: try open(path, .read), limit: limit)
  }

  /// The whole content of an open file.
  ///
  /// - Throws: `tooLarge` over `limit` bytes.
  package static func contents(of file: any DiskFile, limit: Int) throws(StoreError) -> [UInt8] {
    let bytes = try file.read(at: 0, count: Swift.min(limit, Int(clamping: try file.size())) + 1)
    guard bytes.count <= limit else {
      throw StoreError(.tooLarge, "the file is over \(limit) bytes", file: file.path, advice: "give a smaller one")
    }
    return bytes
  }

  /// Puts a file with this content at `path`, whole or not at all: a new file beside it, synced, renamed over it, the
  /// directory synced. What stood there before is gone only when the new one is durable. Mode 0600.
  package func replace(_ path: String, with bytes: [UInt8], in directory: String) throws(StoreError) {
    try putInPlace(of: path) { file throws(StoreError) in
      try file.write(bytes.span, at: 0)
      try file.sync()
    }
    try syncDirectory(directory)
  }

  /// Puts a new file at `path` that `write` has written; `write` must sync what must be complete. The directory is not
  /// synced. If this throws, the draft is removed, if possible.
  ///
  /// - Parameter keepingDraft: true if the existence of a draft has a meaning: the draft of an earlier attempt is
  ///   emptied and reused, and it stays if this throws.
  func putInPlace(
    of path: String, keepingDraft: Bool = false, _ write: (any DiskFile) throws(StoreError) -> Void
  ) throws(StoreError) {
    let draft = path + Draft.suffix
    do throws(StoreError) {
      try write(try openDraft(draft, keeping: keepingDraft))
      try rename(draft, to: path)
    } catch {
      if !keepingDraft { try? remove(draft) }
      throw error
    }
  }

  /// A new file for a draft, replacing one left by an earlier attempt; if `keeping`, the old one is emptied and reused.
  private func openDraft(_ draft: String, keeping: Bool) throws(StoreError) -> any DiskFile {
    do throws(StoreError) {
      return try open(draft, .createNew)
    } catch {
      guard error.code == .cannotCreate else { throw error }
      if keeping {
        let file = try open(draft, .update)
        try file.truncate(to: 0)
        return file
      }
      try remove(draft)
      return try open(draft, .createNew)
    }
  }

  /// Makes a directory if there is none; its name is durable when this returns.
  package func makeDurableDirectory(_ path: String) throws(StoreError) {
    guard try makeDirectory(path), let end = path.lastIndex(of: "/") else { return }
    try syncDirectory(end == path.startIndex ? "/" : String(path[..<end]))
  }

  /// True if that path exists in `directory`.
  package func exists(_ path: String, in directory: String) throws(StoreError) -> Bool {
    guard let name = path.split(separator: "/").last else { return false }
    return try names(in: directory).contains(String(name))
  }
}
