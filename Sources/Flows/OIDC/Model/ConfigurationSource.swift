// Files that hold a configuration: property lists, and JSON with the same keys (oidc §1.1).

import EventStore
import Foundation

enum ConfigurationSource {
  private static let limit = 1 << 20

  /// The file of a name: the path itself, or `NAME.plist` and then `NAME.json` beside the program and in the working
  /// directory.
  static func find(_ name: String) -> URL? {
    guard !name.isEmpty else { return nil }
    let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
    let folders = [program, URL(fileURLWithPath: FileManager.default.currentDirectoryPath)]
    let names = [name + ".plist", name + ".json", name]
    var isFolder: ObjCBool = false
    for folder in name.hasPrefix("/") ? [URL(fileURLWithPath: "/")] : folders {
      for file in names.map({ folder.appendingPathComponent($0) })
      where unsafe FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && !isFolder.boolValue {
        return file
      }
    }
    return nil
  }

  /// The texts of a file by their keys.
  static func values(of file: URL) throws(OktaError) -> [String: String] {
    guard FileManager.default.fileExists(atPath: file.path) else { throw .noPListGiven }
    guard let data = FileManager.default.contents(atPath: file.path), data.count <= limit else {
      throw .pListParseFailure
    }
    return try file.pathExtension.lowercased() == "json" ? json(data) : propertyList(data)
  }

  static func json(_ data: Data) throws(OktaError) -> [String: String] {
    guard let members = (try? JSON(parsing: Array(data)))?.object?.members else { throw .pListParseFailure }
    var values: [String: String] = [:]
    for member in members {
      guard let text = member.value.string, values.updateValue(text, forKey: member.key) == nil else {
        throw .pListParseFailure
      }
    }
    return values
  }

  static func propertyList(_ data: Data) throws(OktaError) -> [String: String] {
    // SAFETY: no pointer is passed: the format is not asked for.
    guard let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil),
      let values = list as? [String: String]
    else { throw .pListParseFailure }
    return values
  }
}
