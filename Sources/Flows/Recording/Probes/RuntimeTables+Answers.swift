// What the draws of the runtime return for fixed inputs: a replay takes their results from the recording.

import EventStore

extension RuntimeTables {
  /// A browser that notes what it is to open.
  private struct NotedBrowser: Browser {
    let result: Result<String, DrawFailure>
    let noted = Locked<[String]>([])

    private func note(_ line: String) -> Result<String, DrawFailure> {
      noted.withLock { $0.append(line) }
      return result
    }

    func listen(path: String) async -> Result<String, DrawFailure> { note("listen \(path)") }
    func redirect(
      opening url: String, to redirectURI: String, state: String, limit: Double
    ) async -> Result<String, DrawFailure> {
      note("redirect \(url) \(redirectURI) \(state) \(limit)")
    }
    func open(_ url: String) async -> Result<Void, DrawFailure> { note("open \(url)").map { _ in () } }
  }

  /// Each draw with its whole input, with each member left out, and with other values, one after the other.
  static var answered: [String] {
    let page: [(String, JSON)] = [
      ("url", "https://a.example/authorize?x=1"), ("query", ["client_id": "c", "state": "s 1"]),
      ("redirectUri", "http://127.0.0.1:9/cb"), ("state", "state-1"), ("seconds", 90),
    ]
    let seconds = [0, -1, 1, 3_600, 3_601].map { number in
      JSON.members(page.map { $0.0 == "seconds" ? ("seconds", .int(number)) : ($0.0, $0.1) })
    }
    let inputs: [(DrawKind, [JSON])] = [
      (.browserListen, [["path": "/cb"], [:]]), (.browserOpen, parts(page)), (.browserRedirect, parts(page) + seconds),
      (.registryClaim, parts([("name", "n"), ("holder", "flow/1")]) + [["name": "n", "holder": "flow/2"]]),
      (.registryRelease, [["name": "n", "holder": "flow/2"], ["name": "n"], ["name": "n", "holder": "flow/1"]]),
      (.registryClaim, [["name": "n", "holder": "flow/2"]]),
      (
        .storageWrite,
        parts([("name", "kept"), ("value", "value-1")]) + [
          ["name": "../kept", "value": "v"], ["name": "", "value": "v"],
        ]
      ),
      (.storageRead, [["name": "kept"], ["name": "other"], ["name": "odd"], [:], ["name": ".kept"]]),
      (.storageRemove, [["name": "kept"], ["name": "kept"], [:]]),
      (.signature, [["key": "key-1", "message": "m"], ["key": "key-1"], ["message": "m"]]),
      (.userAgent, [[:]]), (.jitter, [[:], [:]]), (.uuid, [[:], [:]]), (.state, [[:]]), (.pkce, [[:]]),
      (.deviceToken, [["issuer": "https://a.example"], [:]]),
    ]
    let ends: [Result<String, DrawFailure>] = [
      .success("http://127.0.0.1:9/cb?code=1"), .failure(DrawFailure(.timedOut, "why")),
    ]
    return ends.enumerated().flatMap { number, end in
      let browser = NotedBrowser(result: end)
      var environment = FlowEnvironment(
        transport: InertTransport(), clock: VirtualTime(start: Timestamp(microseconds: 1_768_467_600_000_000)),
        entropy: SeededEntropy(seed: 7), device: nil, userAgent: "agent")
      let storage = MemoryStorage()
      if let name = StorageName("odd") { storage.write([0xFF], as: name) }
      environment[FlowStorageSeam.self] = storage
      environment[FlowRegistrySeam.self] = MemoryRegistry()
      environment[BrowserSeam.self] = browser
      let lines = inputs.flatMap { kind, inputs in
        inputs.map { input in
          line("\(number) \(kind.rawValue) \(input.text)", result(of: kind, input, environment))
        }
      }
      return lines + [line("\(number) browser", browser.noted.withLock { $0 })]
    }
  }

  private static func parts(_ members: [(String, JSON)]) -> [JSON] {
    withEachLeftOut(of: members).map { JSON.members($0.map { ($0.0, Optional($0.1)) }) }
  }

  /// The result of a draw of the runtime.
  static func result(of kind: DrawKind, _ input: JSON, _ environment: FlowEnvironment) -> String {
    guard let declared = DrawDeclarations.standard[kind] else { return "not declared" }
    let result =
      declared.take?(input, environment)
      ?? declared.answer.flatMap { answer in PlayedTasks.outcome { await answer(input, environment) } }
    return switch result {
    case .success(let value): value.text
    case .failure(let failure): "\(failure.reason.rawValue): \(failure.detail ?? "-")"
    case nil: "waits"
    }
  }
}
