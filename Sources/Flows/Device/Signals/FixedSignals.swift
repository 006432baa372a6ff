/// A device that is what the application says it is: for tests, and for applications that know their device themselves.
public struct FixedSignals: DeviceSignals {
  private let profile: DeviceProfile

  /// Makes the signals.
  public init(_ profile: DeviceProfile = DeviceProfile(displayName: "Linux device", osVersion: "0.0.0")) {
    self.profile = profile
  }

  /// The profile that was given.
  public func read() -> DeviceProfile { profile }
}
