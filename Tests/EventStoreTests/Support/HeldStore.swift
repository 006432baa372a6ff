import Foundation

@testable import EventStore

/// The files of a store in memory, for reading alone.
struct HeldStore: Disk {
  /// The store's directory.
  let root: String
  /// What stands in it, by path relative to it.
  var files: [String: [UInt8]]

  /// The files of a store on the real disk.
  init(of store: WalkStore) throws {
    root = store.path
    files = [:]
    for name in try store.files() { files[name] = try bytes(of: store.path + "/" + name) }
  }

  /// Writes the files to a directory, in the place of what is there.
  func write(to directory: String) throws {
    try? FileManager.default.removeItem(atPath: directory)
    for (name, bytes) in files {
      let path = directory + "/" + name
      try FileManager.default.createDirectory(
        atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try EventStoreTests.write(bytes, to: path)
    }
  }

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    guard mode == .read else { throw refusal }
    guard let bytes = files[String(path.dropFirst(root.count + 1))] else {
      throw StoreError(.notFound, "not there", file: path)
    }
    return MemoryFile(bytes, path: path)
  }

  func names(in directory: String) throws(StoreError) -> [String] {
    let prefix = directory == root ? "" : String(directory.dropFirst(root.count + 1)) + "/"
    let names = Set(files.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count).prefix { $0 != "/" } })
    // An empty folder is as good as none.
    guard !names.isEmpty else { throw StoreError(.notFound, "not there", file: directory) }
    return names.map(String.init).sorted()
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool { throw refusal }
  func rename(_ from: String, to: String) throws(StoreError) { throw refusal }
  func remove(_ path: String) throws(StoreError) { throw refusal }
  func syncDirectory(_ path: String) throws(StoreError) { throw refusal }

  private var refusal: StoreError { StoreError(.permission, "these files are only read") }
}
