// What is written must not take the place of a log.

import AuditReports
import EventStore
import Foundation

/// Places in stores.
enum StorePlace {
  /// Refuses to write a file into a store, whatever path leads there: each file of it is the log's.
  ///
  /// - Throws: exit 73.
  static func refuse(_ path: String) throws(CommandFailure) {
    guard !path.isEmpty, path != "-", let store = store(around: path) else { return }
    throw CommandFailure(
      .cannotCreate, "\(path.printable) lies in the store \(store.printable); give a place outside of it")
  }

  /// The store that a file is in, or would be.
  private static func store(around path: String) -> String? {
    let files = FileManager.default
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    // What is not there is in what is there.
    while folder.path != "/", !files.fileExists(atPath: folder.path) { folder.deleteLastPathComponent() }
    folder = folder.resolvingSymlinksInPath().standardizedFileURL
    while folder.path != "/" {
      if files.fileExists(atPath: folder.path + "/store.json"),
        FileMode(of: folder.path + "/segments")?.isDirectory == true
      {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
