// Commands that are begun without standard input, output or error: the numbers of those go to the next files opened.

import Foundation
import Testing

@Suite struct ClosedDescriptorTests {
  private let signed: SignedStore
  private var store: String { signed.path }

  init() throws { signed = try SignedStore() }

  @Test(
    "closed standard input, output or error never lead into a file of the store",
    arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func closedDescriptors(_ closed: String) throws {
    for command in [
      "checkpoint --signing-key the.key", "seal", "prune --before 5 --signing-key the.key", "append", "info", "cat",
      "keys rotate --signing-key the.key --new-key new.key", "verify",
    ] {
      // libfaketime opens a file of its own first of all, which would be the closed descriptor: it is left out.
      let code = try signed.shell("unset LD_PRELOAD; auditctl \(command) --store audit \(closed)").code
      #expect(code != 132 && code != 133 && code != 139, "\(command) \(closed) ended with \(code)")
      let report = try signed.run("verify", "--store", store, "--json")
      #expect(report.code == 10, "\(command) \(closed): \(report.output)")
      let lock = try String(contentsOfFile: store + "/LOCK", encoding: .utf8)
      #expect(lock.allSatisfy { $0.isNumber || $0.isWhitespace }, "\(command) \(closed): \(lock)")
    }
    #expect(try signed.shell("unset LD_PRELOAD; auditctl explain - \(closed)").code < 100)
  }
}
