import DeviceAuthenticator
import Testing

/// Answers that are given in advance.
@Suite struct ScriptedVerifierTests {
  private let request = VerificationRequest(reason: "Sign in to Vector App", timeLimit: 30)

  @Test func `answers come in their order, then the one that is left`() async {
    let answers: [ScriptedVerifier.Answer] = [.cancelled, .failed, .lockedOut, .notSetUp, .timedOut, .verified]
    let verifier = ScriptedVerifier(answers: answers, otherwise: .failed)
    for answer in answers + [.failed, .failed] {
      #expect(ScriptedVerifier.Answer(await verifier.verify(request)) == answer)
    }
    #expect(verifier.requests == Array(repeating: request, count: 8))
  }

  @Test func `a receipt is of the enrolled set at that time, and unlocks keys that were bound under it`() async throws {
    let verifier = ScriptedVerifier(capability: .fingerprint)
    let store = MemoryKeyStore()
    let first = try #require(await verifier.verify(request).receipt)
    #expect(first.method == .fingerprint && first.epoch == verifier.enrolmentEpoch)
    _ = try store.generate(tag: "uv", role: .userVerification, binding: KeyBinding(first))
    let again = try #require(await verifier.verify(request).receipt)
    #expect(try store.sign([], tag: "uv", receipt: again).count == 64)
    verifier.setEpoch([2])
    let later = try #require(await verifier.verify(request).receipt)
    #expect(throws: KeyStoreError.invalidated(tag: "uv")) { try store.sign([], tag: "uv", receipt: later) }
  }

  @Test func `a question that waits is answered when the test says`() async throws {
    let verifier = ScriptedVerifier(answers: [.waits])
    let question = Task { await verifier.verify(request) }
    while verifier.waiting == 0 { await Task.yield() }
    #expect(verifier.answer(.waits) && verifier.waiting == 1)
    #expect(verifier.answer(.verified) && !verifier.answer(.verified))
    #expect(ScriptedVerifier.Answer(await question.value) == .verified)
  }

  @Test func `a question that waits ends as cancelled with its task`() async {
    let verifier = ScriptedVerifier(answers: [.waits, .verified])
    let question = Task { await verifier.verify(request) }
    while verifier.waiting == 0 { await Task.yield() }
    question.cancel()
    #expect(ScriptedVerifier.Answer(await question.value) == .cancelled)
    #expect(verifier.waiting == 0)
  }

  @Test func `a verifier that can ask no one asks no one`() async {
    #expect(ScriptedVerifier.Answer(await NoVerifier().verify(request)) == .notSetUp)
    #expect(NoVerifier().capability == .none && NoVerifier().enrolmentEpoch.isEmpty)
    let scripted = ScriptedVerifier(capability: .none, answers: [.verified])
    #expect(ScriptedVerifier.Answer(await scripted.verify(request)) == .notSetUp)
    #expect(scripted.requests.isEmpty)
  }
}

extension ScriptedVerifier.Answer {
  /// The answer that an outcome is.
  init(_ outcome: VerificationOutcome) {
    self =
      switch outcome {
      case .verified: .verified
      case .cancelled: .cancelled
      case .failed: .failed
      case .lockedOut: .lockedOut
      case .notSetUp: .notSetUp
      case .timedOut: .timedOut
      }
  }
}

extension VerificationOutcome {
  /// The receipt, if the person was verified.
  var receipt: VerificationReceipt? {
    if case .verified(let receipt) = self { receipt } else { nil }
  }
}
