#if Nats
  // The minimal rights that hosts and collectors need on a server (docs/FLEET.md §10).

  /// What a user may publish and subscribe to.
  package struct NatsRights: Sendable, Hashable {
    /// The subjects to which it may publish.
    package var publish: [String]
    /// The subjects that it may read.
    package var subscribe: [String]

    /// The rights of a host, by the id of its store: its messages, the last of them, questions in its name, answers to
    /// them.
    package init(host store: String) {
      let subject = NatsStreams.subject(of: store)
      publish = [
        subject, NatsAnswers.subject(of: store),
        "$JS.API.DIRECT.GET.\(NatsStreams.name(store.first ?? "0")).\(subject)",
      ]
      subscribe = [NatsAnswers.inbox(of: store) + ".>"]
    }

    private init(publish: [String], subscribe: [String]) {
      self.publish = publish
      self.subscribe = subscribe
    }

    /// The rights of a collector: streams and consumers, and answers to hosts. It publishes no messages.
    package static let collector = NatsRights(
      publish: [
        "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.CREATE.*", "$JS.API.CONSUMER.CREATE.*",
        "$JS.API.CONSUMER.MSG.NEXT.*.*", "fr.inbox.>",
      ],
      subscribe: [NatsAnswers.subject(of: "*"), "fr.inbox.collect.>"])

    /// The user's entry in the server's configuration file.
    package func configuration(of key: String) -> String {
      func list(_ subjects: [String]) -> String { subjects.map { "\"\($0)\"" }.joined(separator: ", ") }
      return "{ nkey: \(key), permissions: { publish: [\(list(publish))], subscribe: [\(list(subscribe))] } }"
    }
  }
#endif
