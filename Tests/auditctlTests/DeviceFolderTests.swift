import ArgumentParser
import Foundation
import Testing

@testable import auditctl

@Suite struct DeviceFolderTests {
  @Test func `an org's URL with a password in it is refused and not repeated`() throws {
    for org in [
      "https://ann:canary-pw@acme.example", "https://canary-pw@acme.example", "http://ann:canary-pw@localhost",
    ] {
      let error = #expect(throws: (any Error).self) { try DeviceOptions.parse(["--org", org, "--store", "s"]) }
      #expect(!DeviceOptions.message(for: try #require(error)).contains("canary-pw"))
    }
  }

  @Test func `keys are never put inside the store, however its folder is written`() throws {
    let folder = try Folder()
    let store = folder.path + "/audit"
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: store)
    func place(_ device: String) throws -> String {
      try DeviceOptions.parse(["--org", "https://acme.example", "--store", store, "--device", device]).folder()
    }
    let inside = [
      store, store + "/", store + "/keys", store + "//keys", folder.path + "/./audit/keys",
      folder.path + "/other/../audit/keys", folder.path + "/link", folder.path + "/link/keys/more",
    ]
    for device in inside { #expect(throws: CommandFailure.self, "\(device)") { try place(device) } }
    for device in [store + "-keys", folder.path + "/keys"] { #expect(try place(device) == device) }
  }
}
