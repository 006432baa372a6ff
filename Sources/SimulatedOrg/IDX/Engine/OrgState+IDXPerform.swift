// From a request to its answer: only operations that the step shows can be carried out.

extension OrgState {
  /// Answers anything but the classic API.
  mutating func perform(_ route: IDXRoute, _ call: IDXCall) -> IDXReply {
    switch route {
    case .idx(.introspect): introspect(call)
    case .idx(let operation): perform(operation, call)
    case .interact(let server): interact(server, call)
    case .provider(let id): visit(provider: id, call)
    case .mailLink: follow(link: call.form["token"] ?? "", ion: call.wantsIon)
    }
  }

  /// Carries out one operation on a transaction. Whatever happens, the answer is the response of the step it stands at.
  private mutating func perform(_ operation: IDXOperation, _ call: IDXCall) -> IDXReply {
    let handle = call.text("stateHandle")
    guard handle != nil else { return .dead(.badRequest, status: 400) }
    guard var transaction = live(handle) else { return expired(handle) }
    if operation == .cancel { return restart(transaction, call) }
    guard page(of: transaction).operations.contains(operation) else {
      return reply(transaction, IDXRefusal.step(.notNow))
    }
    transaction.deviceToken = call.deviceToken
    do throws(IDXRefusal) {
      try carryOut(operation, call, &transaction)
      hold(transaction)
      return reply(transaction)
    } catch {
      // A refused request still has effects: wrong answers count, and the step may have changed.
      hold(transaction)
      return reply(transaction, error)
    }
  }

  private mutating func carryOut(
    _ operation: IDXOperation, _ call: IDXCall, _ transaction: inout IDXTransaction
  ) throws(IDXRefusal) {
    switch operation {
    case .introspect, .cancel: break
    case .identify: try identify(call, &transaction)
    case .selectIdentify: (transaction.step, transaction.goal) = (.identify, .signIn)
    case .enroll: (transaction.step, transaction.goal) = (.register, .register)
    case .enrollNew: try submitProfile(call, &transaction)
    case .challenge: try choose(call, &transaction)
    case .answer: try answer(call, &transaction)
    case .answerAutofill: try answerAutofill(call, &transaction)
    case .poll, .authenticatorsPoll: try poll(call, &transaction)
    case .cancelPolling: cancelPolling(&transaction)
    case .resend: try resend(&transaction)
    case .send: try sendChannel(call, &transaction)
    case .credentialEnroll: try chooseEnrolment(call, &transaction)
    case .skip: try skip(&transaction)
    case .recover: try recover(&transaction)
    case .unlock: (transaction.step, transaction.goal) = (.selectToUnlock, .unlock)
    case .consent: try consent(call, &transaction)
    case .keepSignedIn: try staySignedIn(call, &transaction)
    }
  }

  /// The response of a transaction, or of a refused request in it.
  func reply(_ transaction: IDXTransaction, _ refusal: IDXRefusal? = nil) -> IDXReply {
    var reply = IDXReply(json: body(of: transaction, refusal))
    if let refusal { reply.status = refusal.status }
    if case .success = transaction.step {
      reply.headers.append(("Set-Cookie", "idx=\(Self.session(transaction)); Path=/; HttpOnly"))
    }
    return reply
  }

  /// The session a finished transaction leaves behind.
  static func session(_ transaction: IDXTransaction) -> String {
    var draws = SeededGenerator(seed: 0, for: "session \(transaction.handle)")
    return draws.text("eyJ", length: 40)
  }
}
