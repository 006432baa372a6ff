import ArgumentParser

/// `auditctl token`
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Show the history of tokens, and revoke one.",
    discussion: """
      A log names tokens by an id that is not part of them: it links the sign-in that brought them with the flows that \
      renewed, introspected and revoked them. The tokens themselves are in no log.

      EXAMPLES
        auditctl token list --store audit
        auditctl token show 7f3a --store audit
        auditctl token revoke --org https://acme.example/oauth2/default \\
          --client-id 0oa1client --store audit < token.txt
      """,
    subcommands: [TokenListCommand.self, TokenShowCommand.self, TokenRevokeCommand.self])
}
