// Which places lie in a store.
import Foundation

extension StoreLayout {
  /// True if a path leads into the store, or is its directory, be it by a symbolic link.
  func holds(_ path: String) -> Bool {
    (Self.resolved(path) + "/").hasPrefix(Self.resolved(root) + "/")
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
