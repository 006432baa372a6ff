import DeviceAuthenticator
import EventStore
import FlowRecording
import Testing

/// An application's own prompt.
@Suite struct PromptVerifierTests {
  private let request = VerificationRequest(reason: "Vector App", timeLimit: 30)
  private let secret = [UInt8](repeating: 3, count: 32)
  private let time = VirtualTime(start: Timestamp(microseconds: 1_700_000_000_000_000))

  @Test func `what the prompt answers is the outcome, with the epoch of its beginning`() async throws {
    let epoch = Locked<[UInt8]>([1])
    let secret = secret
    let verifier = PromptVerifier(capability: .fingerprint, epoch: { epoch.withLock { $0 } }, timers: time) { _ in
      epoch.withLock { $0 = [2] }
      return .verified(secret: secret)
    }
    let receipt = try #require(await verifier.verify(request).receipt)
    #expect(receipt.method == .fingerprint && receipt.epoch == [1] && verifier.enrolmentEpoch == [2])
    let answers: [(PromptVerifier.Answer, ScriptedVerifier.Answer)] = [
      (.cancelled, .cancelled), (.failed, .failed), (.lockedOut, .lockedOut), (.notSetUp, .notSetUp),
    ]
    for (answer, outcome) in answers {
      let verifier = PromptVerifier(capability: .face, timers: time) { _ in answer }
      #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == outcome)
    }
    #expect(time.pending == 0)
  }

  @Test func `a prompt that hangs ends with its time, is cancelled, and its late answer counts nothing`() async {
    let (asked, late) = (Gate(), Gate())
    let secret = secret
    let verifier = PromptVerifier(capability: .pin, timers: time) { _ in
      await asked.open()
      // Answers when it is let, cancelled or not.
      await late.passed()
      return .verified(secret: secret)
    }
    let question = Task { await verifier.verify(request) }
    await asked.passed()
    await time.waitForTimers()
    time.advance(milliseconds: 30_000)
    #expect(ScriptedVerifier.Answer(await question.value) == .timedOut)
    await late.open()
  }

  @Test func `a question ends as cancelled with its task, whatever the prompt does`() async {
    let asked = Gate()
    let never = Gate()
    let verifier = PromptVerifier(capability: .pin, timers: time) { _ in
      await asked.open()
      await never.passed()
      return .failed
    }
    let question = Task { await verifier.verify(VerificationRequest(reason: "r")) }
    await asked.passed()
    question.cancel()
    #expect(ScriptedVerifier.Answer(await question.value) == .cancelled)
    await never.open()
  }

  @Test func `a prompt for a PIN is checked against the file of the PIN`() async throws {
    let folder = try OwnFolder()
    let pin = try PINFile(directory: folder.file("pin"), cost: .weakForTests, clock: time)
    let typed = Locked<[String?]>([])
    let verifier = PromptVerifier(pin, timers: time) { _ in typed.withLock { $0.removeFirst() } }
    #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == .notSetUp)
    try pin.setPIN("2468")
    typed.withLock { $0 = [nil, "0000", "2468", "0", "0", "0", "0", "0", "2468"] }
    for answer in [ScriptedVerifier.Answer.cancelled, .failed, .verified, .failed, .failed, .failed, .failed] {
      #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == answer)
    }
    for _ in 0..<2 { #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == .lockedOut) }
    #expect(verifier.capability == .pin && verifier.enrolmentEpoch == pin.epoch)
  }

  @Test func `a prompt that can verify nothing is not asked`() async {
    let verifier = PromptVerifier(capability: .none, timers: time) { _ in .failed }
    #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == .notSetUp)
  }
}

/// Something that is waited for, without a clock.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Lets those who wait go on, and those who come later.
  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Waits until it is open.
  func passed() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
