// What needs no process: how errors end, what files and lines mean.

import Authn
import EventStore
import FlowRecording
import Replay
import SimulatedOrg
import Testing

@testable import auditctl

@Suite struct PartsTests {
  @Test("every code of the store has its exit code", arguments: StoreError.Code.allCases)
  func storeCodes(code: StoreError.Code) {
    let report = ErrorReport(StoreError(code, "it went wrong", file: "f"), of: Auditctl.self)
    #expect([65, 66, 73, 74, 75, 77].contains(report.exitCode))
    #expect(report.message == "it went wrong (f).")
    #expect(report.help == nil)
    let unreadable = ErrorReport(ReplayError.unreadable(StoreError(code, "x")), of: Auditctl.self)
    #expect(unreadable.exitCode == report.exitCode)
  }

  @Test("a message is one printable line with a full stop")
  func sentence() {
    let report = ErrorReport(CommandFailure(.usage, "two\nlines \u{1B}[2J"), of: Auditctl.self)
    #expect(report.exitCode == 64 && report.message == "two lines \\u001b[2J.")
    #expect(ErrorReport(OutputClosed(), of: Auditctl.self).message == nil)
    #expect(ErrorReport(AuditError("the log is full"), of: Auditctl.self).exitCode == 74)
  }

  @Test("orders at the desk of the simulated org")
  func orders() {
    #expect(PhoneDesk.order("approve ann") == .answer(.approve, login: "ann"))
    #expect(PhoneDesk.order(" reject  ann ") == .answer(.reject, login: "ann"))
    #expect(PhoneDesk.order("timeout ann") == .answer(.timeOut, login: "ann"))
    #expect(PhoneDesk.order("pick 42 ann") == .pick(42, login: "ann"))
    #expect(PhoneDesk.order("open ann") == .openLink(login: "ann"))
    #expect(PhoneDesk.order("pick ann") == .unknown && PhoneDesk.order("pick x ann") == .unknown)
    #expect(PhoneDesk.order("approve") == .unknown && PhoneDesk.order("call ann") == .unknown)
  }

  @Test("a file of users")
  func users() throws {
    let text = """
      [{"login":"a","password":"b","firstName":"A","lockedOut":true,
        "factors":[{"type":"push","device":"P"},{"type":"sms","phone":"+1"},{"type":"question","question":"q","answer":"x"}]}]
      """
    let user = try #require(try UserFile.users(Array(text.utf8), path: "u.json").first)
    #expect(user.login == "a" && user.lockedOut && user.mfaRequired)
    #expect(user.factors == [.push(device: "P"), .sms(phone: "+1"), .question(key: "q", answer: "x")])
  }

  @Test(
    "the error for a malformed file of users says where",
    arguments: [
      "{}", "nonsense", "[{}]", #"[{"login":"a"}]"#, #"[{"login":"a","password":"b","factors":[{"type":"x"}]}]"#,
    ])
  func badUsers(text: String) {
    #expect { try UserFile.users(Array(text.utf8), path: "u.json") } throws: { error in
      (error as? CommandFailure)?.status == .malformed && (error as? CommandFailure)?.message.contains("u.json") == true
    }
  }

  @Test(
    "a file of users with a member that is not known, a wrong one, or one login twice says where and what to do",
    arguments: [
      (#"[{"login":"a","password":"b","lockedout":true}]"#, "user 1 in u.json has the member 'lockedout'", "lockedOut"),
      (
        #"[{"login":"a","password":"b","factors":[{"type":"sms","phone":"1","zzzzzzzz":1}]}]"#,
        "the member 'zzzzzzzz', which no factor has", "the members are type"
      ),
      (
        #"[{"login":"a@x","password":"b"},{"login":"A@x","password":"c"}]"#,
        "user 2 in u.json has the login A@x of user 1", "give each user"
      ),
      (#"[{"login":"a","password":"b","factors":"push"}]"#, "factors that are no array", "auditctl help simulate"),
      (#"[1]"#, "user 1 in u.json is no JSON object", "auditctl help simulate"),
      ("nonsense", "u.json is no JSON", "auditctl help simulate"),
    ])
  func refusedUsers(text: String, says: String, next: String) throws {
    let failure = #expect(throws: CommandFailure.self) { try UserFile.users(Array(text.utf8), path: "u.json") }
    let message = try #require(failure).message
    #expect(failure?.status == .malformed && message.contains(says) && message.contains(next), "\(message)")
  }

  @Test("paths are quoted where a shell would take them apart")
  func quoting() {
    #expect(Invocation.quoted("/tmp/a-b_c.d") == "/tmp/a-b_c.d")
    #expect(Invocation.quoted("/tmp/a b") == "'/tmp/a b'")
    #expect(Invocation.quoted("it's") == "'it'\\''s'")
    #expect(Invocation.quoted("") == "''")
  }

  @Test("modes of durability")
  func durability() {
    #expect(DurabilityOption(argument: "each")?.value == .each)
    #expect(DurabilityOption(argument: "group:20")?.value == .group(milliseconds: 20))
    #expect(DurabilityOption(argument: "os")?.value == .os)
    for text in ["", "group", "group:", "group:0", "group:x", "all"] {
      #expect(DurabilityOption(argument: text) == nil)
    }
  }
}
