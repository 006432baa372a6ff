import Foundation

/// The files of this package.
enum Checkout {
  /// The folder of `Package.swift`.
  static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The programs for an SDK, one text each.
  static func programs(_ sdk: String) -> [String] {
    let folder = "Tests/Ports/\(sdk)/Programs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
    return names.sorted().compactMap { try? text("\(folder)/\($0)") }
  }
}
