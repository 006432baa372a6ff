// A log asks a witness over HTTP (C2SP tlog-witness).

import AuditReports
import EventStore
import FlowRecording

/// The HTTP side of a witness that cosigns for us.
struct WitnessClient {
  /// Where it answers: what stands before `/add-checkpoint`.
  let url: String
  private let transport: CurlTransport

  init(url: String) {
    var prefix = url
    while prefix.hasSuffix("/") { prefix.removeLast() }
    self.url = prefix
    var configuration = CurlTransport.Configuration()
    configuration.maximumResponseBytes = 1 << 16
    configuration.timeout = .seconds(30)
    transport = CurlTransport(configuration)
  }

  /// Has the newest checkpoint of a store cosigned, and adds the cosignature to it.
  ///
  /// - Throws: `StoreError` as `Cosigning` does; `truncated` also if the witness knows of more than the store has; exit
  ///   74 if it gives no answer or cannot answer now, 1 if it refuses.
  func cosign(_ cosigning: Cosigning, by key: VerifierKey) async throws -> SignedNote {
    let request = try cosigning.request(to: key)
    var answer = try await ask(request)
    // What it has cosigned last we may not know, if its answer was lost on the way.
    if let latest = try size(in: answer), latest != request.oldSize {
      answer = try await ask(try cosigning.request(to: key, from: latest))
    }
    if answer.status >= 500 {
      throw CommandFailure(
        .inputOutput,
        "the witness at \(url.printable) cannot answer now (HTTP \(answer.status)): try again later; whoever runs it finds "
          + "the reason in its messages")
    }
    guard answer.status == 200 else { throw refusal(answer) }
    guard let text = String(validating: answer.body, as: UTF8.self) else {
      throw CommandFailure(.malformed, "\(url) answers what is no text; check the address")
    }
    return try cosigning.add(text, from: key)
  }

  private func ask(_ request: WitnessRequest) async throws -> HTTPResponse {
    let sent = HTTPRequest(
      method: "POST", url: url + "/add-checkpoint", headers: [HTTPField("Content-Type", "text/plain; charset=utf-8")],
      body: Array(request.text.utf8))
    let outcome: Result<HTTPResponse, TransportError> = await withCheckedContinuation { continuation in
      transport.send(sent) { continuation.resume(returning: $0) }
    }
    do {
      return try outcome.get()
    } catch {
      throw CommandFailure(
        .inputOutput,
        "the witness at \(url.printable) does not answer: \(error.detail.unstopped); check --witness and the network, "
          + "and that auditctl witness serve runs there")
    }
  }

  /// The size that an answer says the witness has cosigned last, if it is about that.
  private func size(in answer: HTTPResponse) throws -> UInt64? {
    guard answer.status == 409,
      answer.headers.contains(where: {
        $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("text/x.tlog.size")
      })
    else { return nil }
    guard let text = String(validating: answer.body, as: UTF8.self), text.hasSuffix("\n"),
      let size = UInt64(text.dropLast())
    else { throw CommandFailure(.malformed, "\(url.printable) states no size; check the address") }
    return size
  }

  private func refusal(_ answer: HTTPResponse) -> CommandFailure {
    let meaning: String =
      switch answer.status {
      case 400: "it cannot read the request"
      case 403: "it knows no key that has signed the checkpoint; give it the log's public key"
      case 404: "it does not know the log; give it the log's public key"
      case 409: "it has cosigned another log of that name and size: this one is forked, keep it as evidence"
      case 422: "the log does not go on from what it has cosigned: this one is forked, keep it as evidence"
      default: "check the address"
      }
    return CommandFailure(.finding, "the witness at \(url.printable) refuses (HTTP \(answer.status)): \(meaning)")
  }
}
