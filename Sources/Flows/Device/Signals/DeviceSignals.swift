// Facts about this device (spec/device.md §5.1, §19.4).

/// Reads the facts known about this device. Reading is quick and never fails: unknown facts are left out.
public protocol DeviceSignals: Sendable {
  /// Reads all facts.
  func read() -> DeviceProfile
}

/// The facts known about a device, by their names on the wire.
public struct DeviceProfile: Sendable, Hashable {
  /// The name that people use for the device. Personal.
  public var displayName: String
  /// `LINUX`, unless configured otherwise.
  public var platform: String
  /// The version of the operating system, as `major.minor.patch`.
  public var osVersion: String
  /// The device's manufacturer.
  public var manufacturer: String?
  /// Its model.
  public var model: String?
  /// The serial number, if configured; it is never read from the machine. Personal.
  public var serialNumber: String?
  /// An ID of the machine that is specific to this application. Personal.
  public var udid: String?
  /// `NONE`, `FULL`, `ALL_INTERNAL_VOLUMES`, or `SYSTEM_VOLUME`; `nil` if it is not certain.
  public var diskEncryptionType: String?

  /// Creates a profile. Omitted facts are unknown.
  public init(
    displayName: String, platform: String = "LINUX", osVersion: String, manufacturer: String? = nil,
    model: String? = nil, serialNumber: String? = nil, udid: String? = nil, diskEncryptionType: String? = nil
  ) {
    self.displayName = displayName
    self.platform = platform
    self.osVersion = osVersion
    self.manufacturer = manufacturer
    self.model = model
    self.serialNumber = serialNumber
    self.udid = udid
    self.diskEncryptionType = diskEncryptionType
  }
}
