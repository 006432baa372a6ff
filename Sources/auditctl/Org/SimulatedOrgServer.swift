// `auditctl simulate`: an org that runs until it is interrupted.

import AuditReports
import FlowRecording
import Foundation
import SimulatedOrg

enum SimulatedOrgServer {
  /// Prints where the org is and what was asked for, takes orders on stdin, and stops the org when interrupted. The
  /// first line on stdout is its URL.
  ///
  /// - Parameters:
  ///   - org: the org, which runs already.
  ///   - count: how many users it has.
  ///   - tokens: the logins of users whose access tokens are printed.
  ///   - notificationPort: the port on which devices are notified; 0 for any free one.
  /// - Throws: exit 64 if there is no user with one of the logins; the org's error if the port cannot be had.
  static func run(_ org: SimulatedOrg, of count: Int, tokens: [String], notificationPort: Int?) async throws {
    let output = Output()
    try output.line(org.url.absoluteString)
    for login in tokens {
      guard let token = org.accessToken(for: login) else {
        throw CommandFailure(.usage, "--token \(login.printable): there is no such user")
      }
      try output.line("token \(login) \(token)")
    }
    if let notificationPort, let port = UInt16(exactly: notificationPort) {
      try output.line("notifications 127.0.0.1:\(try org.openNotifications(port: port))")
    }
    try output.flush()
    Messages.say("An org of \(Quantity.count(count, "user")) runs at \(org.url.absoluteString).")
    if Terminal.canAsk { Messages.say(PhoneDesk.help) }
    Thread.detachNewThread { listen(for: org) }
    let messages = Task { await printMessages(of: org) }
    await Termination.wait()
    messages.cancel()
    await org.stop()
  }

  /// Reads orders until the input ends. Blocks its thread.
  private static func listen(for org: SimulatedOrg) {
    let input = LineInput()
    while let line = try? input.line() {
      if let order = DeviceDesk.order(line) {
        Messages.say(DeviceDesk.perform(order, at: org))
        continue
      }
      switch PhoneDesk.order(line) {
      case .answer(let answer, let login):
        Messages.say(PhoneDesk.give(answer, for: login, at: org))
      case .pick(let number, let login):
        let isRight = org.pickNumber(number, for: login)
        Messages.say(isRight ? "That was the number." : "No push with that number waits for \(login.printable).")
      case .openLink(let login):
        let isGood = org.openMagicLink(for: login)
        Messages.say(isGood ? "The link was followed." : "There is no mail with a good link for \(login.printable).")
      case .fault(let text):
        do throws(FaultOption.Problem) {
          org.inject(try FaultOption.fault(text))
          Messages.say("The fault waits for its request.")
        } catch {
          Messages.say("\(error.reason.printable).")
        }
      case .unknown: if !line.isEmpty { Messages.say(PhoneDesk.help) }
      }
    }
  }

  /// Prints each code that leaves, and what becomes of challenges, until cancelled.
  private static func printMessages(of org: SimulatedOrg) async {
    var printed = 0
    var shown: [String: OrgChallengeStatus] = [:]
    while !Task.isCancelled {
      let outbox = org.outbox
      for message in outbox.dropFirst(printed) { Messages.say(PhoneDesk.line(message)) }
      printed = outbox.count
      for challenge in org.challenges where shown[challenge.id] != challenge.status {
        shown[challenge.id] = challenge.status
        Messages.say(DeviceDesk.line(challenge))
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}
