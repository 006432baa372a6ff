// What orgs recognize a device by.

import FlowRecording
import Foundation
import Testing

@Suite struct StoredDeviceTests {
  private let path = NSTemporaryDirectory() + "/device-\(UUID().uuidString)/device-id"

  private func device() -> StoredDevice { StoredDevice(path: path) }
  private func put(_ id: String, mode: Int) throws {
    try id.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }
  private func remove() { try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent) }

  @Test("each issuer has a token of its own, the same every time and in every process")
  func tokens() throws {
    defer { remove() }
    let first = device()
    let token = first.token(for: "https://acme.example/oauth2/default")
    #expect(token.utf8.count == 24 && Data(base64Encoded: token)?.count == 16)
    #expect(first.token(for: "https://acme.example/oauth2/default/") == token)
    #expect(device().token(for: "https://acme.example/oauth2/default") == token)
    let others = ["https://other.example/oauth2/default", "https://acme.example", ""].map(device().token)
    #expect(Set(others + [token]).count == 4)
    // The id itself reaches no org.
    let id = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let plain = FixedDevice(try #require(UUID(uuidString: id))).token
    #expect(!(others + [token]).contains(plain))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("the token for an id and an issuer stays what it is from version to version")
  func known() throws {
    defer { remove() }
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try put("00112233-4455-6677-8899-AABBCCDDEEFF\n", mode: 0o600)
    // python3: hmac.new(id, issuer, "sha256").digest()[:16] in base64
    #expect(device().token(for: "https://acme.example/oauth2/default") == "K5VR37LAYn1WIxZRII/fXQ==")
  }

  @Test(
    "an id that others can read or write is not used, nor is one behind a link: a new one replaces file and link",
    arguments: [0o644, 0o620, 0o602, nil])
  func exposed(mode: Int?) throws {
    defer { remove() }
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let id = "00112233-4455-6677-8899-AABBCCDDEEFF\n"
    try put(id, mode: mode ?? 0o600)
    let other = folder + "/other"
    if mode == nil {
      try FileManager.default.moveItem(atPath: path, toPath: other)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    }
    let token = device().token(for: "https://acme.example/oauth2/default")
    #expect(token != "K5VR37LAYn1WIxZRII/fXQ==")
    #expect(device().token(for: "https://acme.example/oauth2/default") == token)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    if mode == nil { #expect(try String(contentsOfFile: other, encoding: .utf8) == id) }
  }

  @Test("a file without an id, as a crash leaves it, is replaced: later processes are the same device")
  func emptyFile() throws {
    defer { remove() }
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: path))
    let token = device().token(for: "https://acme.example")
    #expect(device().token(for: "https://acme.example") == token)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["device-id"])
  }

  @Test("after a reset it is a new device, here and in later processes")
  func reset() throws {
    defer { remove() }
    let first = device()
    let token = first.token(for: "https://acme.example")
    try first.reset()
    let next = first.token(for: "https://acme.example")
    #expect(next != token && device().token(for: "https://acme.example") == next)
    try device().reset()
    #expect(!FileManager.default.fileExists(atPath: path))
    try device().reset()
  }

  @Test("a device that the application gives is the same for every org")
  func fixed() {
    let device = FixedDevice(UUID())
    #expect(device.token(for: "https://acme.example") == device.token && device.token(for: "") == device.token)
  }
}
