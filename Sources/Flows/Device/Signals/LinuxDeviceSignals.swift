// The facts that a Linux machine reports about itself (spec/device.md §19.4).

import Crypto
import Foundation
import Glibc

/// Reads the facts about a Linux device from system files. The files are small, reading them never blocks, and none is
/// required: what cannot be read is left out.
public struct LinuxDeviceSignals: DeviceSignals {
  private let applicationID: String
  private let displayName: String?
  private let platform: String
  private let serialNumber: String?
  private let files: SystemFiles

  /// Creates the signals.
  ///
  /// - Parameters:
  ///   - applicationID: the application's ID; the `udid` depends on both the machine and the application.
  ///   - displayName: the name that people use for the device; `nil` reads it from the machine.
  ///   - platform: the value of `platform`; some orgs know only `ANDROID` and `IOS`.
  ///   - serialNumber: the device's serial number, if the application knows it; it is never read from the machine.
  ///   - root: the directory that contains `etc`, `usr`, `proc`, and `sys`.
  public init(
    applicationID: String, displayName: String? = nil, platform: String = "LINUX", serialNumber: String? = nil,
    root: String = "/"
  ) {
    self.applicationID = applicationID
    self.displayName = displayName
    self.platform = platform
    self.serialNumber = serialNumber
    files = SystemFiles(root: root)
  }

  /// Reads all facts.
  public func read() -> DeviceProfile {
    DeviceProfile(
      displayName: name, platform: platform, osVersion: version, manufacturer: manufacturer, model: model,
      serialNumber: serialNumber, udid: udid, diskEncryptionType: DiskEncryption(files).type)
  }

  private var name: String {
    let names = [displayName, files.variable("PRETTY_HOSTNAME", of: "etc/machine-info"), files.line("etc/hostname")]
    return names.compactMap { $0.map(Self.withoutTags) }.first { !$0.isEmpty } ?? "Linux device"
  }

  /// Removes `<...>` from a name, along with surrounding whitespace (spec §5.1).
  static func withoutTags(_ text: String) -> String {
    DeviceTexts.stripTags(text).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// `VERSION_ID`, or else the kernel release, as three numbers.
  private var version: String {
    let texts = [
      files.variable("VERSION_ID", of: "etc/os-release"), files.variable("VERSION_ID", of: "usr/lib/os-release"),
      files.line("proc/sys/kernel/osrelease"),
    ]
    return texts.compactMap { $0.flatMap(Self.threeNumbers) }.first ?? "0.0.0"
  }

  static func threeNumbers(_ text: String) -> String? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
    let numbers = Substring(digits).split(separator: ".", omittingEmptySubsequences: false)
      .prefix { 1...9 ~= $0.utf8.count }
    return numbers.isEmpty ? nil : (numbers + ["0", "0"]).prefix(3).joined(separator: ".")
  }

  private var manufacturer: String? { files.line("sys/class/dmi/id/sys_vendor") }

  private var model: String? {
    files.line("sys/class/dmi/id/product_name") ?? files.line("proc/device-tree/model") ?? container ?? architecture
  }

  private var container: String? {
    files.isThere(".dockerenv") || files.isThere("run/.containerenv") ? "container" : nil
  }

  private var architecture: String? {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      nil
    #endif
  }

  /// HMAC-SHA256 of the application's ID keyed with the machine ID, in the form of a UUID of version 8 (RFC 9562 §5.8).
  /// The machine ID itself is confidential (machine-id(5)), and two applications must not learn that they run on the
  /// same machine.
  private var udid: String? {
    guard let machine = files.line("etc/machine-id"), machine.utf8.count == 32,
      machine.utf8.allSatisfy({ $0.isHexDigit })
    else { return nil }
    var bytes = Array(
      HMAC<SHA256>.authenticationCode(
        for: Data(applicationID.utf8), using: SymmetricKey(data: Data(machine.lowercased().utf8))
      ).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
    return groups.map { $0.joined() }.joined(separator: "-").uppercased()
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
