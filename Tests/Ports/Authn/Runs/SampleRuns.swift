import Authn
import Foundation
import SimulatedOrg
import Testing

/// The samples that Okta publishes, at work.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SampleRuns {
  /// Leads the example's screen through a sign-in: what the person taps and types by the title of the question.
  private func lead(
    _ bench: Bench, password: String = Bench.password, end: [String] = ["Hooray!", "Error", "Cancelled"],
    _ answer: @escaping (UIAlertController) -> Void
  ) async -> (end: String, labels: [String]) {
    var controller: ExampleViewController?
    let text = await bench.outcome { outcome in
      let made = ExampleViewController(url: bench.url)
      controller = made
      made.person = { alert in
        if end.contains(alert.title ?? "") { return outcome.settle("\(alert.title ?? ""): \(alert.message ?? "")") }
        answer(alert)
      }
      made.viewDidLoad()
      made.usernameField.text = Bench.login
      made.passwordField.text = password
      made.loginTapped()
    }
    await bench.org.stop()
    return (text, controller?.stateLabel.shown ?? [])
  }

  @Test("the example signs in with a text message")
  func textMessage() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone), .push(device: "Ann's phone"))
    let led = await lead(bench) { alert in
      if alert.title == "MFA" { alert.tap("OK", typing: bench.lastCode) } else { alert.tap("SMS") }
    }
    #expect(led.end == "Hooray!: We are logged in")
    #expect(led.labels == ["Unauthenticated", "MFA Required", "MFA Challenge", "Success"])
  }

  @Test("the example signs in with a time-based code, and with a question")
  func codes() async throws {
    let app = try await Bench(.totp(secret: Bench.secret))
    let led = await lead(app) { alert in
      if alert.title == "MFA" { alert.tap("OK", typing: app.timeCode) } else { alert.tap("TOTP") }
    }
    #expect(led.end == "Hooray!: We are logged in")
    let asked = try await Bench(.question(key: "disliked_food", answer: "cooked spinach"))
    let answered = await lead(asked) { alert in
      if alert.title == "MFA" { alert.tap("OK", typing: "cooked spinach") } else { alert.tap("Security Question") }
    }
    #expect(answered.end == "Hooray!: We are logged in")
  }

  @Test("the example waits for a push, and shows each poll")
  func push() async throws {
    let bench = try await Bench(.push(device: "Ann's phone"))
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    let led = await lead(bench) { $0.tap("Push Notification") }
    #expect(led.end == "Hooray!: We are logged in")
    #expect(led.labels.contains("MFA Challenge WAITING") && led.labels.last == "Success")
  }

  @Test("the example sets up a text message, and Okta Verify")
  func enrolments() async throws {
    let bench = try await Bench(offers: [.init(.sms, required: true)]) { $0.mfaRequired = true }
    let led = await lead(bench) { alert in
      switch alert.title {
      case "MFA Enroll": alert.tap("OK", typing: "+1-555-415-1337")
      case "MFA Activate": alert.tap("OK", typing: bench.lastCode)
      default: alert.tap(alert.actions.first?.title ?? "")
      }
    }
    #expect(led.end == "Hooray!: We are logged in")
    #expect(led.labels.contains("MFA Enroll") && led.labels.contains("MFA Enroll Activate"))
    let push = try await Bench(offers: [.init(.push, required: true)]) { $0.mfaRequired = true }
    push.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    let scanned = await lead(push) { $0.tap($0.actions.first?.title ?? "") }
    #expect(scanned.end == "Hooray!: We are logged in")
    #expect(scanned.labels.contains("MFA Enroll Activate WAITING"))
  }

  @Test("the example changes an expired password, cancels, and reports errors")
  func others() async throws {
    let expired = try await Bench { $0.passwordExpiresIn = 0 }
    let changed = await lead(expired) { $0.tap("OK", typing: Bench.password, "Another-Horse-8") }
    #expect(changed.end == "Hooray!: We are logged in")
    let factors = try await Bench(.sms(phone: Bench.phone))
    let cancelled = await lead(factors) { $0.tap("Cancel") }
    #expect(cancelled.end == "Cancelled: " && cancelled.labels.last == "Unauthenticated")
    let wrong = await lead(try await Bench(), password: "Wrong-Horse-9") { _ in }
    #expect(wrong.end.hasPrefix("Error: Server responded with error"))
  }

  @Test("a coordinator leads from screen to screen, back, and to the end")
  func coordinator() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone), .call(phone: Bench.phone))
    var kept: AuthFlowCoordinator?
    var shown: [String] = []
    let end = await bench.outcome { outcome in
      let coordinator = AuthFlowCoordinator(with: UINavigationController())
      kept = coordinator
      coordinator.ended = { outcome.settle($0) }
      coordinator.arrived = { controller in
        shown.append("\(type(of: controller))")
        switch controller {
        case let factors as MFAViewController: factors.tap(row: shown.count == 1 ? 0 : 0)
        case let code as MFASMSViewController where shown.count == 2: code.backButtonTapped()
        case let code as MFASMSViewController: code.verifyTapped(code: bench.lastCode)
        default: break
        }
      }
      coordinator.start(with: bench.url, username: Bench.login, password: Bench.password)
    }
    #expect(end == "signed in")
    #expect(
      shown == ["MFAViewController", "MFASMSViewController", "MFAViewController", "MFASMSViewController"])
    #expect(kept?.sessionToken != nil && kept?.currentStatus?.statusType == .success)
    await bench.org.stop()
  }

  @Test("a screen sends a text message again, and gives the sign-in up")
  func resend() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    var kept: AuthFlowCoordinator?
    let end = await bench.outcome { outcome in
      let coordinator = AuthFlowCoordinator(with: UINavigationController())
      kept = coordinator
      coordinator.ended = { outcome.settle("\($0), \(bench.org.outbox.count) sent") }
      coordinator.arrived = { controller in
        if let factors = controller as? MFAViewController { return factors.tap(row: 0) }
        guard let screen = controller as? MFASMSViewController else { return }
        #expect(screen.canSend)
        screen.resendTapped()
        Task {
          while screen.title == nil { await Task.yield() }
          screen.processCancel()
        }
      }
      coordinator.start(with: bench.url, username: Bench.login, password: Bench.password)
    }
    #expect(end == "cancelled, 2 sent")
    #expect(kept != nil)
    await bench.org.stop()
  }

  @Test("a table of factors sets one up by its row")
  func table() async throws {
    let bench = try await Bench(offers: [.init(.sms, required: true), .init(.push)]) { $0.mfaRequired = true }
    let enroll = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let screen = EnrollmentTable()
    screen.status = enroll
    let end = await bench.outcome { outcome in
      screen.ended = { outcome.settle($0) }
      #expect(screen.textLabel(row: 0) == "SMS (required)")
      #expect(screen.detailTextLabel(row: 0) == "Status: NOT_SETUP Vendor: OKTA")
      screen.select(row: 0, phone: "+1-555-415-1337")
    }
    #expect(end == "MFA_ENROLL_ACTIVATE: OKTA")
    await bench.org.stop()
  }

  @Test("a screen sets up Okta Verify", arguments: ["push", "totp"])
  func activation(kind: String) async throws {
    let offer: OrgFactorOffer.Kind = kind == "push" ? .push : .totp(provider: "OKTA")
    let bench = try await Bench(offers: [.init(offer, required: true)]) { $0.mfaRequired = true }
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    let status = try await bench.status(as: OktaAuthStatusFactorEnroll.self)
    let screen = ActivationScreen()
    let end = await bench.outcome { outcome in
      screen.ended = { outcome.settle($0) }
      screen.person = { outcome.settle($0.message ?? "") }
      guard let factor = status.availableFactors.first else { return outcome.settle("none") }
      enroll(factor, showing: screen)
      guard kind == "totp" else { return }
      Task {
        while screen.sharedSecret == nil { await Task.yield() }
        screen.activateTapped(code: bench.org.timeCode(secret: screen.sharedSecret ?? "") ?? "")
      }
    }
    #expect(end == "SUCCESS")
    #expect(screen.qrCode != nil)
    await bench.org.stop()
  }
}
