import Foundation
import IDX
import SimulatedOrg
import Testing

/// Programs in every isolation, at work: each is called back where its calls come from.
@Suite(.timeLimit(.minutes(1))) struct PlaceRuns {
  @MainActor
  @Test("a view model on the main actor")
  func viewModel() async throws {
    let bench = try await Bench(policy: "password")
    let model = SignInModel(flow: bench.flow())
    (model.username, model.password) = (Bench.login, Bench.password)
    let end = await bench.outcome { outcome in
      model.changed = {
        if model.pages.last == .signedIn { return outcome.settle("signed in") }
        if case .failed(let text)? = model.pages.last { return outcome.settle(text) }
        model.continueTapped()
      }
      model.appear()
    }
    #expect(end == "signed in")
    #expect(
      model.pages == [.loading, .form(title: "identify"), .form(title: "challenge-authenticator"), .signedIn])
    await bench.org.stop()
  }

  @Test("an actor that owns its flow")
  func tokenActor() async throws {
    let bench = try await Bench(policy: "password")
    let actor = TokenActor(flow: bench.flow())
    #expect(await actor.token(username: Bench.login, password: Bench.password) != nil)
    #expect(await actor.steps.prefix(2) == ["identify", "challenge-authenticator"])
    await bench.org.stop()
  }

  @Test("a tool on a plain thread that waits with a semaphore")
  func tool() async throws {
    let bench = try await Bench(policy: "password")
    let end = await bench.outcomeOnThread { outcome in
      let tool = ThreadedTool(issuer: bench.issuer, clientId: Bench.clientId, redirectUri: bench.redirectUri)
      tool.run(username: Bench.login, password: Bench.password)
      outcome.settle(tool.output.joined(separator: " "))
    }
    #expect(end == "identify challenge-authenticator token")
    await bench.org.stop()
  }

  @MainActor
  @Test("a screen on the main actor, through a layer that knows of no actor")
  func servedScreen() async throws {
    let bench = try await Bench(policy: "password")
    var kept: ServedScreen?
    let end = await bench.outcome { outcome in
      let screen = ServedScreen(flow: bench.flow()) { outcome.settle($0) }
      kept = screen
      screen.appear(Bench.login, Bench.password)
    }
    #expect(end == "identify challenge-authenticator")
    withExtendedLifetime(kept) {}
    await bench.org.stop()
  }

  @MainActor
  @Test("a class from before actors, used from the main thread, gets callbacks and delegate calls on the main thread")
  func legacyLogin() async throws {
    let bench = try await Bench(policy: "password")
    var kept: LegacyLogin?
    let end = await bench.outcome { outcome in
      let login = LegacyLogin(flow: bench.flow()) { outcome.settle($0) }
      kept = login
      login.begin()
    }
    #expect(end == "closure [true, true]")
    withExtendedLifetime(kept) {}
    await bench.org.stop()
  }

  @Test("a program of top-level code", arguments: [true, false])
  func topLevelCode(isRight: Bool) async throws {
    let bench = try await Bench(policy: "password")
    let ran = try await MainProgram.run(
      "ports-idx-main",
      [bench.issuer.absoluteString, Bench.redirect, Bench.login, isRight ? Bench.password : "Wrong-Horse-9"])
    #expect(isRight ? ran.lines == ["signed in, Bearer"] : ran.lines.count == 1)
    #expect(ran.code == (isRight ? 0 : 1))
    await bench.org.stop()
  }

  @Test("every call with a Result, with two values, and with closures out of properties")
  func closureForms() async throws {
    let bench = try await Bench(policy: "password-one-page")
    let forms = ClosureForms(flow: bench.flow())
    #expect(await bench.outcome { outcome in forms.start { outcome.settle($0) } } == "identify")
    #expect(await bench.outcome { outcome in forms.resume { outcome.settle($0) } } == "identify")
    let box = Box<Response>()
    let two = await bench.outcome { outcome in
      forms.startWithTwoValues { response, error in
        box.value = response
        outcome.settle("\(error == nil)")
      }
    }
    #expect(two == "true")
    let remediation = try #require(box.value?.remediations[.identify])
    remediation["identifier"]?.value = Bench.login
    remediation["credentials.passcode"]?.value = Bench.password
    let next = try await remediation.proceed()
    #expect(await bench.outcome { outcome in forms.exchange(next) { outcome.settle($0) } } == "Bearer")
    let other = ClosureForms(flow: bench.flow())
    let again = Box<Response>()
    _ = await bench.outcome { outcome in
      other.startWithTwoValues { response, _ in
        again.value = response
        outcome.settle("")
      }
    }
    let identify = try #require(again.value?.remediations[.identify])
    identify["identifier"]?.value = Bench.login
    identify["credentials.passcode"]?.value = "Wrong-Horse-9"
    #expect(await bench.outcome { outcome in other.proceed(identify) { outcome.settle($0) } } == "identify")
    await bench.org.stop()
  }
}
