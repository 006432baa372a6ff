// The device of a user on this machine, whose id is kept in a file.

import Crypto
import Foundation
import Glibc

/// A device with an id that is generated once and kept in a file of the user, mode 0600.
///
/// No org sees the id itself: each issuer receives a different token derived from it, so that two orgs cannot detect
/// that they see the same device. A link, a file of another user, and a file that others can access are not read, as
/// with keys; a new id replaces them. If the file cannot be written, or neither variable names a folder, the id lasts
/// as long as the process.
public final class StoredDevice: DeviceIdentity {
  /// The id of this user on this machine: `$XDG_STATE_HOME/flowrecorder/device-id`, or below `~/.local/state`. It is
  /// one device for the whole process: right for a program of one person, wrong for a server, whose users it would make
  /// one device.
  public static let standard = StoredDevice(path: standardPath)

  /// The maximum length of the file, in bytes: an id and a line break have 37.
  private static let longestFile = 256

  private let path: String
  private let known = Locked<UUID?>(nil)

  /// A device whose id is in a file; the file is created if it is missing when the id is first needed.
  public init(path: String) { self.path = path }

  private static var standardPath: String {
    // Not `NSHomeDirectory`, which queries the name service over a socket.
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = state ?? home.map({ $0 + "/.local/state" }) else { return "" }
    return folder + "/flowrecorder/device-id"
  }

  /// 16 bytes in base64: the beginning of HMAC-SHA256 over the issuer under the id. The same issuer, ignoring trailing
  /// slashes, has the same token until `reset`.
  public func token(for issuer: String) -> String {
    let id = known.withLock { known in
      let id = known ?? read() ?? write(UUID(uuid: Self.bytes()))
      known = id
      return id
    }
    var name = issuer[...]
    while name.hasSuffix("/") { name.removeLast() }
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(name.utf8), using: SymmetricKey(data: Data(id.uuidString.utf8)))
    return Data(code.prefix(16)).base64EncodedString()
  }

  /// Removes the id: to every org, this is a new device from the next sign-in on. A process that already uses the id
  /// keeps it until it ends.
  ///
  /// - Throws: the error of the file system if the file cannot be removed.
  public func reset() throws {
    try known.withLock { known in
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
      known = nil
    }
  }

  private func read() -> UUID? {
    guard let file = try? Descriptor.open(path, named: path, flags: O_RDONLY),
      (try? file.check(S_IFREG, shown: path)) != nil,
      let bytes = try? file.contents(limit: Self.longestFile, shown: path)
    else { return nil }
    return UUID(uuidString: String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Writes an id; if another process was faster, its id counts.
  private func write(_ id: UUID) -> UUID {
    guard !path.isEmpty else { return id }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Written beside its place and linked to it: no process reads a file without an id, and a crash leaves none there.
    let draft = path + "." + String(SystemEntropy().next(), radix: 36)
    guard let file = try? Descriptor.open(draft, named: draft, flags: O_WRONLY | O_CREAT | O_EXCL) else {
      return read() ?? id
    }
    defer { _ = unsafe unlink(draft) }
    guard (try? file.write(Array((id.uuidString + "\n").utf8), shown: draft)) != nil else { return read() ?? id }
    if unsafe link(draft, path) == 0 { return id }
    if let known = read() { return known }
    // What is there is no id, since an older version wrote in place and may have died before it had written one, or is
    // not to be trusted. A link is replaced, not what it leads to.
    _ = unsafe rename(draft, path)
    return id
  }

  /// A random id (RFC 9562 §5.4).
  private static func bytes() -> uuid_t {
    let entropy = SystemEntropy()
    let bits = entropy.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let more = entropy.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (56 - 8 * index)) }
    return (
      byte(bits, 0), byte(bits, 1), byte(bits, 2), byte(bits, 3), byte(bits, 4), byte(bits, 5), byte(bits, 6),
      byte(bits, 7), byte(more, 0), byte(more, 1), byte(more, 2), byte(more, 3), byte(more, 4), byte(more, 5),
      byte(more, 6), byte(more, 7)
    )
  }
}
