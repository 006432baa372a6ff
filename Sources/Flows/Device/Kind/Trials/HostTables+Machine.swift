// How facts that a machine reports are interpreted. No file is read here.

import FlowRecording

extension HostTables {
  /// Versions, names, and mounts of a Linux machine.
  static var machine: [String] {
    let versions = [
      "", "22.04", "12", "1.2.3.4", "6.1.0-18-amd64", "6..1", ".5", "5.", "rolling", "123456789.1", "1234567890.1",
      "1.1234567890", "v1", "0.0.0", "٣.1",
    ]
    let names = ["Ann's PC", " <b>PC</b> \n", "<x>", "", "a<b", "  "]
    let escaped = [#"a\"b"#, #"\\"#, #"\"#, #"a\b\\c\$"#, "", "plain"]
    let mounts = [
      "36 35 8:1 / / rw,noatime master:1 - ext4 /dev/sda1 rw", "36 35 0:22 / /proc rw - proc proc rw",
      "36 35 7:3 / /snap rw", "36 35 253:0 / /home", "36 35 8:1 /", "36 35 8 / /", "36 35 8: / /", "36 35 :1 / /",
      "36 35 8:1:2 / /", "36 35 8:x / /", "36 35 08:10 /a /b c d e f", "", "36  35 8:1  / /x",
    ]
    return versions.map { line($0, LinuxDeviceSignals.threeNumbers($0)) }
      + names.map { line($0, LinuxDeviceSignals.withoutTags($0)) }
      + escaped.map { line($0, SystemFiles.unescaped($0[...])) }
      + mounts.map { text in
        line(text, Mount(Array(text.utf8)[...]).map { "\($0.device) \($0.point) \($0.isDisk)" })
      } + profiles
  }

  /// What a device reports about itself before it was described by the application.
  private static var profiles: [String] {
    let profiles = [
      FixedSignals().read(), DeviceProfile(displayName: "name", osVersion: "1"),
      DeviceProfile(
        displayName: "name", platform: "platform", osVersion: "1", manufacturer: "maker", model: "model",
        serialNumber: "serial", udid: "udid", diskEncryptionType: "FULL"),
    ]
    return profiles.map { profile in
      let more = [
        profile.manufacturer, profile.model, profile.serialNumber, profile.udid, profile.diskEncryptionType,
      ].map { $0 ?? "-" }
      return line("\(profile.displayName) \(profile.platform) \(profile.osVersion)", "\(more)")
    } + [SignalSource.application.rawValue, SignalSource.file.rawValue, "\(SignalFile.limit)"]
  }
}
