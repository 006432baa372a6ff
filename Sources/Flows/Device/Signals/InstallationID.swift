// The id of an installation (spec/device.md §5.1, `authenticatorAppKey`): it keeps one device one.

public import FlowRecording

/// An id that is made once and kept in a file.
public enum InstallationID {
  private static let name = "installation-id"

  /// The id of a directory, made where there is none: a UUID of version 4, in upper case.
  ///
  /// - Parameters:
  ///   - path: the directory; made with mode 0700 where it is missing.
  ///   - entropy: where a new id comes from.
  /// - Throws: `directory`, `unreadable`.
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
