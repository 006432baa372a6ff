// Names of kinds and methods: made of text, compared, and unknown ones kept apart.

import Foundation
import IDX

enum KindNames {
  static func icon(_ kind: Authenticator.Kind) -> String {
    switch kind {
    case .email: return "envelope"
    case .phone: return "phone"
    case .password: return "lock"
    case .app, .device: return "app"
    case .securityKey: return "key"
    case .securityQuestion: return "questionmark"
    case .federated: return "building"
    default: return kind == .unknown ? "unknown" : "other"
    }
  }

  static let methods: [Authenticator.Method] = [.sms, .voice, .email, .push, .totp, .otp, .password, .duo]

  static var isRoundTrip: Bool {
    methods.allSatisfy { method in method.stringValue.map { Authenticator.Method(string: $0) } == method }
  }

  static func isKnown(_ remediation: Remediation) -> Bool { remediation.type != .unknown }

  static func isSignIn(_ response: Response) -> Bool {
    let intent: Response.Intent = response.intent
    return intent == Response.Intent(string: "LOGIN")
  }

  static func method(_ text: String) -> Authenticator.Method { Authenticator.Method(string: text) }

  static func kind(_ text: String) -> Authenticator.Kind { Authenticator.Kind(string: text) }
}
