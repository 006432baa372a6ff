// One request under way: what has come back so far, and how it is reported once it has ended.

internal import CCurl
internal import CCurlShim

/// A request under way on its easy handle. Lives on the transport's thread.
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
  /// How many bytes had been sent when the request first could be: what opened a tunnel through a proxy.
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

  /// Takes a header line with its line end; `false` stops the transfer.
  func receive(line: [UInt8]) -> Bool {
    headBytes += line.count
    headLines += 1
    isHeadTooLarge = headBytes > configuration.maximumHeadBytes || headLines > configuration.maximumHeadLines
    guard !isHeadTooLarge else { return false }
    head.take(line)
    return !head.isMalformed
  }

  /// Takes a piece of the body; `false` stops the transfer.
  func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = piece.count > configuration.maximumResponseBytes - body.count
    guard !isTooLarge else { return false }
    unsafe body.append(contentsOf: piece)
    return true
  }

  /// Whether the request may be sent now. libcurl sends again if a reused connection broke before an answer; what is
  /// not safe to repeat (RFC 9110 §9.2.2) goes out a second time only if nothing of it had gone out before.
  func permitsSending() -> Bool {
    guard bytesBefore != nil else {
      bytesBefore = easy.requestBytesSent
      return true
    }
    wasRefusedToRepeat = !isSafeToRepeat && hasSent
    return !wasRefusedToRepeat
  }

  /// Whether any byte of the request itself has gone out.
  private var hasSent: Bool { bytesBefore.map { easy.requestBytesSent > $0 } ?? false }

  /// Reports the outcome; called once.
  func end(_ outcome: Result<HTTPResponse, TransportError>) { completion(outcome) }

  /// What libcurl's verdict means; asked before the handle is taken back, which still holds the details.
  ///
  /// - Parameter isAlone: whether no other request is under way on this transport.
  func outcome(_ code: CURLcode, isAlone: Bool) -> Result<HTTPResponse, TransportError> {
    if isTooLarge || isHeadTooLarge { return .failure(tooLarge) }
    if head.isMalformed { return .failure(.notHTTP) }
    if wasRefusedToRepeat { return .failure(.lostAfterSending) }
    guard code == CURLE_OK else { return .failure(TransportError(code, of: easy, hasSent: hasSent)) }
    // A connection that ends inside the header lines is a success to libcurl.
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

  /// Whether the server broke the rules of HTTP/2 in the middle of a response. libcurl 7.88 ends the session then, and
  /// calls what it has by that time a success. A missing body is noticed by its length, or by being cut; an empty one
  /// only by the connection, which is closed and not kept. Not asked if other requests may be on that connection, or if
  /// none is kept anyway.
  private func isBrokenOff(isAlone: Bool) -> Bool {
    guard body.isEmpty, isAlone, configuration.maxIdleConnections > 0, easy.spokeHTTP2, method != "HEAD",
      ![204, 205, 304].contains(head.status), !head.fields.contains(where: { $0.name.lowercased() == "content-length" })
    else { return false }
    return !easy.keptConnection
  }
}
