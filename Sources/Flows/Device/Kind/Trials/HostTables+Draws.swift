// The answers to the draws of a flow: keys, the person, and plug-ins.

import EventStore
import FlowRecording

/// A plug-in that returns a fixed signal.
private struct HostPlugin: SignalPlugin {
  let name: String
  let result: Result<[UInt8], SignalError>

  func collect() async throws(SignalError) -> [UInt8] { try result.get() }
}

/// A plug-in that claims to read a file but does not.
private struct HostFile: SignalPlugin {
  var name: String { "file" }
  var source: SignalSource { .file }

  func collect() async throws(SignalError) -> [UInt8] { Array("5".utf8) }
}

extension HostTables {
  /// The results of draws, in order.
  static var draws: [String] {
    let (keys, storage, environment) = (HostKeys(), MemoryEnrollmentStorage(), environment)
    let verifier = ScriptedVerifier(
      capability: .fingerprint, answers: [.cancelled, .failed, .lockedOut, .notSetUp, .timedOut, .verified],
      epoch: [3], secret: Array(repeating: 9, count: 32))
    let answerer = DrawAnswerer(services: services(storage, keys, verifier: verifier))
    return questions.map { kind, input -> String in
      let result = outcome { await answerer.answer(kind, input, environment) }
      let last = verifier.requests.last
      let request = [last?.reason, last?.cancelTitle, last?.fallbackTitle, last?.timeLimit.map { String($0) }]
      let log = "\(keys.takeLog()) \(verifier.requests.count) \(request.map { $0 ?? "-" })"
      return line("\(kind.rawValue) \(input.text)", "\(result.map { show($0) } ?? "waits") \(log)")
    }
  }

  private static func making(_ keys: [(String, String)]) -> JSON {
    ["keys": .array(keys.map { ["tag": .string($0), "role": .string($1)] })]
  }

  private static func signing(_ tag: String, bound: JSON) -> JSON {
    ["tag": .string(tag), "bound": bound, "header": ["alg": "ES256"], "claims": ["iss": "device"]]
  }

  /// The draws with their inputs.
  private static var questions: [(DrawKind, JSON)] {
    let roles = ["proofOfPossession", "userVerification", "userVerificationBioOrPin", "clientInstance", "other"]
    let words: JSON = ["reason": "why", "cancelTitle": "no", "fallbackTitle": "else", "milliseconds": 1_500]
    let unverified: [(DrawKind, JSON)] = [
      (.deviceMakeKeys, making([("a", roles[0]), ("b", roles[1]), ("c", roles[3])])),
      (.deviceMakeKeys, making([("a", roles[0]), ("refused", roles[2])])), (.deviceMakeKeys, [:]),
      (.deviceMakeKeys, ["keys": [["tag": "a"], ["role": "clientInstance"], ["tag": "a", "role": "other"]]]),
      (.deviceSign, signing("a", bound: true)), (.deviceVerifyPerson, [:]), (.deviceVerifyPerson, words),
      (.deviceVerifyPerson, ["milliseconds": 0]), (.deviceVerifyPerson, ["reason": 5]), (.deviceVerifyPerson, words),
    ]
    let verified: [(DrawKind, JSON)] = [
      (.deviceVerifyPerson, words), (.deviceMakeKeys, making(roles.map { ("tag of \($0)", $0) })),
      (.deviceSign, signing("a", bound: true)), (.deviceSign, signing("a", bound: false)),
      (.deviceSign, signing("a", bound: nil)), (.deviceSign, [:]),
    ]
    let refused: [(DrawKind, JSON)] = ["lost", "locked", "broken", "invalidated", "unverified", "short"].map {
      (.deviceSign, signing($0, bound: true))
    }
    let others: [(DrawKind, JSON)] = [
      (.deviceDropKeys, ["tags": ["a", "lost", 5, "b"]]), (.deviceDropKeys, ["tags": ["a", "broken", "b"]]),
      (.deviceDropKeys, [:]), (.deviceStore, ["write": "claim", "transaction": "ft-1", "expiry": 9]),
      (.deviceStore, ["write": "delete"]), (.deviceRead, [:]), (.uuid, [:]), (.deviceSignals, ["names": ["agent"]]),
      (.deviceVerifyToken, [:]), (.deviceVerifyToken, verification(fetched: true)),
      (.deviceVerifyToken, ["token": .string(HostSamples.signed()), "kid": "key-1", "keys": [HostSamples.key]]),
    ]
    return unverified + verified + refused + others
  }

  /// The input of a verification; the fetched key does not help it.
  private static func verification(fetched: JSON) -> JSON {
    [
      "issuer": "https://acme.example", "kid": "key-1", "token": "token", "keys": [["kid": "key-1", "n": "n"]],
      "fetched": fetched,
    ]
  }

  /// The keys that a verification leaves in the cache.
  static var cached: [String] {
    let trials: [JSON] = [
      verification(fetched: true), verification(fetched: false), verification(fetched: nil),
      HostSamples.with(["issuer": nil], in: verification(fetched: true)),
      HostSamples.with(["kid": "other"], in: verification(fetched: true)),
    ]
    let environment = environment
    return trials.map { trial -> String in
      let services = services(MemoryEnrollmentStorage(), HostKeys())
      let answerer = DrawAnswerer(services: services)
      let result = outcome { await answerer.answer(.deviceVerifyToken, trial, environment) }
      let looked = [trial["kid"] ?? "", "key-1"].map { kid in
        services.keyCache.value(of: ["issuer": "https://acme.example", "kid": kid], at: HostSamples.time(1)).text
      }
      return line(trial.text, "\(result.map { show($0) } ?? "waits") \(looked)")
    }
  }

  /// The results of plug-ins.
  static var signals: [String] {
    func plugin(_ name: String, _ text: String) -> HostPlugin {
      HostPlugin(name: name, result: .success(Array(text.utf8)))
    }
    let full = "[" + String(repeating: " ", count: SignalFile.limit - 2) + "]"
    let plugins: [any SignalPlugin] = [
      plugin("object", #"{"a":1}"#), plugin("text", "text"), plugin("nothing", ""), plugin("full", full),
      plugin("more", full + " "), plugin("twice", "1"), plugin("twice", "2"), HostFile(),
      HostPlugin(name: "refuses", result: .failure(SignalError("why"))),
      HostPlugin(name: "counts", result: .failure(SignalError("why", code: 7))),
    ]
    let services = services(MemoryEnrollmentStorage(), HostKeys(), plugins: plugins)
    let names = plugins.map { JSON.string($0.name) } + ["unknown", 5, "object"]
    let time = HostSamples.time(microseconds: 999_999)
    let result = outcome { await services.collect(["names": .array(names)], at: time) }
    let lines = (result?["results"]?.array ?? []).map { result -> String in
      let text = result.text
      return line(result["name"]?.string ?? "", text.utf8.count < 1_000 ? text : "\(text.utf8.count) bytes")
    }
    let none = outcome { await services.collect([:], at: HostSamples.time()) }
    let early = outcome { await services.collect(["names": ["object"]], at: Timestamp(microseconds: -1_500_000)) }
    return lines + [line("none", none?.text), line("early", early?.text)]
  }
}
