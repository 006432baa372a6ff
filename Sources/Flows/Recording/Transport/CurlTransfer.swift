// One request under way: what has come back so far, and how it is told once it has ended.

internal import CCurl
internal import CCurlShim

/// A request under way on its easy handle. Lives on the transport's thread.
final class CurlTransfer {
  let id: UInt64
  let easy: CurlEasy

  private let completion: CurlMailbox.Completion
  private let limit: Int
  private let isSafeToRepeat: Bool
  private var head = ResponseHead()
  private var headBytes = 0
  private var body: [UInt8] = []
  private var isTooLarge = false
  /// How many bytes had been sent when the request first could be: what opened a tunnel through a proxy.
  private var bytesBefore: Int?
  private var wasRefusedToRepeat = false

  init(_ order: CurlMailbox.Order, on easy: CurlEasy, limit: Int) {
    id = order.id
    self.easy = easy
    completion = order.completion
    self.limit = limit
    isSafeToRepeat = order.request.method == "GET" || order.request.method == "HEAD"
  }

  /// Takes a header line with its line end; `false` stops the transfer.
  func receive(line: [UInt8]) -> Bool {
    headBytes += line.count
    isTooLarge = headBytes > limit
    guard !isTooLarge else { return false }
    head.take(line)
    return !head.isMalformed
  }

  /// Takes a piece of the body; `false` stops the transfer.
  func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = piece.count > limit - body.count
    guard !isTooLarge else { return false }
    unsafe body.append(contentsOf: piece)
    return true
  }

  /// Whether the request may be sent now. libcurl sends again where a reused connection broke before an answer; what is
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

  /// Tells the outcome; called once.
  func end(_ outcome: Result<HTTPResponse, TransportError>) { completion(outcome) }

  /// What libcurl's verdict means; asked before the handle is taken back, which still holds the details.
  func outcome(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
    if isTooLarge { return .failure(TransportError(.responseTooLarge, "The response is larger than \(limit) bytes.")) }
    if head.isMalformed { return .failure(.notHTTP) }
    if wasRefusedToRepeat { return .failure(.lostAfterSending) }
    guard code == CURLE_OK else { return .failure(TransportError(code, of: easy, hasSent: hasSent)) }
    // A connection that ends inside the header lines is a success to libcurl.
    guard head.isComplete else { return .failure(.lostAfterSending) }
    return .success(HTTPResponse(status: head.status, headers: head.fields, body: body))
  }
}
