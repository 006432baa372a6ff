// `auditctl simulate --from`: an org that answers as recorded.

import AuditReports
import FlowRecording
import Replay
import SimulatedOrg

enum RecordedOrgServer {
  /// Answers on loopback until interrupted. The first line on stdout is the URL.
  static func run(_ name: String, port: UInt16) async throws {
    let recording = try RecordingLookup.find(name, in: []).recording
    let listener = try HTTPListener(port: port)
    let url = "http://127.0.0.1:\(listener.port)"
    let org = Locked(RecordedOrg(recording, at: url))
    let count = org.withLock { $0.count }
    guard count > 0 else {
      throw CommandFailure(.malformed, "\(name.printable) has no answers that could be given; record a sign-in")
    }
    let output = Output()
    try output.line(url)
    try output.flush()
    Messages.say("\(Quantity.count(count, "recorded answer")) of \(name.printable) at \(url).")
    let serving = Task(executorPreference: OrgThreads.shared) {
      await listener.run { request in
        let given = org.withLock {
          $0.answer(
            request.method, request.target, body: request.body, authorization: request.header("authorization"),
            cookie: request.header("cookie"))
        }
        guard let answer = given else {
          Messages.say("Not recorded: \(request.method.printable) \(request.path.printable)")
          return Delivery(HTTPReply(status: 404))
        }
        return Delivery(HTTPReply(status: answer.status, headers: answer.headers, body: answer.body))
      }
    }
    await Termination.wait()
    serving.cancel()
    await serving.value
  }
}

extension ReceivedRequest {
  /// The path without its query, which may carry secrets.
  fileprivate var path: String { String(target.prefix { $0 != "?" }) }
}
