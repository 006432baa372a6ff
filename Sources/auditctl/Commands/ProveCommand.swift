import ArgumentParser
import EventStore

/// `auditctl prove`
struct ProveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prove", abstract: "Prove that a record is in the log, or that a log only grew (RFC 6962).",
    discussion: """
      Hashes are in standard base64. A proof leads to a Merkle root; compare that with the one in a checkpoint that \
      you trust.

      EXAMPLES
        auditctl prove inclusion 42 --store audit
        auditctl prove inclusion 42 --store audit --size 1000
        auditctl prove consistency 1000 1842 --store audit
      """,
    subcommands: [Inclusion.self, Consistency.self])

  /// `auditctl prove inclusion`
  struct Inclusion: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "inclusion", abstract: "Prove that a record is in the log.",
      discussion: """
        EXAMPLES
          auditctl prove inclusion 42 --store audit | jq .hashes
        """)

    @Argument(help: ArgumentHelp("The record's position, from 0.", valueName: "N"))
    var position: UInt64
    @OptionGroup var stores: DirectoriesOption
    @Option(help: ArgumentHelp("Prove against the first M records (default: all).", valueName: "M"))
    var size: UInt64?

    func run() throws {
      try ProveCommand.tell(stores) { log in
        let proof = try log.inclusionProof(of: position, size: size)
        return [
          ("leafIndex", .number(String(proof.leafIndex))), ("treeSize", .number(String(proof.treeSize))),
          ("leafHash", .string(proof.leafHash.description)), ("root", .string(proof.root.description)),
          ("hashes", .array(proof.hashes.map { .string($0.description) })),
        ]
      }
    }
  }

  /// `auditctl prove consistency`
  struct Consistency: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "consistency", abstract: "Prove that the log of M records is the beginning of that of N.",
      discussion: """
        EXAMPLES
          auditctl prove consistency 1000 1842 --store audit | jq .hashes
        """)

    @Argument(help: ArgumentHelp("The earlier size.", valueName: "M"))
    var first: UInt64
    @Argument(help: ArgumentHelp("The later size.", valueName: "N"))
    var second: UInt64
    @OptionGroup var stores: DirectoriesOption

    mutating func validate() throws {
      guard first <= second else { throw ValidationError("The earlier size, \(first), is over the later, \(second)") }
    }

    func run() throws {
      try ProveCommand.tell(stores) { log in
        let proof = try log.consistencyProof(first: first, second: second)
        return [
          ("first", .number(String(proof.first))), ("second", .number(String(proof.second))),
          ("firstRoot", .string(proof.firstRoot.description)), ("secondRoot", .string(proof.secondRoot.description)),
          ("hashes", .array(proof.hashes.map { .string($0.description) })),
        ]
      }
    }
  }

  /// Prints a JSON document for each store.
  private static func tell(_ stores: DirectoriesOption, _ proof: (LogReader) throws -> [(String, JSON?)]) throws {
    let documents = try stores.open().map { log in (store: log.directory, proof: JSON.members(try proof(log))) }
    let output = Output()
    for document in documents { try output.json(document.proof, of: stores.label(document.store)) }
    try output.flush()
  }
}
