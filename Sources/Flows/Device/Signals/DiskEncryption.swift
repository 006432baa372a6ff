// Whether the disks that are mounted are encrypted (spec/device.md §19.4).

/// What the device mapper says of mounted disks.
struct DiskEncryption {
  /// `ALL_INTERNAL_VOLUMES`, `SYSTEM_VOLUME`, `NONE`; nil if it is not sure.
  let type: String?

  /// Looks at the mounts of this process.
  init(_ files: SystemFiles) {
    let mounts = (files.text("proc/self/mountinfo") ?? "").split(whereSeparator: \.isNewline).compactMap(Mount.init)
    guard let system = mounts.last(where: { $0.point == "/" }), let root = Self.isEncrypted(system.device, files) else {
      type = nil
      return
    }
    guard root else {
      type = "NONE"
      return
    }
    let others = mounts.filter { $0.isDisk && !Self.isRemovable($0.device, files) }
    type = others.allSatisfy { Self.isEncrypted($0.device, files) == true } ? "ALL_INTERNAL_VOLUMES" : "SYSTEM_VOLUME"
  }

  /// Whether a disk is a mapping of dm-crypt, or lies on one; nil if the system does not say.
  private static func isEncrypted(_ device: String, _ files: SystemFiles, depth: Int = 0) -> Bool? {
    let folder = "sys/dev/block/\(device)"
    // Network, memory and overlay file systems have no disk of their own.
    guard !device.hasPrefix("0:"), files.isThere(folder), depth < 8 else { return nil }
    if files.line("\(folder)/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
    let below = files.names("\(folder)/slaves").compactMap { files.line("\(folder)/slaves/\($0)/dev") }
    if below.isEmpty { return false }
    let answers = below.map { isEncrypted($0, files, depth: depth + 1) }
    return answers.contains(nil) ? nil : answers.allSatisfy { $0 == true }
  }

  private static func isRemovable(_ device: String, _ files: SystemFiles) -> Bool {
    let folder = "sys/dev/block/\(device)"
    return (files.line("\(folder)/removable") ?? files.line("\(folder)/../removable")) == "1"
  }
}

/// A line of mountinfo (proc_pid_mountinfo(5)).
private struct Mount {
  /// Major and minor number.
  var device: String
  /// Where it is mounted.
  var point: String
  /// Whether a disk is mounted there, and no kernel file system.
  var isDisk: Bool

  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count >= 5, fields[2].wholeMatch(of: /[0-9]+:[0-9]+/) != nil else { return nil }
    device = String(fields[2])
    point = String(fields[4])
    isDisk = !device.hasPrefix("0:") && !device.hasPrefix("7:")
  }
}
