import AuditReports
import EventStore
import Fleet
import Foundation

/// A folder with one bundle per host.
enum BundleFolder {
  /// Makes the folder if it is missing.
  static func make(_ path: String) throws {
    var isFolder: ObjCBool = false
    // SAFETY: the flag lives as long as the call that fills it in.
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      guard isFolder.boolValue else {
        throw CommandFailure(.cannotCreate, "\(path.printable) is a file; give a folder for a bundle of each host")
      }
      return
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(.cannotCreate, "\(path.printable) cannot be made; see that its parent is there and yours")
    }
  }

  /// The bundle of a host. A name that is no file's, or that another host has too, is replaced by the id of the store.
  static func file(of host: Roster.Host, in folder: String) -> String {
    let isPlain =
      host.name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      } && !host.name.hasPrefix(".") && !host.isRetired
    return "\(folder)/\(isPlain ? host.name : host.store).zip"
  }
}
