// Which paths lie in a store.
import Foundation

extension StoreLayout {
  /// True if a path leads into the store, or is its directory, even through a symbolic link.
  func holds(_ path: String) -> Bool {
    // Compared byte by byte: a combining mark would join the slash into another character.
    (Self.resolved(path) + "/").utf8.starts(with: (Self.resolved(root) + "/").utf8)
  }

  /// A path with the symbolic links of its existing part resolved.
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
