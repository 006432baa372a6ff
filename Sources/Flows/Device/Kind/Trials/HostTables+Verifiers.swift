// How a person is asked, and what the answers mean.

import EventStore
import FlowRecording

extension HostTables {
  private static func plain(_ outcome: VerificationOutcome?) -> String { show(outcome) }

  /// The results of verifiers with known answers.
  static var verifiers: [String] {
    let request = VerificationRequest(reason: "why", cancelTitle: "no", fallbackTitle: "else", timeLimit: 2)
    let answers: [ScriptedVerifier.Answer] = [
      .verified, .cancelled, .failed, .lockedOut, .notSetUp, .timedOut, .verified,
    ]
    let said = VerifierCapability.allCases.flatMap { capability in
      let verifier = ScriptedVerifier(capability: capability, answers: answers, otherwise: .failed, epoch: [5])
      let asked = (0...answers.count).map { number -> String in
        if number == 6 { verifier.setEpoch([6, 7]) }
        let said = plain(outcome { await verifier.verify(request) })
        return line("\(capability.rawValue) \(number)", "\(said) \(verifier.requests.count)")
      }
      return asked + [line("epoch of \(capability.rawValue)", DeviceTexts.hex(verifier.enrolmentEpoch))]
    }
    let (usual, none) = (ScriptedVerifier(), NoVerifier())
    let ends = (plain(outcome { await usual.verify(request) }), plain(outcome { await none.verify(request) }))
    let others = [
      line("usual", "\(usual.capability.rawValue) \(ends.0)"),
      line("nobody", "\(none.capability.rawValue) \(none.enrolmentEpoch) \(ends.1)"),
    ]
    return said + waiting + others
  }

  /// Questions that wait until they are answered or their task ends.
  private static var waiting: [String] {
    let verifier = ScriptedVerifier(answers: [.waits, .waits, .waits, .waits])
    let (tasks, ends) = (PlayedTasks(), Locked<[String]>([]))
    for number in 0..<4 {
      tasks.run(number) {
        let outcome = await verifier.verify(VerificationRequest(reason: "\(number)"))
        ends.withLock { $0.append("\(number) \(plain(outcome))") }
      }
    }
    var lines: [String] = []
    func note(_ what: String, _ did: Bool) {
      tasks.runReady()
      lines.append(line(what, "\(did) \(verifier.waiting) \(ends.withLock { $0 })"))
    }
    note("begin", true)
    note("go on waiting", verifier.answer(.waits))
    note("verified", verifier.answer(.verified))
    note("cancel", tasks.cancel(2))
    note("failed", verifier.answer(.failed))
    note("the last", verifier.answer(.timedOut))
    note("none", verifier.answer(.verified))
    note("none waits", verifier.answer(.waits))
    return lines
  }

  /// The meaning of answers to an application's prompt.
  static var prompts: [String] {
    let secret = [UInt8](repeating: 4, count: 32)
    let answers: [PromptVerifier.Answer] = [.verified(secret: secret), .cancelled, .failed, .lockedOut, .notSetUp]
    let asked = answers.flatMap { answer in
      [VerifierCapability.pin, .face].map { capability -> String in
        let verifier = PromptVerifier(capability: capability, epoch: { [1, 2] }) { request in
          request.reason == "why" ? answer : .failed
        }
        let said = outcome { await verifier.prompt(VerificationRequest(reason: "why")) }
        return line("\(answer.description) \(verifier.capability.rawValue)", plain(said))
      }
    }
    let none = PromptVerifier(capability: .none) { _ in .cancelled }
    let said = outcome { await none.verify(VerificationRequest(reason: "why", timeLimit: 1)) }
    // A prompt that waits longer than the question allows.
    let waiting = ScriptedVerifier(answers: [.waits])
    let late = PromptVerifier(capability: .pin, timers: TimersThatAreOver()) { request in
      _ = await waiting.verify(request)
      return .verified(secret: secret)
    }
    let over = outcome { await late.verify(VerificationRequest(reason: "why", timeLimit: 1)) }
    return asked + [line("none", "\(plain(said)) \(none.enrolmentEpoch)"), line("over", plain(over))]
  }

  /// Timers that fire immediately.
  private struct TimersThatAreOver: FlowTimers {
    private struct Done: TimerTask { func cancel() {} }

    func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
      fire()
      return Done()
    }
  }

  /// What a terminal shows, and how long a question may take.
  static var terminals: [String] {
    let texts = [
      "Confirm the sign-in", "a\u{1B}[2Jb", "a\nb\tc\r", "a\u{7F}\u{85}b", "\u{202E}abc\u{2066}", "\u{200B}\u{FEFF}",
      "é€😀", "\u{2028}\u{2029}", "\u{E000}x", "\u{378}", "e\u{301}", "",
    ]
    let limits: [Double] = [
      -1, 0, 0.0001, 0.001, 0.0011, 1, 1.0001, 59.5, 86_399.9999, 86_400, 86_401, .infinity, -.infinity, .nan,
    ]
    return texts.map { line("\($0.unicodeScalars.map(\.value))", Terminal.printable($0)) }
      + limits.map { line("\($0)", "\(Int(clampedMilliseconds: $0))") }
  }
}
