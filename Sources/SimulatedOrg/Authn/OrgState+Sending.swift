// Codes by text, call and mail, with the pauses the org insists on (authn.md §9.2: 109, 118, 133).

extension OrgState {
  /// Sends a fresh code. For an unknown user everything is the same, but no code is ever right and nothing is sent.
  mutating func send(_ login: String, by channel: OutboxMessage.Channel, to address: String) throws(Refusal) -> SentCode
  {
    try pause(login, channel)
    guard let code = withAccount(login, { $0.draws.digits(6) }) else {
      return SentCode(code: draws.text("unknown ", length: 12), sent: now)
    }
    post(code, to: address, by: channel, for: login)
    return SentCode(code: code, sent: now)
  }

  /// Refuses a message too soon after the last one through the same channel; otherwise records it.
  mutating func pause(_ login: String, _ channel: OutboxMessage.Channel) throws(Refusal) {
    let recipient = Recipient(login: login, channel: channel)
    let interval = channel == .mail ? configuration.mailInterval : configuration.phoneInterval
    if let last = lastSent[recipient], now.seconds(since: last) < interval {
      switch channel {
      case .sms: throw .textTooSoon
      case .call: throw .callTooSoon
      case .mail: throw .mailTooSoon
      }
    }
    lastSent[recipient] = now
  }

  mutating func post(
    _ code: String, to address: String, by channel: OutboxMessage.Channel, for login: String, link: String? = nil
  ) {
    let name = accounts[login]?.user.login ?? login
    outbox.append(OutboxMessage(channel: channel, to: address, code: code, link: link, userLogin: name))
  }

  /// True if a typed code is the one sent, and still valid.
  func accepts(_ typed: String, _ sent: SentCode) -> Bool {
    typed == sent.code && now.seconds(since: sent.sent) < configuration.challengeLifetime
  }
}
