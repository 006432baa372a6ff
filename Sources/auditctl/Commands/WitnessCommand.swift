import ArgumentParser
import EventStore
import Glibc
import SimulatedOrg

/// `auditctl witness`
struct WitnessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "witness", abstract: "Cosign the checkpoints of other logs, as long as they only grow.",
    discussion: """
      A witness has a key of its own and remembers the latest checkpoint that it cosigned of each log. It cosigns \
      another one only if a proof shows that the log goes on from there, so a log that was rolled back or forked gets \
      no cosignature, whoever has its key. Run it on a machine that the log's operator does not control. It speaks C2SP \
      tlog-witness and cosigns as C2SP tlog-cosignature says. The log's side is auditctl cosign.

      EXAMPLES
        auditctl witness init --name example.com/w1 --key w1.key --state w1 \\
          > w1.pub
        auditctl witness serve --key w1.key --state w1 --log audit.pub
        auditctl witness sign request.txt --key w1.key --state w1 --log audit.pub
      """,
    subcommands: [Init.self, Serve.self, Sign.self])

  /// What a running witness needs.
  struct Options: ParsableArguments {
    @Option(help: ArgumentHelp("The key of the witness.", valueName: "FILE")) var key: String
    @Option(help: ArgumentHelp("Where it remembers what it cosigned.", valueName: "DIR")) var state: String
    @Option(
      name: .customLong("log"), parsing: .singleValue,
      help: ArgumentHelp("The public key of a log to cosign. May be repeated.", valueName: "FILE|KEY"))
    var logs: [String]

    /// The witness.
    func witness() throws -> Witness {
      try Witness(
        key: SigningKey.load(path: key, as: .cosignature), logs: logs.map { try PinnedFile.log($0) },
        directory: state)
    }
  }

  /// `auditctl witness init`
  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init", abstract: "Make the key and the state of a new witness, and print its public key.",
      discussion: """
        The key is made with mode 0600. Give the public key to those who verify: verify --witness-key. A witness that \
        has lost its state must not go on under the same key: it could cosign a fork. Begin a new one.

        EXAMPLES
          auditctl witness init --name example.com/w1 --key w1.key --state w1 \\
            > w1.pub
        """)

    @Option(help: ArgumentHelp("Its name, best a URL without https://.", valueName: "NAME")) var name: String
    @Option(help: ArgumentHelp("The file of its new key.", valueName: "FILE")) var key: String
    @Option(help: ArgumentHelp("Where it will remember what it cosigned.", valueName: "DIR")) var state: String

    mutating func validate() throws {
      guard (try? SigningKey(name: name, as: .cosignature)) != nil else {
        throw ValidationError(
          "--name '\(name)' cannot be the name of a key: it is empty, or has spaces or a plus sign; give one such as "
            + "example.com/w1")
      }
    }

    func run() throws {
      let made = try SigningKey.create(path: key, name: name, as: .cosignature)
      do {
        try Witness.begin(state, key: made)
      } catch {
        // A key that has not signed anything.
        unlink(key)
        throw error
      }
      let output = Output()
      try output.line(made.verifier.description)
      try output.flush()
    }
  }

  /// `auditctl witness sign`
  struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign", abstract: "Answer a request that comes as a file.",
      discussion: """
        The request is what auditctl cosign request wrote; the answer is for auditctl cosign add. What is refused \
        exits with 65 (a log that is truncated or forked, a proof that does not hold or does not begin where the \
        witness is), 66 (a log that it does not know) or 77 (a checkpoint that the log has not signed).

        EXAMPLES
          auditctl witness sign request.txt --key w1.key --state w1 --log audit.pub
          auditctl witness sign request.txt --key w1.key --state w1 \\
            --log audit.pub -o answer.txt
        """)

    @Argument(help: ArgumentHelp("The request.", valueName: "REQUEST")) var request: String
    @OptionGroup var options: Options
    @Option(name: .shortAndLong, help: ArgumentHelp("Where the answer goes (default: stdout).", valueName: "FILE"))
    var output: String?

    func run() throws {
      let asked = try PinnedFile.request(request)
      switch try options.witness().answer(asked) {
      case .success(let lines): try TextFile.write(lines, to: output)
      case .failure(let refusal): throw error(of: refusal)
      }
    }

    /// A refusal with where the request came from, and what to do.
    private func error(of refusal: WitnessRefusal) -> StoreError {
      var error = refusal.storeError
      // The message contains how much is cosigned.
      (error.file, error.position) = (request, nil)
      error.advice =
        switch refusal.reason {
        case .malformed: "give what auditctl cosign request wrote"
        case .unsigned: "give the public key that signs that log now, by --log"
        case .unknownLog: "give its public key by --log"
        case .stale: "ask again from there: auditctl cosign request --from \(refusal.latest ?? 0)"
        case .truncated:
          "if the request is an old one, make it anew by auditctl cosign request; if not, records of the log are gone: keep it as "
            + "evidence and run auditctl verify"
        case .forked, .badProof: "keep the log as evidence and run auditctl verify"
        }
      return error
    }
  }

  /// `auditctl witness serve`
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Answer requests over HTTP until interrupted.",
      discussion: """
        The first line on stdout is the URL; POST to /add-checkpoint under it. It speaks HTTP without TLS: put a \
        server that does in front of it where others are to reach it. What is cosigned and what is refused is said on \
        stderr.

        EXAMPLES
          auditctl witness serve --key w1.key --state w1 --log audit.pub
          auditctl witness serve --key w1.key --state w1 --log audit.pub \\
            --listen 127.0.0.1:8090
        """)

    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("The address and the port; 0 for any free one.", valueName: "ADDRESS:PORT"))
    var listen = ListenAddress.loopback

    func run() async throws {
      let service = WitnessService(witness: try options.witness())
      let listener = try HTTPListener(address: listen.host, port: listen.port)
      let output = Output()
      try output.line("http://\(listen.host):\(listener.port)")
      try output.flush()
      let serving = Task(executorPreference: OrgThreads.shared) { await listener.run { service.answer($0) } }
      await Termination.wait()
      serving.cancel()
      await serving.value
    }
  }
}
