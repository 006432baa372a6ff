// Push authenticators at `auditctl simulate`: its options, and what can be typed.

import Foundation
import Glibc
import SimulatedOrg
import Testing

@testable import auditctl

@Suite struct SimulatedDeviceTests {
  @Test(
    arguments: [
      ("token ann@acme.example", .token(login: "ann@acme.example")),
      ("ask ann", .ask(login: "ann", .preferred, message: nil)),
      ("ask ann required", .ask(login: "ann", .required, message: nil)),
      ("confirm ann Pay 100% of it?", .ask(login: "ann", .preferred, message: "Pay 100% of it?")),
      ("suspend user ann", .set(.user, "ann", .suspended)), ("restore device guo1", .set(.device, "guo1", .active)),
      ("remove enrollment pfd1", .set(.enrollment, "pfd1", .deleted)), ("rotate", .rotate),
      ("spoil unsigned", .spoil(.unsigned)), ("ask ann sometimes", nil), ("suspend cat ann", nil), ("spoil milk", nil),
      ("approve ann", nil), ("", nil),
    ] as [(String, DeviceDesk.Order?)])
  func `a line is an order about devices, or none`(line: String, order: DeviceDesk.Order?) {
    #expect(DeviceDesk.order(line) == order)
  }

  @Test func `orders are carried out at the org`() async throws {
    let org = try await SimulatedOrg.start(.init(users: [.init(login: "ann", password: "p")]))
    let key = org.signingKeyID()
    #expect(DeviceDesk.perform(.token(login: "ann"), at: org).hasPrefix("token ann eyJ"))
    #expect(DeviceDesk.perform(.token(login: "eve"), at: org) == "There is no user eve.")
    #expect(DeviceDesk.perform(.ask(login: "ann", .required, message: nil), at: org).hasPrefix("No device of ann"))
    #expect(DeviceDesk.perform(.rotate, at: org).contains(org.signingKeyID()) && org.signingKeyID() != key)
    await org.stop()
  }

  @Test func `an order about a user, device or enrollment that is not there is not confirmed`() async throws {
    let org = try await SimulatedOrg.start(.init(users: [.init(login: "ann", password: "p")]))
    for answer: PushAnswer in [.approve, .reject, .timeOut] {
      #expect(PhoneDesk.give(answer, for: "ghost", at: org) == "There is no user ghost.")
    }
    #expect(PhoneDesk.give(.approve, for: "Ann", at: org) == "The next poll of Ann brings the answer.")
    #expect(DeviceDesk.perform(.set(.user, "typo", .suspended), at: org) == "There is no user typo.")
    #expect(DeviceDesk.perform(.set(.device, "typo", .suspended), at: org) == "There is no device typo.")
    #expect(DeviceDesk.perform(.set(.enrollment, "typo", .deleted), at: org) == "There is no enrollment typo.")
    #expect(DeviceDesk.perform(.set(.user, "ann", .suspended), at: org).contains("the user ann is"))
    #expect(
      DeviceDesk.perform(.ask(login: "typo", .required, message: nil), at: org) == "There is no user typo.")
    await org.stop()
  }

  @Test func `tokens and the notification port are printed behind the URL`() throws {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = [
      "simulate", "--token", "ann@acme.example", "--token", "bob@acme.example", "--notification-port", "0",
      "--user-verification", "required",
    ]
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    var text = ""
    while text.split(separator: "\n", omittingEmptySubsequences: false).count < 5 {
      text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("http://127.0.0.1:"))
    #expect(lines[1].hasPrefix("token ann@acme.example eyJ") && lines[2].hasPrefix("token bob@acme.example eyJ"))
    let port = try #require(lines[3].split(separator: ":").last.flatMap { UInt16($0) })
    #expect(lines[3] == "notifications 127.0.0.1:\(port)" && port > 0)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }

  @Test func `a signal that comes as soon as the URL is there ends it`() throws {
    for _ in 0..<40 {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: Program.binary)
      process.arguments = ["simulate"]
      (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, FileHandle.nullDevice)
      try process.run()
      while !output.fileHandleForReading.availableData.contains(10) {}
      kill(process.processIdentifier, SIGTERM)
      // It hangs here if the signal is lost.
      process.waitUntilExit()
      let byItself = process.terminationReason == .exit && process.terminationStatus == 0
      #expect(byItself || process.terminationStatus == SIGTERM)
    }
  }

  @Test(arguments: [
    (["--user-verification", "perhaps"], "--user-verification"), (["--notification-port", "70000"], "70000"),
    (["--token", "eve@acme.example"], "eve@acme.example"),
  ])
  func `an option that is wrong is refused by name`(options: [String], says: String) throws {
    let run = try Program.run(["simulate"] + options, in: Folder())
    #expect(run.code == 64 && run.errors.contains(says), "\(run.errors)")
  }
}
