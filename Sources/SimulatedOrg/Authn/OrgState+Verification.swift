// Second factors: select, verify, resend (authn.md §7, §11).

import Foundation

extension OrgState {
  /// `…/factors/{id}/verify`: selects a factor, checks a code, or polls a push, as the state has it.
  mutating func verify(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    let account = try account(transaction)
    switch transaction.step {
    case .required:
      guard let enrolment = Self.enrolment(id, account) else { throw .noSuchResource("\(id) (UserFactor)") }
      storeAutoPush(call, enrolment, transaction.login)
      if let typed = Self.typed(call.body, enrolment.factor) { return try submit(typed, enrolment, transaction, call) }
      try challenge(enrolment, &transaction)
      return try keep(transaction)
    case .challenge(let challenge):
      guard let enrolment = Self.enrolment(id, account), enrolment.id == challenge.enrolment else {
        throw .notInThisState
      }
      if let typed = Self.typed(call.body, enrolment.factor) { return try submit(typed, enrolment, transaction, call) }
      switch challenge.kind {
      case .push(let push): return try poll(push, transaction, enrolment, call)
      case .signed(let expected) where call.body.signatureData != nil:
        guard isSigned(expected, call.body, enrolment.factor, isNew: false) else {
          throw refuseCode(transaction, with: .wrongCode)
        }
        return try pass(transaction, call)
      case .sent: try self.challenge(enrolment, &transaction)
      case .signed, .typed: break
      }
      return try keep(transaction)
    case .unauthenticated, .passwordWarn, .passwordExpired, .passwordReset, .enroll, .enrollActivate,
      .recoveryChallenge, .recovery:
      throw .notInThisState
    }
  }

  /// `…/verify/resend`: another code or push.
  mutating func resend(_ id: String, _ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = try transaction(call.body.stateToken)
    guard case .challenge(let challenge) = transaction.step, challenge.enrolment == id,
      let enrolment = Self.enrolment(id, try account(transaction))
    else { throw .notInThisState }
    switch challenge.kind {
    case .sent: try self.challenge(enrolment, &transaction)
    case .push where enrolment.factor != .duo: try self.challenge(enrolment, &transaction)
    case .push, .typed, .signed: throw .notInThisState
    }
    return try keep(transaction)
  }

  /// Starts a factor: sends what it sends, and waits for it.
  private mutating func challenge(_ enrolment: Enrolment, _ transaction: inout Transaction) throws(Refusal) {
    let login = transaction.login
    let kind: Challenge.Kind
    switch enrolment.factor {
    case .sms(let phone):
      transaction.codes[enrolment.id] = try send(login, by: .sms, to: phone)
      kind = .sent
    case .call(let phone):
      transaction.codes[enrolment.id] = try send(login, by: .call, to: phone)
      kind = .sent
    case .email(let address):
      transaction.codes[enrolment.id] = try send(login, by: .mail, to: address)
      kind = .sent
    case .totp, .question, .token: kind = .typed
    case .push, .duo:
      kind = .push(newPush(login, for: enrolment.factor, PushOrigin(token: transaction.token)))
    case .u2f, .webauthn: kind = .signed(challenge: newNonce(login))
    }
    transaction.step = .challenge(Challenge(enrolment: enrolment.id, kind: kind))
  }

  /// The nonce for a key to sign.
  mutating func newNonce(_ login: String) -> String {
    withAccount(login) { Base64.urlText($0.draws.bytes(32)) } ?? ""
  }

