// Where a scenario plays: a real org on loopback, virtual time, repeatable entropy, any recorder.

public import Authn
import Dispatch
public import EventStore
public import FlowRecording
public import Foundation
public import SimulatedOrg

/// A stage for one scenario. The org is reached over real HTTP; what it is called is always the same, so that
/// recordings do not depend on a port.
public struct Stage: Sendable {
  /// What the org is called in requests and links.
  public static let orgURL = "https://acme.example"
  /// When every scenario begins.
  public static let start = Timestamp("2026-01-15T09:00:00Z") ?? Timestamp(microseconds: 0)

  /// The org.
  public let org: SimulatedOrg
  /// The virtual time of clock and timers.
  public let time: VirtualTime
  /// The seams.
  public var environment: FlowEnvironment
  /// Called with each flow that begins on the stage.
  public var began: (@Sendable (OktaAuthStatusUnauthenticated) -> Void)?

  /// Sets a stage.
  ///
  /// - Parameters:
  ///   - configuration: the org's; its base URL is set here.
  ///   - recorder: where flows are written; nil records nothing.
  ///   - seed: of the client's entropy.
  public init(_ configuration: OrgConfiguration, recorder: (any Recorder)? = nil, seed: UInt64 = 7) async throws {
    var configuration = configuration
    configuration.publicBaseURL = Stage.orgURL
    org = try await SimulatedOrg.start(configuration)
    time = VirtualTime(start: Stage.start)
    environment = FlowEnvironment(
      recorder: recorder,
      transport: VariedAnswers.over(RenamedOrg(name: Stage.orgURL, url: org.url.absoluteString)),
      clock: time, entropy: SeededEntropy(seed: seed), timers: time,
      userAgent: "FlowRecorder/0.1.0 Linux/6 Device/x86_64",
      callbackQueue: DispatchQueue(label: "stage"))
  }

  /// Begins a flow against the org.
  public func begin(pollInterval: TimeInterval = 5) -> OktaAuthStatusUnauthenticated {
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: URL(string: Stage.orgURL) ?? org.url,
      responseHandler: OktaAuthStatusResponseHandler(pollInterval: pollInterval), environment: environment)
    began?(start)
    return start
  }

  /// Waits until what was to be called back was.
  func settle() { environment.callbackQueue?.sync {} }

  /// Runs an operation and lets every timer that it sets fire at once, until it is over. Time moves to the instant of
  /// each timer and no further: what arrives meanwhile might come at either of two.
  public func firingTimers<Result: Sendable>(
    during operation: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let firing = Task {
      while await time.waitForTimers() {
        guard let milliseconds = time.untilNextTimer else { continue }
        // The org first: what a timer sends must not meet its clock in between.
        org.advanceClock(by: Double(milliseconds) / 1000)
        time.advance(milliseconds: milliseconds)
      }
    }
    defer { firing.cancel() }
    return try await operation()
  }
}

/// Reaches an org under another name than its own, over the usual transport. How long things took is left out, so that the same
/// scenario is the same recording.
public struct RenamedOrg: Transport {
  let name: String
  let url: String
  let transport: any Transport

  /// Sends what is meant for `name` to `url`.
  public init(name: String, url: String, over transport: any Transport = CurlTransport.standard) {
    self.name = name
    self.url = url
    self.transport = transport
  }

  /// Sends a request under the org's real address.
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    var request = request
    if request.url.hasPrefix(name) { request.url = url + request.url.dropFirst(name.count) }
    return transport.send(request) { result in
      completion(
        result.map { response in
          var response = response
          response.timing = nil
          return response
        })
    }
  }
}
