// Passkeys whose form does not accept the answer, or only some of it, and the relying party that an application sets.

import EventStore
import FlowRecording
import Foundation

extension ObjectTrials {
  static var unfit: [String] {
    let forms = [("another form", "enroll-authenticator", "challenge-authenticator")]
    let fields = ["attestation", "clientData", "transports", "clientExtensions"].map(without)
    let proofs = ["authenticatorData", "clientData", "signatureData", "userHandle", "none"].map(without)
    let registered = (forms + fields).map { name, old, new in
      run("register, \(name)", stage(replacing(old, new, in: ObjectPages.registered))) { stage, response in
        guard let form = response.remediations.first, let key = form.webAuthnRegistration else { return }
        do {
          try key.register(attestation: Data([1]), clientJSON: Data("{}".utf8), transports: ["usb"])
        } catch { stage.say("\(error)") }
        await hear(stage) { try await form.proceed() }
      }
    }
    let asserted = proofs.map { name, old, new in
      run("assert, \(name)", stage(replacing(old, new, in: ObjectPages.asserted))) { stage, response in
        guard let form = response.remediations.first, let key = form.webAuthnAuthentication else { return }
        for party in ["other.example", nil] {
          key.relyingPartyIdentifier = party
          stage.say(key.relyingPartyIdentifier ?? "-")
        }
        do {
          try key.challenge(
            authenticatorData: Data([1]), clientData: Data("{}".utf8), signatureData: Data([3]), userHandle: Data([4]))
        } catch { stage.say("\(error)") }
        await hear(stage) { try await form.proceed() }
      }
    }
    return registered + asserted
  }

  /// A trial in which a field has another name.
  private static func without(_ field: String) -> (String, String, String) {
    ("no \(field)", #""name":"\#(field)""#, #""name":"other""#)
  }

  private static func replacing(_ old: String, _ new: String, in page: JSON) -> JSON {
    (try? JSON(parsing: Array(page.text.replacing(old, with: new).utf8))) ?? .null
  }
}
