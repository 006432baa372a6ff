import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Bodies that orgs really sent, as they are and damaged: each answer ends in a status or a named error, every property
/// can be read, and the log is whole.
@Suite struct CorpusAnswersTests {
  @Test("as they are", .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func asTheyAre() async throws {
    for (name, json) in try Corpus.bodies() { try await answer(name, json) }
  }

  @Test(
    "with a member dropped, or of another type, at every 29th place",
    .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func damaged() async throws {
    for (name, json) in try Corpus.bodies() {
      for (index, damaged) in Self.damage(json).enumerated() where index % 29 == 0 {
        try await answer("\(name) #\(index)", damaged)
      }
    }
  }

  private func answer(_ name: String, _ json: JSON) async throws {
    let script = Script(json)
    let start = script.begin()
    do throws(OktaError) {
      Self.read(try await start.authenticate(username: "ann", password: "Horse-7"))
    } catch {
      #expect(!error.description.isEmpty)
      if case .unknownStatus(let response) = error { response.basicStatus.map(Self.read) }
    }
    try await script.expectWhole(start, name)
  }

  /// Reads what can be read.
  private static func read(_ status: OktaAuthStatus) {
    _ = (status.statusType, status.links?.next, status.user, status.canReturn(), status.canCancel())
    let model = status.model
    _ = (model.expirationDate, model.factorResult, model.recoveryType, model.embedded?.policy, model.embedded?.target)
    for factor in status.factors {
      _ = (factor.id, factor.type, factor.provider, factor.status, factor.enrollment, factor.links)
      _ = (factor.canEnroll(), factor.canSelect(), factor.canActivate(), factor.canVerify())
      switch factor {
      case let push as OktaFactorPush: _ = (push.correctAnswer, push.qrCodeLink, push.sendLinks, push.activation?.json)
      case let totp as OktaFactorTotp: _ = (totp.activation?.timeStep, totp.activation?.sharedSecret, totp.qrCodeLink)
      case let question as OktaFactorQuestion: _ = (question.factorQuestionId, question.securityQuestionsLink)
      case let token as OktaFactorToken: _ = (token.credentialId, token.factorProvider)
      default: break
      }
    }
  }

  /// The document with each member dropped, nulled, and of another type, one at a time.
  private static func damage(_ json: JSON) -> [JSON] {
    switch json {
    case .object(let object):
      return object.members.indices.flatMap { index -> [JSON] in
        var dropped = object
        dropped.members.remove(at: index)
        let values: [JSON] =
          [.null, 7, "text", [], [:], .number("1e999"), .bool(true)] + damage(object.members[index].value)
        return [.object(dropped)]
          + values.map { value in
            var changed = object
            changed.members[index].value = value
            return .object(changed)
          }
      }
    case .array(let elements):
      return elements.indices.flatMap { index in
        damage(elements[index]).map { value in
          var changed = elements
          changed[index] = value
          return .array(changed)
        }
      }
    default: return []
    }
  }
}
