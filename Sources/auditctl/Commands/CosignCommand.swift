import ArgumentParser
import EventStore

/// `auditctl cosign`
struct CosignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cosign", abstract: "Have the newest checkpoint of a store cosigned by a witness.",
    discussion: """
      A witness vouches that the log only grew since it looked last. Its cosignature is added to the checkpoint in \
      checkpoints/, and to latest unless a writer has the store open; auditctl verify --witness-key demands it. Sign \
      the log first, by auditctl checkpoint or on its writer's schedule.

      Over HTTP it is one call. Through files it is three: request here, auditctl witness sign there, add here.

      The options of a call over HTTP (--store, --witness, --witness-key) are those of ask: auditctl help cosign ask

      EXAMPLES
        auditctl witness init --name example.com/w1 --key w1.key --state w1 \\
          > w1.pub
        auditctl cosign --store audit --witness http://127.0.0.1:8090 \\
          --witness-key w1.pub
        auditctl cosign request --store audit --witness-key w1.pub -o request.txt
        auditctl cosign add answer.txt --store audit --witness-key w1.pub
      """,
    subcommands: [Ask.self, Request.self, Add.self], defaultSubcommand: Ask.self)

  /// The witness's public key.
  struct WitnessKey: ParsableArguments {
    @Option(
      name: .customLong("witness-key"),
      help: ArgumentHelp("The public key of the witness, as auditctl witness init printed it.", valueName: "FILE|KEY"))
    var given: String

    /// The key.
    func key() throws -> VerifierKey { try PinnedFile.witness(given) }
  }

  /// `auditctl cosign ask`
  struct Ask: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ask", abstract: "Ask a witness over HTTP, and print the cosigned checkpoint.",
      discussion: """
        Exits 1 if the witness refuses, 65 if it knows of more than the log has, 66 if the log has no checkpoint yet.

        EXAMPLES
          auditctl cosign ask --store audit --witness http://127.0.0.1:8090 \\
            --witness-key w1.pub
        """)

    @OptionGroup var store: StoreOption
    @Option(help: ArgumentHelp("Where the witness answers.", valueName: "URL")) var witness: String
    @OptionGroup var witnessKey: WitnessKey

    func run() async throws {
      let key = try witnessKey.key()
      let note: SignedNote
      do {
        note = try await WitnessClient(url: witness).cosign(Cosigning(store: store.directory), by: key)
      } catch let error as StoreError {
        throw CosignCommand.failure(error, store.directory)
      }
      try TextFile.write(note.text, to: nil)
    }
  }

  /// `auditctl cosign request`
  struct Request: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "request", abstract: "Write what to ask a witness, for auditctl witness sign.",
      discussion: """
        The proof begins at the newest checkpoint that the store has a cosignature of. If the witness says that it has \
        cosigned another size, give that as --from.

        EXAMPLES
          auditctl cosign request --store audit --witness-key w1.pub -o request.txt
          auditctl cosign request --store audit --witness-key w1.pub --from 1842
        """)

    @OptionGroup var store: StoreOption
    @OptionGroup var witnessKey: WitnessKey
    @Option(parsing: .unconditional, help: ArgumentHelp("The size that the witness has cosigned last.", valueName: "N"))
    var from: UInt64?
    @Option(name: .shortAndLong, help: ArgumentHelp("Where the request goes (default: stdout).", valueName: "FILE"))
    var output: String?

    func run() throws {
      let key = try witnessKey.key()
      let request: WitnessRequest
      do throws(StoreError) {
        request = try Cosigning(store: store.directory).request(to: key, from: from)
      } catch {
        throw CosignCommand.failure(error, store.directory)
      }
      try TextFile.write(request.text, to: output)
    }
  }

  /// `auditctl cosign add`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a witness's answer to the checkpoint it is of, and print that.",
      discussion: """
        EXAMPLES
          auditctl cosign add answer.txt --store audit --witness-key w1.pub
        """)

    @Argument(help: ArgumentHelp("What the witness answered.", valueName: "ANSWER")) var answer: String
    @OptionGroup var store: StoreOption
    @OptionGroup var witnessKey: WitnessKey

    func run() throws {
      let key = try witnessKey.key()
      let text = try PinnedFile.content(answer)
      let note: SignedNote
      do throws(StoreError) {
        note = try Cosigning(store: store.directory).add(text, from: key)
      } catch {
        throw CosignCommand.failure(refined(error, key), store.directory)
      }
      try TextFile.write(note.text, to: nil)
    }

    /// What is wrong with the answer, and its origin.
    private func refined(_ error: StoreError, _ key: VerifierKey) -> StoreError {
      var error = error
      switch error.code {
      case .malformed where error.file == nil:
        error.message = "this is no answer of a witness: \(error.message)"
        error.file = answer
        error.advice = "give what auditctl witness sign wrote"
      case .keyMismatch:
        error.message = "\(key.name) has cosigned no checkpoint of \(store.directory) by this answer"
        error.file = answer
        error.advice = "give the key of the witness that answered, and the store that auditctl cosign request was about"
      case _: break
      }
      return error
    }
  }

  /// For a store without a checkpoint, the key is not the problem: exit 66, as in other commands that need a
  /// checkpoint.
  private static func failure(_ error: StoreError, _ store: String) -> StoreError {
    guard error.code == .keyMissing else { return error }
    return StoreError(
      .notFound, "the store has no checkpoint yet that a witness could cosign", file: store,
      advice: "sign one with auditctl checkpoint")
  }
}
