#if Nats
  // The collector's half of a question: answered at once, in a thread of the library, with the latest answer.
  import EventStore
  import Fleet
  import Synchronization

  /// The answers of a collector, and the stores that asked.
  final class NatsAnswers: Sendable {
    private struct State {
      var answers: [String: [UInt8]] = [:]
      var questions: [String: FleetQuestion] = [:]
      /// The stores that asked before there was an answer.
      var waiting: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// The most stores that wait: it is not known here whether a store that asks is enrolled.
    private static let most = 100_000

    /// The subject of hosts' questions.
    static func subject(of store: String) -> String { "fr.where.\(store)" }

    /// The prefix of the subjects of a host's answers; answers go nowhere else.
    static func inbox(of store: String) -> String { "fr.inbox.\(store)" }

    /// Answers a question, or lets it wait.
    func take(_ message: NatsMessage, over connection: NatsConnection) {
      let words = message.subject.split(separator: ".", omittingEmptySubsequences: false)
      // The server lets each host ask only in its own name. An answer to another host's subject would be our message
      // there.
      guard words.count == 3, let store = words.last.map(String.init), FleetMessage.isStore(store),
        message.reply.hasPrefix(Self.inbox(of: store) + "."), let question = FleetQuestion(json: message.json),
        question.store == store
      else { return }
      let answer: [UInt8]? = state.withLock { state in
        guard state.questions[store] != nil || state.questions.count < Self.most else { return nil }
        state.questions[store] = question
        guard let answer = state.answers[store] else {
          if state.waiting[store] != nil || state.waiting.count < Self.most { state.waiting[store] = message.reply }
          return nil
        }
        return answer
      }
      if let answer { try? connection.publish(answer, to: message.reply) }
    }

    /// Sets the answers from now on, and answers the stores that have waited for them.
    func set(_ answers: [FleetAnswer], over connection: NatsConnection) throws(FleetError) {
      let due: [(String, [UInt8])] = state.withLock { state in
        var due: [(String, [UInt8])] = []
        for answer in answers {
          let bytes = answer.json.bytes
          state.answers[answer.store] = bytes
          if let reply = state.waiting.removeValue(forKey: answer.store) { due.append((reply, bytes)) }
        }
        return due
      }
      for (reply, bytes) in due { try connection.publish(bytes, to: reply) }
    }

    /// The newest question of each store since the last call.
    func takeQuestions() -> [FleetQuestion] {
      state.withLock { state in
        defer { state.questions = [:] }
        return state.questions.values.sorted { $0.store < $1.store }
      }
    }
  }
#endif
