// The ID of an installation (spec/device.md §5.1, `authenticatorAppKey`), which keeps a device from being counted
// twice.

public import FlowRecording

/// An ID that is created once and kept in a file.
public enum InstallationID {
  private static let name = "installation-id"

  /// Returns the ID stored in a directory, and creates one if there is none: an uppercase UUID of version 4.
  ///
  /// - Parameters:
  ///   - path: the directory; created with mode 0700 if it is missing.
  ///   - entropy: the source of randomness for a new ID.
  /// - Throws: `directory` or `unreadable`.
  public static func obtain(directory path: String, entropy: any Entropy = SystemEntropy())
    throws(StorageFailure) -> String
  {
    do throws(SecretFileError) {
      let directory = try SecretDirectory(path: path)
      if try directory.read(name, limit: 64) == nil {
        _ = try directory.writeNew(Array((entropy.uuid().uppercased() + "\n").utf8), to: name)
      }
      let text = String(decoding: try directory.read(name, limit: 64) ?? [], as: UTF8.self)
      if let match = text.wholeMatch(of: /([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})\n/) {
        return String(match.output.1)
      }
    } catch {
      throw .directory(path: path, reason: error.reason)
    }
    throw .unreadable(reason: "\(path)/\(name) is damaged; restore it, or remove it to become another installation")
  }
}
