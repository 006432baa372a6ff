// Which places lie in a store.
import Foundation

extension StoreLayout {
  /// True if a path leads into the store, or is its directory, be it by a symbolic link.
  func holds(_ path: String) -> Bool {
    // Byte by byte: a mark that combines with the slash makes another letter of it.
    (Self.resolved(path) + "/").utf8.starts(with: (Self.resolved(root) + "/").utf8)
  }

  /// A path without symbolic links, those of the part that is there.
  private static func resolved(_ path: String) -> String {
    var there = URL(fileURLWithPath: path).standardizedFileURL
    var rest: [String] = []
    while there.path != "/", !FileManager.default.fileExists(atPath: there.path) {
      rest.append(there.lastPathComponent)
      there.deleteLastPathComponent()
    }
    return rest.reversed().reduce(there.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }.path
  }
}
