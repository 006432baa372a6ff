// Detects whether mounted disks are encrypted (spec/device.md §19.4).

/// The encryption of mounted disks, according to the device mapper.
struct DiskEncryption {
  private static let limit = 16_384
  /// `ALL_INTERNAL_VOLUMES`, `SYSTEM_VOLUME`, or `NONE`; `nil` if it is not certain.
  let type: String?

  /// Inspects the mounts of this process.
  init(_ files: SystemFiles) {
    let mounts = (files.bytes("proc/self/mountinfo", atMost: Self.limit) ?? []).split(separator: UInt8(ascii: "\n"))
      .compactMap(Mount.init)
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

  /// Returns whether a disk is a dm-crypt mapping or lies on one; `nil` if the system does not report it.
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
struct Mount {
  /// The major and minor device numbers.
  var device: String
  /// The mount point.
  var point: String
  /// Whether the mount is a disk rather than a kernel file system.
  var isDisk: Bool

  init?(_ line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count >= 5 else { return nil }
    let numbers = fields[2].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) }) else { return nil }
    device = String(decoding: fields[2], as: UTF8.self)
    point = String(decoding: fields[4], as: UTF8.self)
    isDisk = !device.hasPrefix("0:") && !device.hasPrefix("7:")
  }
}
