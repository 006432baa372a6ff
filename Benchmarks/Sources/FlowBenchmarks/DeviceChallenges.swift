// What a push costs the device: one challenge parsed, verified, answered and recorded, beside the signatures alone; and a
// store of many enrollments, opened.

import Crypto
import CryptoExtras
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

/// An authenticator with keys and enrollments in files, whose challenges are answered over a transport that takes no time.
struct DeviceChallenges {
  private let org: SimulatedOrg
  private let authenticator: any DeviceAuthenticatorProtocol
  private let enrollment: String
  private let cable: Cable
  private let recorder: LogRecorder
  private static let login = "ann@acme.example"

  static func rows(_ folder: String) async throws {
    let challenges = try await DeviceChallenges(folder + "/device")
    try await challenges.cost()
    await challenges.org.stop()
    try openingCost(folder + "/enrollments")
  }

  private init(_ folder: String) async throws {
    org = try await SimulatedOrg.start(OrgConfiguration(users: [OrgUser(login: Self.login, password: "Horse-7-a")]))
    cable = Cable()
    recorder = LogRecorder(directory: folder + "/log")
    // The org's clock stands still, and so does the device's.
    let time = VirtualTime(start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
    authenticator = try DeviceAuthenticatorBuilder(
      applicationConfig: ApplicationConfig(
        applicationName: "bench", applicationVersion: "1", applicationGroupId: "bench")
    )
    .environment(FlowEnvironment(recorder: recorder, transport: cable, clock: time, timers: time, device: nil))
    .directory(folder + "/stores").create()
    guard let token = org.accessToken(for: Self.login) else { throw SignIn.Unexpected() }
    enrollment = try await authenticator.enroll(
      authenticationToken: .bearer(token),
      authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
      enrollmentParameters: EnrollmentParameters(deviceToken: .empty)
    ).enrollmentId
  }

  /// Challenges, made before anything is measured.
  private func tokens(_ count: Int) throws -> [String] {
    try (0..<count).map { _ in
      guard let token = org.challenge(OrgChallengeRequest(.enrollment(enrollment), requirement: nil)).first?.token
      else {
        throw SignIn.Unexpected()
      }
      return token
    }
  }

  private func answer(_ token: String) async throws {
    let push = try authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": token])
    try await push.resolve { ($0 as? RemediationStepUserConsent)?.provide(.approved) }
  }

  private func cost() async throws {
    // The org's keys are fetched once.
    let first = try tokens(1)[0]
    try await answer(first)
    let key = try cable.signingKey(of: first)
    let device = P256.Signing.PrivateKey()
    cable.isUnplugged.withLock { $0 = true }
    var whole: [Double] = []
    var bare: [Double] = []
    for _ in 0..<8 {
      let tokens = try tokens(100)
      var start = Measure.cpu()
      for token in tokens { try await answer(token) }
      whole.append((Measure.cpu() - start) * 1_000 / Double(tokens.count))
      start = Measure.cpu()
      for token in tokens { try Self.signatures(token, key, device) }
      bare.append((Measure.cpu() - start) * 1_000 / Double(tokens.count))
    }
    try recorder.close()
    (whole, bare) = (Array(whole.dropFirst()), Array(bare.dropFirst()))
    row("push challenge, answered and recorded", Spread(whole), "ms CPU (to aim at: 2)")
    row("RS256 verified, ES256 signed, nothing else", Spread(bare), "ms CPU")
    row("  the challenge beside it, pair by pair", Spread(zip(whole, bare).map(/)), "x")
  }

  /// The two signatures of a challenge and its answer, by swift-crypto alone.
  private static func signatures(
    _ token: String, _ key: _RSA.Signing.PublicKey, _ device: P256.Signing.PrivateKey
  ) throws {
    let parts = token.split(separator: ".")
    let signed = Data(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    let signature = _RSA.Signing.RSASignature(rawRepresentation: Cable.decoded(String(parts[2])))
    guard key.isValidSignature(signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5) else {
      throw SignIn.Unexpected()
    }
    _ = try device.signature(for: signed)
  }

  private static func openingCost(_ folder: String) throws {
    let storage = try SQLiteEnrollmentStorage(directory: folder)
    for number in 0..<1_000 {
      try storage.save(
        StoredEnrollment(
          id: "pfd\(number)", orgID: "00o\(number % 10)", orgURL: "https://org\(number % 10).example",
          userID: "00u\(number)", userName: "user\(number)@acme.example", deviceID: "guo\(number % 10)",
          methodID: "opf\(number)", proofOfPossessionTag: UUID().uuidString, clientID: "client"))
    }
    var times: [Double] = []
    for _ in 0..<8 {
      let start = ContinuousClock.now
      guard try SQLiteEnrollmentStorage(directory: folder).enrollments().count == 1_000 else {
        throw SignIn.Unexpected()
      }
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      times.append(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
    }
    row("1,000 enrollments, opened and listed", Spread(Array(times.dropFirst())), "ms (to aim at: 20)")
  }
}

/// A transport over curl until it is unplugged; from then on it answers by itself that the org took the answer.
private final class Cable: Transport {
  let isUnplugged = Locked(false)
  private let keys = Locked<[UInt8]>([])

  private struct NothingToCancel: TransportTask {
    func cancel() {}
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    guard isUnplugged.withLock({ $0 }) else {
      return CurlTransport.standard.send(request) { [keys] result in
        if request.url.hasSuffix("/keys"), case .success(let response) = result { keys.withLock { $0 = response.body } }
        completion(result)
      }
    }
    DispatchQueue.global().async { completion(.success(HTTPResponse(status: 200))) }
    return NothingToCancel()
  }

  /// The key that the org signed a challenge with, among those that it publishes.
  func signingKey(of token: String) throws -> _RSA.Signing.PublicKey {
    let header = try JSON(parsing: Array(Self.decoded(String(token.prefix { $0 != "." }))))
    let jwk = try JSON(parsing: keys.withLock { $0 })["keys"]?.array?.first { $0["kid"] == header["kid"] }
    guard let modulus = jwk?["n"]?.string, let exponent = jwk?["e"]?.string else { throw SignIn.Unexpected() }
    return try _RSA.Signing.PublicKey(n: Self.decoded(modulus), e: Self.decoded(exponent))
  }

  static func decoded(_ text: String) -> Data {
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)) ?? Data()
  }
}
