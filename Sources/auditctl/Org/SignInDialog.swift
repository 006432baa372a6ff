// A sign-in led by a person at a terminal: which factor, which code, what the push shows.

import AuditReports
import Authn
import EventStore
import FlowRecording
import Foundation

/// Leads a sign-in from the password to its end. Texts of the org are shown with the flow's secrets replaced, but for
/// the number of a push.
struct SignInDialog {
  /// The factor to take without asking: its type, its name, or its number in the list.
  let factor: String?
  /// How often a code may be typed wrong.
  static let attempts = 3
  /// How many steps a sign-in may take: an org could lead the dialog in a circle forever.
  static let steps = 20

  /// Continues from a status until nothing is left to do.
  ///
  /// - Parameters:
  ///   - status: the status to begin with.
  ///   - heard: receives each status.
  /// - Returns: the last status.
  func lead(from status: OktaAuthStatus, heard: (OktaAuthStatus) -> Void) async throws -> OktaAuthStatus {
    var status = status
    for _ in 0..<Self.steps {
      heard(status)
      if let required = status as? OktaAuthStatusFactorRequired {
        status = try await required.selectFactor(try choose(required))
      } else if let challenge = status as? OktaAuthStatusFactorChallenge {
        guard !isOver(challenge) else { return challenge }
        status = try await answer(challenge)
      } else {
        return status
      }
    }
    throw CommandFailure(.finding, "given up: the org led through \(Self.steps) steps to no end")
  }

  /// Whether a push has had an answer that ends it.
  private func isOver(_ challenge: OktaAuthStatusFactorChallenge) -> Bool {
    guard challenge.factor is OktaFactorPush, let result = challenge.factorResult else { return false }
    return result != .waiting
  }

  private func choose(_ required: OktaAuthStatusFactorRequired) throws -> OktaFactor {
    let factors = required.availableFactors
    let list = required.masked(factors.map(\.type.raw).joined(separator: ", "))
    guard let first = factors.first else {
      throw CommandFailure(.malformed, "the org asks for a second factor and offers none")
    }
    if let factor {
      guard let chosen = FactorName(factor).pick(from: factors) else {
        throw CommandFailure(.finding, "the org does not offer the factor '\(factor)': \(list)")
      }
      return chosen
    }
    guard factors.count > 1 else { return first }
    for (index, factor) in factors.enumerated() {
      Messages.say("  \(index + 1)  \(required.masked(SignInDialog.name(of: factor)))".printable)
    }
    Messages.ask("Second factor (1-\(factors.count)): ")
    guard let typed = try LineInput().line() else {
      throw CommandFailure(
        .finding, "there is no answer to the choice on standard input; give --factor: \(list)")
    }
    guard let chosen = FactorName(typed).pick(from: factors) else {
      throw CommandFailure(.finding, "'\(typed)' is none of the factors: \(list)")
    }
    return chosen
  }

  private func answer(_ challenge: OktaAuthStatusFactorChallenge) async throws -> OktaAuthStatus {
    if challenge.factor is OktaFactorPush { return try await wait(for: challenge) }
    let isQuestion = challenge.factor.type == .question
    let prompt = isQuestion ? "\(question(of: challenge)) " : "Code: "
    var left = SignInDialog.attempts
    var refusal: String?
    while true {
      let typed = try SecretInput.ask(prompt, after: refusal)
      left -= 1
      do throws(OktaError) {
        return try await challenge.verifyFactor(
          passCode: isQuestion ? nil : typed, answerToSecurityQuestion: isQuestion ? typed : nil)
      } catch {
        guard case .serverRespondedWithError(let response) = error, response.errorCode == "E0000068", left > 0 else {
          throw error
        }
        refusal = response.description
        Messages.say("\(response.description.printable) \(Quantity.count(left, "attempt")) left.")
      }
    }
  }

  private func question(of challenge: OktaAuthStatusFactorChallenge) -> String {
    challenge.masked(challenge.factor.profile?.questionText ?? "Answer:").printable
  }

  private func wait(for challenge: OktaAuthStatusFactorChallenge) async throws -> OktaAuthStatus {
    Messages.say(
      "Waiting for the push to be answered on \(SignInDialog.device(of: challenge)); Ctrl-C gives up.".printable)
    let shown = Locked<Int?>(nil)
    return try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil,
      onWaitingStatus: { waiting in
        guard let number = (waiting.factor as? OktaFactorPush)?.correctAnswer,
          shown.withLock({ $0 != number })
        else { return }
        shown.withLock { $0 = number }
        Messages.say("Choose \(number) on the device.")
      })
  }

  // MARK: Factors in words

  private static func device(of challenge: OktaAuthStatusFactorChallenge) -> String {
    challenge.masked(challenge.factor.profile?.name ?? "the device")
  }

  private static func name(of factor: OktaFactor) -> String {
    let profile = factor.profile
    let detail = profile?.phoneNumber ?? profile?.name ?? profile?.email ?? profile?.questionText
    return [factor.type.raw, factor.vendorName ?? factor.provider?.raw, detail].compactMap { $0 }.joined(
      separator: "  ")
  }
}
