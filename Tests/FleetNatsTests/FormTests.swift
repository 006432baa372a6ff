#if Nats
  import Testing

  @testable import EventStore
  @testable import Fleet
  @testable import FleetNats

  /// What needs no server: names, keys, places, addresses.
  @Suite struct FormTests {
    @Test func `the public key of a seed is the one that the documentation of NATS has`() {
      let text = "# a user\nSUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n"
      #expect(UserKey.publicKey(ofSeedIn: text) == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
    }

    @Test func `a made seed has the public key that was given with it`() {
      let made = UserKey.make()
      #expect(made.publicKey.hasPrefix("U") && made.publicKey.utf8.count == 56)
      #expect(UserKey.publicKey(ofSeedIn: made.seed) == made.publicKey)
    }

    @Test(arguments: [
      "", "SU", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VX", "SAACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ",
      "SU" + String(repeating: "1", count: 56), String(repeating: "SU ", count: 1_000),
    ])
    func `what is no seed has no key`(text: String) {
      #expect(UserKey.publicKey(ofSeedIn: text) == nil)
    }

    @Test func `the place of a message is read of both forms of reply subjects`() throws {
      let old = try #require(ConsumerPlace("$JS.ACK.FR_3.abc.1.17.4.1700000000000000000.9"))
      #expect((old.consumer, old.sequence, old.delivered, old.pending) == ("abc", 17, 4, 9))
      #expect(ConsumerPlace("$JS.ACK._.hash.FR_3.abc.1.17.4.1700000000000000000.9") == old)
      #expect(ConsumerPlace("$JS.ACK._.hash.FR_3.abc.1.17.4.1700000000000000000.9.token") == old)
    }

    @Test(arguments: [
      "", "$JS.ACK", "$JS.ACK........", "$JS.ACK.FR_3.abc.1.x.4.1.9", "$JS.ACK.FR_3.abc.1.-1.4.1.9",
      "$JS.ACK.FR_3.abc.1.18446744073709551615.4.1.9", "fr.3.x.log", "$JS.ACK.FR_3.abc.1.1.4.1.9.9",
    ])
    func `what is no place is none`(reply: String) {
      #expect(ConsumerPlace(reply) == nil)
    }

    @Test func `only a store's own subject in its own stream is one of its messages`() {
      let store = "3" + String(repeating: "a", count: 31)
      #expect(NatsStreams.store(of: NatsStreams.subject(of: store)) == store)
      for subject in [
        "fr.4.\(store).log", "fr.3.\(store).meta", "fr.3.\(store)", "fr.3.\(store).log.x", "x.3.\(store).log",
        "fr.3a.\(store).log", "fr..\(store).log", "fr.3.\(store.uppercased()).log", "",
      ] {
        #expect(NatsStreams.store(of: subject) == nil, "\(subject)")
      }
    }

    @Test(arguments: [
      "", "nats://", "http://x", "nats://a,", "nats://user:secret@host", "nats://tok@host:1", "nats://a b", "nats://é",
    ])
    func `what is not an address is refused, and a password in it does not come back`(url: String) {
      let error = #expect(throws: StoreError.self) { try NatsAccess(url) }
      #expect(error?.code == .invalid)
      #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func `errors of the engine mean what a shipper does next`() {
      #expect(NatsCode(rawValue: 10_071).error("") == .wrongSequence)
      #expect(NatsCode(rawValue: 10_164).error("") == .wrongSequence)
      #expect(NatsCode(rawValue: 10_077).error("maximum bytes exceeded") == .full)
      #expect(NatsCode(rawValue: 10_008).error("down") == .unreachable("down (10008)"))
    }
  }
#endif
