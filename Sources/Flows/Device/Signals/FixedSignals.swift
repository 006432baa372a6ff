/// Returns facts about the device that the application provides, for tests and for applications that know their device.
public struct FixedSignals: DeviceSignals {
  private let profile: DeviceProfile

  /// Creates the signals.
  public init(_ profile: DeviceProfile = DeviceProfile(displayName: "Linux device", osVersion: "0.0.0")) {
    self.profile = profile
  }

  /// Returns the given profile.
  public func read() -> DeviceProfile { profile }
}