  /// True if browser data are about this challenge. Signatures are not verified: the org does not know their keys.
  func isSigned(_ challenge: String, _ body: AuthnBody, _ factor: OrgFactor, isNew: Bool) -> Bool {
    guard let text = body.clientData, let bytes = Base64.bytes(text),
      let client = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)), client.challenge == challenge
    else { return false }
    let needed = isNew ? Self.creationFields(factor) : Self.signingFields(factor)
    return needed.allSatisfy { body[keyPath: $0]?.isEmpty == false }
  }

  private static func creationFields(_ factor: OrgFactor) -> [KeyPath<AuthnBody, String?>] {
    factor == .u2f ? [\.registrationData] : [\.attestation]
  }

  private static func signingFields(_ factor: OrgFactor) -> [KeyPath<AuthnBody, String?>] {
    factor == .u2f ? [\.signatureData] : [\.signatureData, \.authenticatorData]
  }

  private struct ClientData: Decodable { var challenge: String }

  /// The factor with that id; newer links name the type in its place.
  private static func enrolment(_ id: String, _ account: Account) -> Enrolment? {
    account.enrolments.first { $0.id == id } ?? account.enrolments.first { $0.factor.factorType == id }
  }

  private static func typed(_ body: AuthnBody, _ factor: OrgFactor) -> String? {
    switch factor {
    case .question: body.answer
    case .sms, .call, .email, .totp, .token: body.passCode
    case .push, .duo, .u2f, .webauthn: nil
    }
  }

  /// Checks a code or answer, and counts the wrong ones.
  private mutating func submit(
    _ typed: String, _ enrolment: Enrolment, _ transaction: Transaction, _ call: Call
  ) throws(Refusal) -> OrgJSON {
    let isRight =
      switch enrolment.factor {
      case .sms, .call, .email: transaction.codes[enrolment.id].map { accepts(typed, $0) } ?? false
      case .question(_, let answer): SecurityQuestion.matches(typed, answer)
      case .token(_, _, let passCode): typed == passCode
      case .totp(let secret, _): try acceptsTimeCode(typed, secret, enrolment, transaction.login)
      case .push, .duo, .u2f, .webauthn: false
      }
    guard isRight else { throw refuseCode(transaction, with: .wrongCode) }
    return try pass(transaction, call)
  }

  /// Counts a wrong code or answer; the last one allowed ends the transaction and locks the account.
  mutating func refuseCode(_ transaction: Transaction, with refusal: Refusal) -> Refusal {
    var transaction = transaction
    transaction.wrongCodes += 1
    guard transaction.wrongCodes >= configuration.wrongCodeLimit else {
      transactions[transaction.token] = transaction
      return refusal
    }
    transactions[transaction.token] = nil
    _ = withAccount(transaction.login) { $0.locked = true }
    return .lockedByCodes
  }

  /// RFC 6238 §5.2: one step of drift either way, no code twice.
  private mutating func acceptsTimeCode(
    _ typed: String, _ secret: String, _ enrolment: Enrolment, _ login: String
  ) throws(Refusal) -> Bool {
    guard let secret = Base32.bytes(secret) else { return false }
    let present = TimePasscode.step(at: now)
    // Beyond the drift, up to five minutes off, a code is known to be right but late.
    let steps: [Int64] = [0, -1, 1] + (2...10).flatMap { [-$0, $0] }
    guard let drift = steps.first(where: { TimePasscode.code(secret: secret, step: present + $0) == typed }) else {
      return false
    }
    if let last = enrolment.lastStep, present + drift <= last { throw .codeReplayed }
    guard abs(drift) <= 1 else { throw .codeTooLate }
    _ = withAccount(login) { account in
      guard let index = account.enrolments.firstIndex(where: { $0.id == enrolment.id }) else { return }
      account.enrolments[index].lastStep = present + drift
    }
    return true
  }

  /// The second factor is done.
  mutating func pass(_ transaction: Transaction, _ call: Call) throws(Refusal) -> OrgJSON {
    var transaction = transaction
    transaction.settled.insert(.mfa)
    if configuration.allowRememberDevice, call.query["rememberDevice"] == "true" {
      let minutes = configuration.rememberDeviceMinutes
      let until = minutes > 0 ? now + Double(minutes) * 60 : nil
      _ = withAccount(transaction.login) { $0.remembered[call.deviceToken] = .some(until) }
    }
    return try advance(transaction)
  }
}
