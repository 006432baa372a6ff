// What is known of this device (spec/device.md §5.1, §19.4).

/// Reads what is known of this device. Quick, and never fails: what is not known is left out.
public protocol DeviceSignals: Sendable {
  /// Reads all of it now.
  func read() -> DeviceProfile
}

/// What is known of a device, by the names of the wire.
public struct DeviceProfile: Sendable, Hashable {
  /// What people call it. Personal.
  public var displayName: String
  /// `LINUX`, unless configured otherwise.
  public var platform: String
  /// `major.minor.patch`.
  public var osVersion: String
  /// Who made it.
  public var manufacturer: String?
  /// Its model.
  public var model: String?
  /// Configured only; never read from the machine. Personal.
  public var serialNumber: String?
  /// An id of the machine for this application alone. Personal.
  public var udid: String?
  /// `NONE`, `FULL`, `ALL_INTERNAL_VOLUMES`, `SYSTEM_VOLUME`; nil if unsure.
  public var diskEncryptionType: String?

  /// Makes one; what is not given is not known.
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
