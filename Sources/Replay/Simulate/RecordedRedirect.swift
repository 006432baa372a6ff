// The answer to a recorded authorize request, adapted to another client: a redirect to where that client asks for.

import EventStore
import FlowRecording

/// The contents of the recorded client's redirect. Recordings contain what the SDK read from it, not the URL.
struct RecordedRedirect: Sendable {
  /// What the redirect contained of the client's state.
  private enum State: Sendable {
    case same
    case other
    case none
  }

  /// The kind of the draws from which redirects are read.
  static let kind = DrawKind(rawValue: "oidc.redirect")

  private let state: State
  /// The other parameters, such as a code or an error.
  private let parameters: [(name: String, value: String)]
  private let scene: RecordedReply.Scene

  /// A redirect with a code, for recordings without one because the browser was redirected rather than the SDK.
  static let madeUp = RecordedRedirect(
    .same, [(name: "code", value: "$secret.code.0$")],
    RecordedReply.Scene(origins: [], origin: "", policy: nil))

  private init(_ state: State, _ parameters: [(name: String, value: String)], _ scene: RecordedReply.Scene) {
    (self.state, self.parameters, self.scene) = (state, parameters, scene)
  }

  /// Reads the redirect from a draw; `nil` for any other draw, and if the redirect led elsewhere than to the client.
  init?(_ draw: DrawMade, _ scene: RecordedReply.Scene) {
    let value = draw.value
    guard draw.kind == Self.kind, value["ours"]?.bool == true else { return nil }
    var parameters: [(name: String, value: String)] = []
    for name in ["code", "error", "error_description", "iss"] {
      guard let text = value[name]?.string else { continue }
      parameters.append((name: name, value: text))
    }
    switch value["state"]?.string {
    case "missing"?: self.init(.none, parameters, scene)
    case "different"?: self.init(.other, parameters, scene)
    default: self.init(.same, parameters, scene)
    }
  }

  /// The URL to which a client is redirected.
  ///
  /// - Parameters:
  ///   - request: its request, which either begins a sign-in or ends a session.
  ///   - pushed: the sign-in whose parameters the client pushed earlier.
  ///   - mark: what its made-up secrets carry.
  /// - Returns: `nil` if the client does not specify a destination, or if it cannot be used in a header.
  func location(for request: RequestParameters, pushed: BegunSignIns.SignIn?, marked mark: String) -> String? {
    var scene = self.scene
    scene.mark = mark
    let signIn = request["redirect_uri"] ?? pushed?.redirect
    guard let target = signIn ?? request["post_logout_redirect_uri"], !target.isEmpty,
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    // A client that ends a session receives no code.
    var members = parameters.filter { signIn != nil || $0.name.hasPrefix("error") }
      .map { (name: $0.name, value: scene.text($0.value)) }
    switch state {
    case .same: if let sent = request["state"] ?? pushed?.state { members.append((name: "state", value: sent)) }
    case .other: members.append((name: "state", value: "surrogate-state"))
    case .none: break
    }
    let base = String(target.prefix { $0 != "#" })
    let form = members.map { $0.name + "=" + FormEncoding.encoded($0.value) }.joined(separator: "&")
    if form.isEmpty { return base }
    if request["response_mode"] == "fragment" { return base + "#" + form }
    return base + (base.contains("?") ? "&" : "?") + form
  }
}
