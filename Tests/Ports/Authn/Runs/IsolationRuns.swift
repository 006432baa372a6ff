import Authn
import Foundation
import SimulatedOrg
import Testing

/// Programs in every isolation, at work: each is called back where its calls come from.
@Suite(.timeLimit(.minutes(1))) struct IsolationRuns {
  @MainActor
  @Test("a screen on the main actor, through a helper that knows of no actor")
  func mainActorThroughHelper() async throws {
    let bench = try await Bench(.push(device: "Ann's phone"))
    bench.org.answerPush(for: Bench.login, .approve, afterPolls: 2)
    var kept: HelpedScreen?
    let end = await bench.outcome { outcome in
      let screen = HelpedScreen { outcome.settle($0) }
      kept = screen
      screen.login(bench.url, Bench.login, Bench.password)
    }
    #expect(end.hasPrefix("MFA_REQUIRED MFA_CHALLENGE WAITING") && end.hasSuffix("SUCCESS"))
    #expect(kept?.lines.count ?? 0 > 3)
    await bench.org.stop()
  }

  @MainActor
  @Test("a class from before actors, used from the main thread, is called back on the main thread")
  func legacyPresenter() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    var kept: LegacyPresenter?
    let end = await bench.outcome { outcome in
      let presenter = LegacyPresenter { outcome.settle($0) }
      kept = presenter
      presenter.login(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "MFA_CHALLENGE [true, true]")
    #expect(kept != nil)
    await bench.org.stop()
  }

  @Test("an actor of the application")
  func accountActor() async throws {
    let bench = try await Bench(.question(key: "disliked_food", answer: "cooked spinach"))
    let actor = AccountActor()
    let end = await bench.environment.run { await actor.signIn(bench.url, Bench.login, Bench.password) }
    #expect(end == "MFA_REQUIRED SUCCESS")
    #expect(await actor.history == ["MFA_REQUIRED", "SUCCESS"])
    await bench.org.stop()
  }

  @Test("a tool on a plain thread that waits with a semaphore")
  func commandLineTool() async throws {
    let bench = try await Bench(.sms(phone: Bench.phone))
    let end = await bench.outcomeOnThread { outcome in
      let tool = CommandLineTool()
      tool.run(url: bench.url, username: Bench.login, password: Bench.password) { bench.lastCode }
      outcome.settle(tool.output.joined(separator: " "))
    }
    #expect(end == "MFA_REQUIRED MFA_CHALLENGE SUCCESS done")
    await bench.org.stop()
  }

  @Test("async functions, the application's and the SDK's")
  func asyncForms() async throws {
    let bench = try await Bench(.question(key: "disliked_food", answer: "cooked spinach"))
    let status = try await bench.environment.run {
      try await AsyncSignIn.wrapped(bench.url, Bench.login, Bench.password)
    }
    #expect(status.statusType == .MFARequired)
    let token = try await bench.environment.run {
      try await AsyncSignIn.direct(bench.url, Bench.login, Bench.password, "cooked spinach")
    }
    #expect(token != nil)
    await #expect(throws: OktaError.self) {
      _ = try await bench.environment.run { try await AsyncSignIn.wrapped(bench.url, Bench.login, "Wrong-Horse-9") }
    }
    await bench.org.stop()
  }

  @Test("a program of top-level code")
  func topLevelCode() async throws {
    let bench = try await Bench(.question(key: "disliked_food", answer: "cooked spinach"))
    let ran = try await MainProgram.run(
      "ports-authn-main", [bench.url.absoluteString, Bench.login, Bench.password, "cooked spinach"])
    #expect(ran.lines == ["What is the food you least liked as a child?", "signed in, token: yes"])
    #expect(ran.code == 0)
    await bench.org.stop()
  }

  @Test("one object for the whole application")
  func sharedSession() async throws {
    let bench = try await Bench()
    let end = await bench.outcome { outcome in
      let observer = NotificationCenter.default.addObserver(
        forName: SharedSession.changed, object: SharedSession.shared, queue: nil
      ) { _ in outcome.settle(SharedSession.shared.sessionToken == nil ? "no token" : "token") }
      _ = observer
      SharedSession.shared.signIn(bench.url, Bench.login, Bench.password)
    }
    #expect(end == "token")
    await bench.org.stop()
  }
}
