#if Nats
  // The only file that uses the library's handles.
  import CNats
  import Dispatch
  import EventStore
  import Fleet
  import Synchronization

  /// A connection, which the library maintains, reconnecting to another server if necessary.
  ///
  /// Unchecked, since according to the library a connection's handle may be used from any thread.
  @safe final class NatsConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let troubles: NatsTroubles

    /// Connects. Throws `refused` if the server does not let this user in, `unreachable` if there is no server.
    init(_ access: NatsAccess) throws(FleetError) {
      troubles = NatsTroubles()
      let options = try NatsOptions(access, troubles: troubles)
      var made: OpaquePointer?
      let status = unsafe natsConnection_Connect(&made, options.handle)
      guard status == NATS_OK, let made = unsafe made else {
        let text = NatsConnection.text(of: status)
        switch status {
        case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
          throw .refused(
            StoreError(.permission, "the server does not let this user in: \(text)", advice: "check --creds"))
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED:
          throw .refused(
            StoreError(.permission, "no trusted connection can be made: \(text)", advice: "check the address and --ca"))
        default: throw .unreachable(text)
        }
      }
      unsafe handle = made
    }

    deinit { unsafe natsConnection_Destroy(handle) }

    /// Publishes a message. It may not have arrived yet when this returns.
    func publish(
      _ body: [UInt8], to subject: String, reply: String? = nil, header: (name: String, value: String)? = nil
    ) throws(FleetError) {
      try checkTrouble()
      // While disconnected, the library would keep published messages and send them later, when they mean something
      // else.
      guard unsafe natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED else {
        throw .unreachable("the connection is away")
      }
      var message: OpaquePointer?
      // SAFETY: the library copies subject, reply and bytes; the count is that of the bytes.
      var status = unsafe body.withUnsafeBytes { bytes in
        unsafe natsMsg_Create(
          &message, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      }
      if status == NATS_OK, let header { status = unsafe natsMsgHeader_Set(message, header.name, header.value) }
      if status == NATS_OK { status = unsafe natsConnection_PublishMsg(handle, message) }
      unsafe natsMsg_Destroy(message)
      guard status == NATS_OK else {
        guard status != NATS_MAX_PAYLOAD else {
          throw .refused(
            StoreError(.tooLarge, "the server takes no message of \(body.count) bytes", advice: "raise its max_payload")
          )
        }
        throw .unreachable(Self.text(of: status))
      }
    }

    /// A new inbox for messages to subjects of that prefix and one more token.
    func inbox(_ prefix: String) throws(FleetError) -> NatsInbox {
      let queue = NatsQueue()
      return unsafe NatsInbox(try subscribe(to: prefix + ".*") { queue.add($0) }, prefix: prefix, queue: queue)
    }

    /// Calls a closure with each message on a subject, in a thread of the library, as long as the connection lives.
    func listen(to subject: String, _ take: @escaping @Sendable (NatsMessage) -> Void) throws(FleetError) {
      _ = unsafe try subscribe(to: subject, take)
    }

    private func subscribe(
      to subject: String, _ take: @escaping @Sendable (NatsMessage) -> Void
    ) throws(FleetError) -> OpaquePointer {
      var subscription: OpaquePointer?
      // SAFETY: never released, since a call may be in progress when the connection ends; costs some bytes per
      // subscription.
      let context = unsafe Unmanaged.passRetained(NatsListener(take)).toOpaque()
      // Not a synchronous subscription: the library takes a stored message with a header like that of an unanswered
      // request for one, so that a host could stop all reading.
      var status = unsafe natsConnection_Subscribe(
        &subscription, handle, subject,
        { _, _, message, context in
          guard let message = unsafe message, let context = unsafe context else { return }
          // SAFETY: what was retained above.
          unsafe Unmanaged<NatsListener>.fromOpaque(context).takeUnretainedValue().take(
            unsafe NatsMessage(taking: message))
        }, context)
      if status == NATS_OK { status = unsafe natsSubscription_SetPendingLimits(subscription, -1, -1) }
      guard status == NATS_OK, let subscription = unsafe subscription else {
        throw .unreachable(Self.text(of: status))
      }
      return unsafe subscription
    }

    /// Sends a request and waits for its answer, for so many milliseconds.
    ///
    /// Throws `unreachable` without an answer, `refused` if this user may not ask.
    func request(
      _ subject: String, _ body: [UInt8], expecting: UInt64? = nil, by inbox: NatsInbox, within limit: Int64
    ) throws(FleetError) -> NatsMessage {
      let reply = inbox.next()
      try publish(
        body, to: subject, reply: reply,
        header: expecting.map { ("Nats-Expected-Last-Subject-Sequence", String($0)) })
      let end = ContinuousClock.now + .milliseconds(limit)
      repeat {
        if let message = inbox.receive(within: 50) {
          guard message.subject == reply else { continue }
          guard !message.isUnanswered else { throw .unreachable("nothing answers \(subject)") }
          return message
        }
        try checkTrouble()
      } while ContinuousClock.now < end
      throw .unreachable("no answer to \(subject) within \(limit) ms")
    }

    /// Throws what the server has refused since the last call: the server reports missing rights in no other way.
    func checkTrouble() throws(FleetError) {
      if let text = troubles.taken() {
        throw .refused(
          StoreError(.permission, "the server refuses this user: \(text)", advice: "see docs/FLEET.md for the rights"))
      }
      if unsafe natsConnection_IsClosed(handle) {
        throw .refused(
          StoreError(.permission, "the server has closed the connection for good", advice: "check --creds"))
      }
    }

    /// What a status means, in the library's words.
    static func text(of status: natsStatus) -> String {
      // SAFETY: constant strings that end with a zero.
      unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) } ?? "status \(status.rawValue)"
    }
  }

  /// Errors that the server has reported outside its answers.
  final class NatsTroubles: Sendable {
    private let text = Mutex<String?>(nil)

    func note(_ found: String) { text.withLock { $0 = found } }

    func taken() -> String? { text.withLock { $0.take() } }
  }

  /// The receiver of messages in a thread of the library.
  private final class NatsListener: Sendable {
    let take: @Sendable (NatsMessage) -> Void

    init(_ take: @escaping @Sendable (NatsMessage) -> Void) { self.take = take }
  }

  /// Subjects under one prefix, for answers. Used by one thread.
  @safe final class NatsInbox: @unchecked Sendable {
    /// The prefix of its subjects.
    let prefix: String
    private let handle: OpaquePointer
    private var number: UInt64 = 0

    private let queue: NatsQueue

    fileprivate init(_ handle: OpaquePointer, prefix: String, queue: NatsQueue) {
      unsafe self.handle = handle
      self.prefix = prefix
      self.queue = queue
    }

    deinit { unsafe natsSubscription_Destroy(handle) }

    /// A subject that was not used before.
    func next() -> String {
      number += 1
      return prefix + "." + String(number)
    }

    /// The next message, if one arrives within that many milliseconds.
    func receive(within limit: Int) -> NatsMessage? { queue.next(within: limit) }
  }

  /// Messages in the order of arrival.
  private final class NatsQueue: Sendable {
    private let messages = Mutex<Deque>(Deque())
    private let count = DispatchSemaphore(value: 0)

    private struct Deque {
      var messages: [NatsMessage] = []
      var first = 0
    }

    func add(_ message: NatsMessage) {
      messages.withLock { $0.messages.append(message) }
      count.signal()
    }

    func next(within limit: Int) -> NatsMessage? {
      guard count.wait(timeout: .now() + .milliseconds(limit)) == .success else { return nil }
      return messages.withLock { queue in
        guard queue.first < queue.messages.count else { return nil }
        defer {
          queue.first += 1
          if queue.first == queue.messages.count { queue = Deque() }
        }
        return queue.messages[queue.first]
      }
    }
  }

  /// The options of a connection.
  @safe private struct NatsOptions: ~Copyable {
    let handle: OpaquePointer?

    init(_ access: NatsAccess, troubles: NatsTroubles) throws(FleetError) {
      var made: OpaquePointer?
      var status = unsafe natsOptions_Create(&made)
      let handle = unsafe made
      unsafe self.handle = handle
      func set(_ next: natsStatus) { if status == NATS_OK { status = next } }
      set(unsafe Self.setServers(access.servers, of: handle))
      set(unsafe natsOptions_SetName(handle, "flowrecorder"))
      set(unsafe natsOptions_SetTimeout(handle, 5_000))
      set(unsafe natsOptions_SetMaxReconnect(handle, -1))
      set(unsafe natsOptions_SetReconnectWait(handle, 250))
      // One thread for all subscriptions, not one for each: a process may ship hundreds of stores.
      set(unsafe natsOptions_UseGlobalMessageDelivery(handle, true))
      // The connection leaves a paused server after six seconds.
      set(unsafe natsOptions_SetPingInterval(handle, 2_000))
      set(unsafe natsOptions_SetMaxPingsOut(handle, 2))
      // SAFETY: never released, since the library may call after the connection was closed; costs some bytes per
      // connection.
      let context = unsafe Unmanaged.passRetained(troubles).toOpaque()
      set(
        unsafe natsOptions_SetErrorHandler(
          handle,
          { connection, _, status, context in
            guard status == NATS_NOT_PERMITTED, let context = unsafe context else { return }
            var text: UnsafePointer<CChar>?
            _ = unsafe natsConnection_GetLastError(connection, &text)
            // SAFETY: the connection's own string, which ends with a zero; the context is what was retained above.
            let words = unsafe text.map { unsafe String(cString: $0) } ?? ""
            unsafe Unmanaged<NatsTroubles>.fromOpaque(context).takeUnretainedValue().note(
              words.isEmpty ? NatsConnection.text(of: status) : words)
          }, context))
      if access.isEncrypted { set(unsafe natsOptions_SetSecure(handle, true)) }
      guard status == NATS_OK else { throw .unreachable(NatsConnection.text(of: status)) }
      if let file = access.authorities {
        guard unsafe natsOptions_LoadCATrustedCertificates(handle, file) == NATS_OK else {
          throw .refused(StoreError(.malformed, "no certificates of authorities are in the file", file: file))
        }
      }
      if let file = access.credentials { try unsafe Self.setUser(file, of: handle) }
    }

    deinit { unsafe natsOptions_Destroy(handle) }

    private static func setServers(_ servers: [String], of handle: OpaquePointer?) -> natsStatus {
      // SAFETY: the library copies the strings; each ends with a zero and lives until after the call.
      var strings = unsafe servers.map { server in
        let text = server.utf8CString
        let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
        _ = unsafe bytes.initialize(from: text)
        return unsafe UnsafePointer(bytes.baseAddress)
      }
      defer { unsafe strings.forEach { unsafe $0?.deallocate() } }
      let count = Int32(servers.count)
      return unsafe natsOptions_SetServers(handle, &strings, count)
    }

    /// Names the user by a credentials file: a JWT and a seed, or a seed alone.
    private static func setUser(_ file: String, of handle: OpaquePointer?) throws(FleetError) {
      let text: String
      do throws(StoreError) {
        text = String(decoding: try SystemDisk().contents(of: file, limit: 1 << 16), as: UTF8.self)
      } catch {
        throw .refused(error)
      }
      let status: natsStatus
      if text.contains("BEGIN NATS USER JWT") {
        status = unsafe natsOptions_SetUserCredentialsFromFiles(handle, file, nil)
      } else if let key = UserKey.publicKey(ofSeedIn: text) {
        status = unsafe natsOptions_SetNKeyFromSeed(handle, key, file)
      } else {
        throw .refused(
          StoreError(.malformed, "the file holds neither a user's JWT with its seed nor an NKEY seed", file: file))
      }
      guard status == NATS_OK else {
        throw .refused(StoreError(.malformed, "the library takes no user from the file", file: file))
      }
    }
  }
#endif
