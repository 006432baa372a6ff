// Sign-ins in a browser and on another device, on made-up inputs.

import EventStore
import FlowRecording

extension CoreTrials {
  /// One line per input for a sign-in with a browser, on this device or another.
  static var pages: Set<String> {
    var all = browsers
    all += devices
    return Set(all)
  }

  private static var browsers: [String] {
    let own: Members = [("redirectUri", "com.acme:/callback")]
    let begun = Input.begin(.signInWithBrowser)
    let failed: [Input] = DrawFailure.Reason.allCases.map { .undrawn($0, "why") }
    let pushing = knowing([("pushed_authorization_request_endpoint", .string("\(issuer)/v1/par"))])
    let pushed: [Input] = [.reply(201, ["request_uri": "urn:1"]), .reply(200, [:]), .reply(400, ["error": "e"])]
    let listened = Input.drawn("http://127.0.0.1:5000/callback")
    let resumed = Input.begin(.resume, ["redirect": "com.acme:/callback?code=1"])
    var all = lines("listen", [begun], then: failed)
    all += lines("listened", [begun], then: [.undrawn(.failed, nil), listened, resumed, .fired])
    all += lines("browse", [begun, listened], then: failed)
    all += lines("browsed", [begun, listened], then: [.drawn("redirect"), .drawn(5), resumed, .fired])
    all += lines("open", [begun], then: failed, settings: own)
    all += lines("opened", [begun], then: [.drawn(.null), resumed, .fired], settings: own)
    let ends: [Input] = [resumed, .begin(.resume), .begin(.cancel), .fired]
    all += lines("resume", [begun, .drawn(.null)], then: ends, settings: own)
    all += lines("browse and resume", [begun, listened, resumed, .drawn("late"), .fired])
    all += lines("push", [begun, listened], then: pushed, brings: pushing)
    all += lines("push first", [begun], then: pushed, settings: own, brings: pushing)
    all += lines("path", [begun], settings: [("redirectUri", "http://127.0.0.1:8080")])
    all += lines("asked again", [.begin(.signInWithBrowser, ["parameters": ["prompt": "login"]]), listened])
    return all
  }

  // MARK: Another device

  static let codes: Members = [
    ("device_code", "device-1"), ("user_code", "user-1"), ("verification_uri", "https://acme.example/activate"),
    ("verification_uri_complete", "https://acme.example/activate?code=user-1"), ("expires_in", 60), ("interval", 5),
  ]

  private static func given(_ changes: Members = []) -> Input { .reply(200, with(changes, in: codes)) }

  private static var devices: [String] {
    let begun = Input.begin(.signInOnDevice, ["parameters": ["acr_values": "two"]])
    let changes: [Members] = [
      [], [("device_code", nil)], [("user_code", nil)], [("verification_uri", nil)],
      [("verification_uri", nil), ("verification_url", "https://acme.example/url")], [("verification_uri", 5)],
      [("verification_uri_complete", nil)], [("expires_in", nil)], [("expires_in", "60")], [("interval", nil)],
      [("interval", 0)], [("interval", 1)], [("interval", .int(-5))], [("interval", 3_600)], [("interval", 3_601)],
    ]
    var all = lines("codes", [begun], then: changes.map { given($0) })
    all += lines("codes fail", [begun], then: [.reply(400, ["error": "e"]), .reply(200), .lost(.timedOut)])
    all += lines("no device", [begun], brings: knowing([("device_authorization_endpoint", nil)]))
    let polled: [Input] = [begun, given(), .later(5), .fired]
    let errors = ["authorization_pending", "slow_down", "access_denied", "expired_token", "other"]
    all += lines("asked", polled, then: errors.map { .reply(400, ["error": .string($0)]) })
    all += lines("asked in vain", polled, then: [429, 499, 500, 503].map { .reply($0, ["error": "e"]) })
    let waits = ["3", "60", "3600", "4000", "soon"].map { Input.answer(429, .null, [("Retry-After", $0)]) }
    all += lines("asked too often", polled, then: waits)
    all += lines("asked and lost", polled, then: TransportError.Code.allCases.map { .lost($0) })
    var slowed = polled
    for _ in 0..<2 {
      slowed.append(.reply(400, ["error": "slow_down"]))
      slowed.append(.fired)
    }
    all += lines("slower", slowed + [.reply(200, ["access_token": "a"])])
    all += lines("answered", polled, then: [.reply(200, ["access_token": "a"]), .reply(200, [:])])
    let ages: [JSON?] = [60, nil, 0, .int(-1), 86_400, 86_401]
    for (number, age) in ages.enumerated() {
      for seconds: Int64 in [0, 59, 60, 599, 600, 86_399, 86_400] {
        var stage = TrialStage(with([], in: settings), brings: knowing())
        let inputs: [Input] = [begun, given([("expires_in", age)]), .later(seconds), .fired]
        let outputs = inputs.map { stage.feed($0) }
        all.append("over \(number) \(seconds) \(outputs[3])")
      }
    }
    all += lines("back", [begun, given(), .later(-1), .fired])
    return all
  }
}
