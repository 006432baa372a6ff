// One request in progress: what has been received so far, and how its outcome is reported.

internal import CCurl
internal import CCurlShim

/// A request in progress on its easy handle. Used only on the transport's thread.
final class CurlTransfer {
  let id: UInt64
  let easy: CurlEasy

  private let completion: CurlMailbox.Completion
  private let configuration: CurlTransport.Configuration
  private let method: String
  private let isSafeToRepeat: Bool
  private var head = ResponseHead()
  private var headBytes = 0
  private var headLines = 0
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var isHeadTooLarge = false
  /// The number of bytes sent before the request itself could be sent: those that opened a tunnel through a proxy.
  private var bytesBefore: Int?
  private var wasRefusedToRepeat = false

  init(_ order: CurlMailbox.Order, on easy: CurlEasy, _ configuration: CurlTransport.Configuration) {
    id = order.id
    self.easy = easy
    completion = order.completion
    self.configuration = configuration
    method = order.request.method
    isSafeToRepeat = order.request.method == "GET" || order.request.method == "HEAD"
  }

  /// Receives a header line with its line break; returning `false` stops the transfer.
  func receive(line: [UInt8]) -> Bool {
    headBytes += line.count
    headLines += 1
    isHeadTooLarge = headBytes > configuration.maximumHeadBytes || headLines > configuration.maximumHeadLines
    guard !isHeadTooLarge else { return false }
    head.take(line)
    return !head.isMalformed
  }

  /// Receives a piece of the body; returning `false` stops the transfer.
  func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = piece.count > configuration.maximumResponseBytes - body.count
    guard !isTooLarge else { return false }
    unsafe body.append(contentsOf: piece)
    return true
  }

  /// Whether the request may be sent now. libcurl sends again if a reused connection broke before an answer. A request
  /// that is not safe to repeat (RFC 9110 §9.2.2) is sent a second time only if no part of it was sent before.
  func permitsSending() -> Bool {
    guard bytesBefore != nil else {
      bytesBefore = easy.requestBytesSent
      return true
    }
    wasRefusedToRepeat = !isSafeToRepeat && hasSent
    return !wasRefusedToRepeat
  }

  /// Whether any byte of the request itself was sent.
  private var hasSent: Bool { bytesBefore.map { easy.requestBytesSent > $0 } ?? false }

  /// Reports the outcome. Called once.
  func end(_ outcome: Result<HTTPResponse, TransportError>) { completion(outcome) }

  /// Interprets libcurl's result. Call this before taking back the handle, which still has the details.
  ///
  /// - Parameter isAlone: whether no other request is in progress on this transport.
  func outcome(_ code: CURLcode, isAlone: Bool) -> Result<HTTPResponse, TransportError> {
    if isTooLarge || isHeadTooLarge { return .failure(tooLarge) }
    if head.isMalformed { return .failure(.notHTTP) }
    if wasRefusedToRepeat { return .failure(.lostAfterSending) }
    guard code == CURLE_OK else { return .failure(TransportError(code, of: easy, hasSent: hasSent)) }
    // libcurl considers a connection that ends inside the header lines a success.
    guard head.isComplete, !isBrokenOff(isAlone: isAlone) else { return .failure(.lostAfterSending) }
    return .success(HTTPResponse(status: head.status, headers: head.fields, body: body, timing: easy.timing))
  }

  private var tooLarge: TransportError {
    let most =
      isHeadTooLarge
      ? "header lines are more than \(configuration.maximumHeadBytes) bytes or \(configuration.maximumHeadLines) lines"
      : "body is larger than \(configuration.maximumResponseBytes) bytes"
    return TransportError(.responseTooLarge, "The response's \(most).")
  }

  /// Whether the server violated HTTP/2 in the middle of a response. libcurl 7.88 then ends the session and treats what
  /// it has received as a success. A missing body is detected by its length or because it is truncated; for an empty
  /// body, the only sign is that the connection was closed instead of kept. This is not checked if other requests may
  /// use that connection, or if connections are not kept anyway.
  private func isBrokenOff(isAlone: Bool) -> Bool {
    guard body.isEmpty, isAlone, configuration.maxIdleConnections > 0, easy.spokeHTTP2, method != "HEAD",
      ![204, 205, 304].contains(head.status), !head.fields.contains(where: { $0.name.lowercased() == "content-length" })
    else { return false }
    return !easy.keptConnection
  }
}
