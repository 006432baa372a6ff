import ArgumentParser

/// `auditctl search`
struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find flows by words: a request id, an error, a login, a note.",
    discussion: """
      A flow is found if each word begins a word of its events, whatever the case. An address, a device's name or \
      another run of words without spaces is found as it stands, from one of its words to the end of another; with an \
      asterisk after it, what begins with it is found too. It searches what is public or personal: logins, statuses, \
      factors, error codes and texts, request ids, messages, notes, the context that the application gave. Secrets are \
      not in the log; forms and labels of the org are left out. Exits 1 if nothing is found.

      EXAMPLES
        auditctl search reqxsccVmC8y4mE8SA3A76XMxZf --store audit
        auditctl search ann E0000004 --store audit --json
        auditctl search 198.51.100.21 --store audit
        auditctl search '198.51.100.*' --store audit
        auditctl search 'push rejected' --store audit --last 5
      """)

  @OptionGroup var search: WordSearch
  @OptionGroup var stores: StoresOption

  func run() throws { try search.print(stores.once()) }
}
