import IDX
import Logging

/// The sign-in of one browser session: the flow, where it stands, and the waiting for a phone or a mail.
///
/// The browser comes and goes with short requests, and the sign-in stays here in between. Every request that changes
/// something does so in a method of this actor, and leaves behind what the next page shows.
actor SignIn {
  /// Where a sign-in stands.
  enum Stage: Sendable {
    /// The org has not answered yet.
    case working
    /// The org wants to know something, or waits for the person to act elsewhere.
    case asking(Response)
    /// It succeeded.
    case signedIn(Account)
    /// It cannot go on; a new one can be started.
    case ended
  }

  /// What a page is made of.
  struct Snapshot: Sendable {
    var step: Int
    var stage: Stage
    /// Whether there may be a newer page without anything being done on this one.
    var isWaiting: Bool
    var problem: String?
    var flowID: String
  }

  /// Held for as long as the sign-in goes on. Letting go of it ends the flow in the log.
  private var flow: InteractionCodeFlow?
  private let flowID: String
  private let logger: Logger
  private var stage = Stage.working
  private var problem: String?
  /// Counts what there was to see. A form says which step it belongs to. If a person goes back to an older page, its
  /// form is not taken for an answer to the present one.
  private var step = 0
  /// The step whose response is being polled for a newer one.
  private var polledStep: Int?
  private var latestTurn: Task<Void, Never>?

  init(flow: InteractionCodeFlow, logger: Logger) {
    self.flow = flow
    flowID = flow.flowID
    self.logger = logger
  }

  var snapshot: Snapshot {
    Snapshot(
      step: step, stage: stage, isWaiting: polledStep != nil || isWorking, problem: problem, flowID: flowID)
  }

  var isWorking: Bool { if case .working = stage { true } else { false } }

  // MARK: What a browser asks for

  /// Begins, and returns once the org has answered.
  func start() async {
    await inTurn { await self.take { try await self.flow?.start() } }
  }

  /// Sends what the person filled in or clicked, and returns once the org has answered.
  func submit(_ answers: Answers) async {
    await inTurn { await self.perform(answers) }
  }

  /// Gives the sign-in up. The log shows it as cancelled, if it has not ended before.
  func end() async {
    let ending = flow
    move(to: .ended)
    ending?.cancel()
    // `cancel` returns at once, and the log may be closed after this: wait until it has the end of the flow, a second at
    // most.
    for _ in 0..<1000 where ending?.isAuthenticating == true { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Runs requests of one browser one after another: after a double click, the second waits until the first is done
  /// and then finds that its page is out of date. The work goes on if the browser hangs up.
  private func inTurn(_ work: @escaping @Sendable () async -> Void) async {
    let turn = Task { [latestTurn] in
      await latestTurn?.value
      await work()
    }
    latestTurn = turn
    await turn.value
  }

  // MARK: One step

  private func perform(_ answers: Answers) async {
    guard case .asking(let response) = stage, answers.step == step else { return }
    switch answers.action {
    case .proceed(let index):
      guard let remediation = response.remediations.element(at: index) else { return }
      remediation.form.fill(with: answers.values)
      await take { try await remediation.proceed() }
    case .send(let index): await take { try await response.authenticators.element(at: index)?.sendable?.send() }
    case .resend(let index): await take { try await response.authenticators.element(at: index)?.resendable?.resend() }
    case .recover(let index):
      await take { try await response.authenticators.element(at: index)?.recoverable?.recover() }
    case .wait: arrive(at: response)
    case .startOver: await take { try await response.cancel() }
    }
  }

  /// Waits for a call of the SDK, and keeps what it brings.
  private func take(_ call: () async throws -> Response?) async {
    do {
      // `end` may have come first.
      guard let response = try await call(), flow != nil else { return }
      guard response.isLoginSuccessful else { return arrive(at: response) }
      // Nothing of an older page counts any more.
      move(to: .working)
      let account = try Account(response, flowID: flowID)
      // Ends the sign-in at the org. An application that calls APIs keeps the tokens with the browser's session, here
      // on the server. This one wants to know who it is, and drops them.
      _ = try await response.exchangeCode()
      if flow != nil { succeed(account) }
    } catch is CancellationError {
      // Another call took over; it brings what comes next.
    } catch {
      if flow != nil { fail(error) }
    }
  }

  private func arrive(at response: Response) {
    move(to: .asking(response))
    if let pollable = response.pollable { poll(pollable) }
  }

  /// Polls the org in the background, until it has something new or another call of the flow takes over. In the
  /// meantime the browser's page asks this server.
  private func poll(_ pollable: Capability.Pollable) {
    let polled = step
    polledStep = polled
    Task {
      await take {
        defer { if polledStep == polled { polledStep = nil } }
        return try await pollable.startPolling()
      }
    }
  }

  private func succeed(_ account: Account) {
    move(to: .signedIn(account))
    // The audit log says who it was. Here the id of the flow is enough.
    logger.notice("signed in", metadata: ["flow": "\(flowID)"])
  }

  private func fail(_ error: any Error) {
    logger.notice("sign-in failed", metadata: ["flow": "\(flowID)", "error": "\(error.localizedDescription)"])
    let failure = Failure(error)
    if case .asking = stage, failure.canTryAgain {
      move(to: stage, problem: failure.text)
    } else {
      move(to: .ended, problem: failure.text)
    }
  }

  private func move(to stage: Stage, problem: String? = nil) {
    self.stage = stage
    self.problem = problem
    step += 1
    switch stage {
    case .working, .asking: break
    case .signedIn, .ended: flow = nil
    }
  }
}
