import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Glibc
import Testing

/// A PIN at a terminal. Without a limit of time: what is waited for comes when the machine has time for it.
@Suite struct TerminalPINVerifierTests {
  let folder: OwnFolder
  let terminal: PseudoTerminal
  let pin: PINFile
  let time = VirtualTime(start: Timestamp(microseconds: 1_700_000_000_000_000))

  init() throws {
    folder = try OwnFolder()
    terminal = try PseudoTerminal()
    pin = try PINFile(directory: folder.file("pin"), cost: .weakForTests, clock: time)
    try pin.setPIN("2468")
  }

  private var verifier: TerminalPINVerifier { TerminalPINVerifier(pin, terminal: terminal.path, timers: time) }

  private func ask(_ request: VerificationRequest = VerificationRequest(reason: "Vector App")) -> Task<
    VerificationOutcome, Never
  > {
    let verifier = verifier
    return Task { await verifier.verify(request) }
  }

  @Test func `the right PIN verifies, is not shown, and leaves the terminal as it was`() async throws {
    #expect(terminal.isNormal && verifier.capability == .pin && verifier.enrolmentEpoch == pin.epoch)
    let question = ask()
    let prompt = await terminal.shown(until: "PIN (Ctrl-C: cancel): ")
    #expect(prompt.contains("Vector App\r\n") && !terminal.isNormal)
    terminal.type("2468\r")
    let receipt = try #require(await question.value.receipt)
    #expect(receipt.method == .pin && receipt.epoch == pin.epoch && terminal.isNormal)
    terminal.type("\u{4}")
    #expect(await !terminal.shown(until: "\r\n").contains("2468"))
  }

  @Test func `a wrong PIN may be tried again, twice; the count goes on in the next question`() async throws {
    let question = ask()
    for text in ["1", "2", "3"] {
      await terminal.shown(until: "PIN (")
      terminal.type(text + "\r")
    }
    #expect(ScriptedVerifier.Answer(await question.value) == .failed)
    let next = ask()
    #expect(await terminal.shown(until: "PIN (").contains("Wrong PIN. 2 more before a pause."))
    terminal.type("4\r")
    await terminal.shown(until: "Wrong PIN. 1 more")
    terminal.type("5\r")
    #expect(ScriptedVerifier.Answer(await next.value) == .lockedOut)
    #expect(await terminal.shown(until: "30 s.").contains("Too many wrong PINs"))
    #expect(terminal.isNormal)
  }

  @Test(arguments: [
    ("2469\u{7F}8\r", ScriptedVerifier.Answer.verified), ("xyz\u{15}2468\n", .verified), ("24\u{1}68\r", .verified),
    ("24€\u{8}68\r", .verified), ("24\u{3}", .cancelled), ("\u{4}", .cancelled), ("\u{1C}", .cancelled),
  ])
  func `keys edit the line, and Ctrl-C ends the question`(typed: String, answer: ScriptedVerifier.Answer) async {
    let question = ask()
    await terminal.shown(until: "PIN (")
    terminal.type(typed)
    #expect(ScriptedVerifier.Answer(await question.value) == answer)
    #expect(terminal.isNormal)
  }

  @Test func `a question ends as cancelled with its task, and the terminal is as it was`() async {
    let question = ask()
    await terminal.shown(until: "PIN (")
    question.cancel()
    #expect(ScriptedVerifier.Answer(await question.value) == .cancelled)
    #expect(terminal.isNormal)
  }

  @Test func `a question ends when its time is over, and not before`() async {
    let question = ask(VerificationRequest(reason: "r", timeLimit: 30))
    await terminal.shown(until: "PIN (")
    time.advance(milliseconds: 29_999)
    #expect(!terminal.isNormal && time.pending == 1)
    time.advance(milliseconds: 1)
    #expect(ScriptedVerifier.Answer(await question.value) == .timedOut)
    #expect(terminal.isNormal)
  }

  @Test func `an answered question leaves no timer behind`() async {
    let question = ask(VerificationRequest(reason: "r", timeLimit: 30))
    await terminal.shown(until: "PIN (")
    terminal.type("2468\r")
    #expect(ScriptedVerifier.Answer(await question.value) == .verified)
    #expect(time.pending == 0)
  }

  @Test func `two questions wait for each other`() async {
    let questions = [ask(), ask()]
    for _ in questions {
      await terminal.shown(until: "PIN (")
      terminal.type("2468\r")
    }
    for question in questions { #expect(ScriptedVerifier.Answer(await question.value) == .verified) }
  }

  @Test func `what a challenge says cannot move the cursor or hide a line`() async {
    let question = ask(VerificationRequest(reason: "a\u{1B}[2Jb\u{9B}c\r\nd\u{202E}e", cancelTitle: "x\u{7}"))
    #expect(await terminal.shown(until: "): ").hasPrefix("a?[2Jb?c??d?e\r\nPIN (Ctrl-C: x?): "))
    terminal.type("\u{3}")
    #expect(ScriptedVerifier.Answer(await question.value) == .cancelled)
  }

  @Test(arguments: ["/dev/null", "/dev/pts/none", "relative", ""])
  func `without a terminal the user cannot be asked, and no question waits`(path: String) async {
    let verifier = TerminalPINVerifier(pin, terminal: path)
    #expect(verifier.capability == .none)
    #expect(ScriptedVerifier.Answer(await verifier.verify(VerificationRequest(reason: "r"))) == .notSetUp)
  }

  @Test func `without a PIN nothing is asked`() async throws {
    try pin.remove()
    #expect(ScriptedVerifier.Answer(await ask().value) == .notSetUp)
    #expect(verifier.enrolmentEpoch.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func `a signal that ends the process restores the terminal first`(signal: Int32) async throws {
    let process = try StoreProcess("pin", folder.file("pin"), terminal.path)
    await terminal.shown(until: "PIN (")
    #expect(!terminal.isNormal)
    process.send(signal)
    #expect(process.end().code == -signal)
    #expect(terminal.isNormal)
  }

  @Test func `a program that handles the signal itself goes on, and the question is cancelled`() async throws {
    let process = try StoreProcess("pin-handled", folder.file("pin"), terminal.path)
    await terminal.shown(until: "PIN (")
    process.send(SIGUSR1)
    let end = process.end()
    #expect(end.lines == ["handled 1", "cancelled"] && end.code == 0)
    #expect(terminal.isNormal)
  }
}
