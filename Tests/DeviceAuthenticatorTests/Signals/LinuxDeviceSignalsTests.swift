import DeviceAuthenticator
import FlowRecording
import Foundation
import Glibc
import Testing

/// What a machine made of files says of itself.
@Suite struct LinuxDeviceSignalsTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  private func read(displayName: String? = nil, application: String = "com.acme.app") -> DeviceProfile {
    LinuxDeviceSignals(applicationID: application, displayName: displayName, root: folder.path).read()
  }

  @Test func `a machine that says nothing is a device without a name`() {
    let profile = read()
    #expect(profile.displayName == "Linux device" && profile.platform == "LINUX" && profile.osVersion == "0.0.0")
    #expect(profile.manufacturer == nil && profile.serialNumber == nil && profile.udid == nil)
    #expect(profile.diskEncryptionType == nil)
  }

  @Test func `a name comes from the application, machine-info and hostname, in this order, without tags`() throws {
    try folder.write("build-host-7\n", to: "etc/hostname")
    #expect(read().displayName == "build-host-7")
    try folder.write("# Bob\nPRETTY_HOSTNAME=\"<b>Bob's</b> \\\"box\\\"\"\n", to: "etc/machine-info")
    #expect(read().displayName == "Bob's \"box\"")
    #expect(read(displayName: "<i>Desk</i>").displayName == "Desk")
    #expect(read(displayName: "<i></i> ").displayName == "Bob's \"box\"")
  }

  @Test(arguments: [
    ("VERSION_ID=\"24.04\"", "24.04.0"), ("VERSION_ID=12", "12.0.0"), ("VERSION_ID='9.4.1.7'", "9.4.1"),
    ("VERSION_ID=rolling", "6.8.0"), ("", "6.8.0"),
  ])
  func `a version has three numbers, else it is the kernel's`(line: String, version: String) throws {
    try folder.write("NAME=x\n\(line)\n", to: "etc/os-release")
    try folder.write("6.8.0-45-generic\n", to: "proc/sys/kernel/osrelease")
    #expect(read().osVersion == version)
  }

  @Test func `the version of usr/lib counts if etc has none`() throws {
    try folder.write("VERSION_ID=41\n", to: "usr/lib/os-release")
    #expect(read().osVersion == "41.0.0")
  }

  @Test func `maker and model come from the firmware, if they were filled in`() throws {
    try folder.write("Acme  Inc.\u{7}\n", to: "sys/class/dmi/id/sys_vendor")
    try folder.write("To Be Filled By O.E.M.\n", to: "sys/class/dmi/id/product_name")
    try folder.write("Raspberry Pi 5\0", to: "proc/device-tree/model")
    let profile = read()
    #expect(profile.manufacturer == "Acme Inc." && profile.model == "Raspberry Pi 5")
    try folder.write("Box 7\n", to: "sys/class/dmi/id/product_name")
    #expect(read().model == "Box 7")
  }

  @Test func `a udid is of machine and application together, and is not the machine's id`() throws {
    let machine = "0123456789abcdef0123456789abcdef"
    try folder.write(machine + "\n", to: "etc/machine-id")
    let udid = try #require(read().udid)
    #expect(udid.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
    #expect(udid == read().udid && udid != read(application: "com.acme.other").udid)
    #expect(!udid.lowercased().replacing("-", with: "").contains(machine.prefix(8)))
    for bad in ["uninitialized\n", "", "0123\n"] {
      try folder.write(bad, to: "etc/machine-id")
      #expect(read().udid == nil)
    }
  }

  @Test func `files that are folders, pipes, huge or noise end nothing`() throws {
    try folder.write("", to: "etc/machine-info/x")
    try folder.write([UInt8](repeating: 0xFF, count: 1 << 20), to: "etc/os-release")
    try folder.write("", to: "sys/class/dmi/id/x")
    #expect(mkfifo(folder.file("sys/class/dmi/id/sys_vendor"), 0o600) == 0)
    let profile = read()
    #expect(profile.displayName == "Linux device" && profile.osVersion == "0.0.0" && profile.manufacturer == nil)
  }

  struct Disks: Sendable {
    var mounts: [String] = []
    var disks: [String: String] = [:]
    var type: String?
  }

  static let disks = [
    Disks(mounts: ["/ 253:0"], disks: ["253:0": "CRYPT-LUKS2-1"], type: "ALL_INTERNAL_VOLUMES"),
    Disks(mounts: ["/ 253:0", "/home 8:3"], disks: ["253:0": "CRYPT-LUKS2-1", "8:3": ""], type: "SYSTEM_VOLUME"),
    Disks(
      mounts: ["/ 253:0", "/media 8:3"], disks: ["253:0": "CRYPT-LUKS2-1", "8:3": "removable"],
      type: "ALL_INTERNAL_VOLUMES"),
    Disks(
      mounts: ["/ 253:1"], disks: ["253:1": "LVM-1 < 253:0", "253:0": "CRYPT-LUKS2-1"], type: "ALL_INTERNAL_VOLUMES"),
    Disks(mounts: ["/ 253:1"], disks: ["253:1": "LVM-1 < 8:3", "8:3": ""], type: "NONE"),
    Disks(mounts: ["/ 8:2", "/proc 0:5"], disks: ["8:2": ""], type: "NONE"), Disks(mounts: ["/ 0:41"]), Disks(),
    Disks(mounts: ["/ 8:2"]), Disks(mounts: ["/ 253:9"], disks: ["253:9": "x < 253:9"]),
  ]

  @Test(arguments: disks)
  func `disks are what the device mapper says of the mounted ones`(machine: Disks) throws {
    let (mounts, disks, type) = (machine.mounts, machine.disks, machine.type)
    let lines = mounts.map { mount in
      let parts = mount.split(separator: " ")
      return "22 1 \(parts[1]) / \(parts[0]) rw - ext4 /dev/x rw\n"
    }
    try folder.write(lines.joined(), to: "proc/self/mountinfo")
    for (device, what) in disks {
      let base = "sys/dev/block/\(device)"
      let parts = what.components(separatedBy: " < ")
      try folder.write(device + "\n", to: "\(base)/dev")
      if what == "removable" { try folder.write("1\n", to: "\(base)/removable") }
      if parts[0].contains("-") { try folder.write(parts[0] + "\n", to: "\(base)/dm/uuid") }
      if parts.count == 2 { try folder.write(parts[1] + "\n", to: "\(base)/slaves/below/dev") }
    }
    #expect(read().diskEncryptionType == type)
  }

  @Test func `this machine's signals are read without an error`() {
    let profile = LinuxDeviceSignals(applicationID: "com.acme.app").read()
    #expect(!profile.displayName.isEmpty && !profile.displayName.contains("<"))
    #expect(profile.osVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil && profile.serialNumber == nil)
  }

  @Test func `an installation's id is made once, also by two at the same time`() async throws {
    let path = folder.file("state")
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try InstallationID.obtain(directory: path) } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 1 && ids.first?.count == 36)
    #expect(try folder.mode(of: "state/installation-id") == "600")
    try folder.write("not an id\n", to: "state/installation-id")
    #expect(throws: StorageFailure.self) { try InstallationID.obtain(directory: path) }
  }
}
