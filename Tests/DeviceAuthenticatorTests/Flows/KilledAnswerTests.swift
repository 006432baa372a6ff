// A program that is killed while it answers challenges (spec/device.md §9.6, §11, §17.1).

import DeviceAuthenticator
import FlowRecording
import Foundation
import SimulatedOrg
import Testing

@Suite struct KilledAnswerTests {
  @Test
  func `killed between consent and submission, a device asks once, answers once, and says what the person said`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let seed = UInt64(environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_122
    print("seed \(seed)")
    let entropy = SeededEntropy(seed: seed)
    let folder = try OwnFolder()
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")], clock: .system))
    let enrollment = try enroll(folder.file("device"), at: org)
    let storage = try SQLiteEnrollmentStorage(directory: folder.file("device"))
    let count = environment["FLOWRECORDER_LONG"] == "1" ? 200 : 20
    var ends: [String: Int] = [:]
    for number in 0..<count {
      let isYes = entropy.next() % 2 == 0
      let life = Life(folder.file("device"), try challenge(org, enrollment), isYes ? "approved" : "denied", storage)
      // Killed in the middle, now and then in the middle of sending again too, and then left alone.
      for _ in 0...(entropy.next() % 2) { try life.run(dyingAfter: 1 + Int(entropy.next() % 40_000)) }
      let claimed = try life.claim
      try life.run(dyingAfter: 0)
      let end = try check(org, life, claimed, isYes: isYes)
      ends[end, default: 0] += 1
      #expect(life.findings == [], "seed \(seed), challenge \(number), \(end)")
    }
    print("ends: \(ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
    #expect(ends.values.reduce(0, +) == count)
  }

  /// What became of a challenge at the org, held against what the person said.
  private func check(
    _ org: SimulatedOrg, _ life: Life, _ claimed: StoredTransaction?, isYes: Bool
  ) throws -> String {
    let settled = try #require(org.challenge(id: life.challenge.id))
    let sent = org.requests.filter { $0.method == "POST" && $0.target.contains(life.challenge.id) }
    #expect(Set(sent.map(\.body)).count <= 1, "the org got different answers")
    switch settled.status {
    case .approved: #expect(isYes && settled.answer?.consent == "APPROVED_USER_VERIFICATION")
    case .denied: #expect(!isYes && settled.answer?.consent == "DENIED_CONSENT_PROMPT")
    case .pending:
      // The one way to leave it without an answer: the person has answered, and the process died before it had signed.
      #expect(claimed?.stage == .asked && sent.isEmpty)
    case .rejected, .expired, .superseded: Issue.record("the challenge is \(settled.status)")
    }
    return "\(claimed?.stage.rawValue ?? "not claimed"), then \(settled.status)"
  }

  private func enroll(_ directory: String, at org: SimulatedOrg) throws -> String {
    let token = try #require(org.accessToken(for: Rig.login))
    let process = try StoreProcess(
      "enroll", directory, org.url.absoluteString, OrgClient.sample.id, token, program: "device-crash-subject")
    let end = process.end()
    return try #require(
      end.lines.first?.split(separator: " ").last.map(String.init), "it does not enroll: \(end)")
  }

  private func challenge(_ org: SimulatedOrg, _ enrollment: String) throws -> OrgChallenge {
    try #require(org.challenge(OrgChallengeRequest(.enrollment(enrollment), requirement: .required)).first)
  }
}

/// One challenge and the processes that answer it, one after the other.
private final class Life {
  let challenge: OrgChallenge
  private let directory: String
  private let answer: String
  private let storage: SQLiteEnrollmentStorage
  /// What should not have happened.
  private(set) var findings: [String] = []

  init(_ directory: String, _ challenge: OrgChallenge, _ answer: String, _ storage: SQLiteEnrollmentStorage) {
    (self.directory, self.challenge, self.answer, self.storage) = (directory, challenge, answer, storage)
  }

  /// What is stored of the person's answer, if any of it is.
  var claim: StoredTransaction? { get throws { try storage.transaction(id: challenge.id) } }

  /// Takes the challenge up in a process, which dies so many microseconds after the person has answered unless 0. What a
  /// process before has stored of their answer binds it.
  func run(dyingAfter micros: Int) throws {
    let known = try claim
    let process = try StoreProcess(
      "answer", directory, challenge.token ?? "", answer, "\(micros)", program: "device-crash-subject")
    let end = process.end()
    if known != nil, end.lines.contains("asked") { findings.append("asked again after \(known?.stage.rawValue ?? "")") }
    if let response = known?.response, let now = try claim, now.stage == .signed, now.response != response {
      findings.append("signed again")
    }
    if let error = end.lines.first(where: { $0.hasPrefix("error") }) { findings.append(error) }
    if micros == 0, end.code != 0 { findings.append("ends with \(end.code)") }
  }
}
