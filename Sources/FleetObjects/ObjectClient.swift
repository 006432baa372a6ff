// The four requests that an archive needs: read a part of an object, put one, remove one, list some. Buckets are in the
// path, which storages of all vendors support.
import Dispatch
import EventStore
import FlowRecording
import Synchronization

/// Asks a storage for objects of one bucket. May be used by several threads.
struct ObjectClient: Sendable {
  let access: ObjectAccess
  let bucket: String
  let transport: any Transport
  /// The clock for signing requests.
  let clock: @Sendable () -> Timestamp
  /// Waits that many seconds.
  let pause: @Sendable (Double) -> Void

  /// The pauses before a request is sent again, in seconds.
  static let pauses = [0.2, 0.5, 1, 2]

  /// A part of an object.
  struct Part: Sendable, Hashable {
    var bytes: [UInt8]
    /// The length of the object.
    var size: UInt64
    /// The version tag of the object.
    var tag: String
  }

  // MARK: Requests

  /// Up to `count` bytes from `offset`; nil if the object is still the one of `known`.
  ///
  /// - Parameter only: fails with `changed` if it is not this one.
  func read(
    _ key: String, from offset: UInt64, count: Int, unless known: String? = nil, only: String? = nil
  ) throws(ObjectError) -> Part? {
    var headers = [HTTPField("Range", "bytes=\(offset)-\(offset + UInt64(count) - 1)")]
    if let known { headers.append(HTTPField("If-None-Match", known)) }
    if let only { headers.append(HTTPField("If-Match", only)) }
    let response = try answer("GET", key, headers: headers)
    func field(_ name: String) -> String? { response.headers.first { $0.name.lowercased() == name }?.value }
    switch response.status {
    case 304 where known != nil: return nil
    case 416 where offset == 0: return Part(bytes: [], size: 0, tag: field("etag") ?? "")
    case 200 where offset == 0, 206:
      guard let tag = field("etag"), !tag.isEmpty else { throw .malformed("it does not say which object it is of") }
      if response.status == 200 {
        return Part(bytes: Array(response.body.prefix(count)), size: UInt64(response.body.count), tag: tag)
      }
      guard let size = Self.size(in: field("content-range") ?? "", from: offset, count: response.body.count),
        response.body.count == Int(min(UInt64(count), size - offset))
      else { throw .malformed("it is another part of the object than was asked for") }
      return Part(bytes: response.body, size: size, tag: tag)
    default: throw ObjectError(response, isKeyed: true)
    }
  }

  /// The size in `bytes 0-99/1234`; nil if the range is not that one.
  private static func size(in text: String, from offset: UInt64, count: Int) -> UInt64? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard count > 0, parts.count == 2, parts[0] == "bytes \(offset)-\(offset + UInt64(count) - 1)",
      let size = UInt64(parts[1]), size >= offset + UInt64(count), size <= 1 << 62
    else { return nil }
    return size
  }

  /// Puts an object, replacing any object with its key. It is durable when this returns.
  func put(_ bytes: [UInt8], as key: String) throws(ObjectError) {
    let response = try answer("PUT", key, body: bytes)
    guard (200...204).contains(response.status) else { throw ObjectError(response, isKeyed: true) }
  }

  /// Removes an object if it exists.
  func remove(_ key: String) throws(ObjectError) {
    let response = try answer("DELETE", key)
    guard (200...204).contains(response.status) || response.status == 404 else {
      throw ObjectError(response, isKeyed: true)
    }
  }

  /// The names right under a prefix, which ends with a slash or is empty: of objects, and of the next level of
  /// prefixes. Throws `noBucket`.
  func names(under prefix: String) throws(ObjectError) -> [String] {
    var names: [String] = []
    var next: String?
    repeat {
      var query = [("delimiter", "/"), ("list-type", "2"), ("prefix", prefix)].map { (name: $0, value: $1) }
      if let next { query.append((name: "continuation-token", value: next)) }
      let response = try answer("GET", nil, query: query)
      guard response.status == 200 else { throw ObjectError(response, isKeyed: false) }
      guard let page = ObjectXML(parsing: response.body), page.name == "ListBucketResult" else {
        throw .malformed("it is no list of objects")
      }
      for child in page.children {
        let key: String?
        switch child.name {
        case "Contents": key = child["Key"]?.text
        case "CommonPrefixes": key = child["Prefix"]?.text
        default: continue
        }
        guard let key, key.hasPrefix(prefix) else { throw .malformed("it lists what was not asked for") }
        let name = key.dropFirst(prefix.count)
        // The prefix itself may be an object, which some programs make as a folder.
        if !name.isEmpty { names.append(String(name.hasSuffix("/") ? name.dropLast() : name)) }
      }
      let before = next
      next = page["IsTruncated"]?.text == "true" ? page["NextContinuationToken"]?.text : nil
      guard next == nil || next != before else { throw .malformed("its pages do not end") }
    } while next != nil
    return names
  }

  // MARK: Sending

  /// The answer to a request, which is sent again after a temporary failure.
  private func answer(
    _ method: String, _ key: String?, query: [(name: String, value: String)] = [], headers: [HTTPField] = [],
    body: [UInt8]? = nil
  ) throws(ObjectError) -> HTTPResponse {
    let path = "/" + RequestSigner.encoded(bucket) + (key.map { "/" + RequestSigner.encoded($0) } ?? "")
    let text = RequestSigner.text(of: query)
    var pauses = Self.pauses[...]
    while true {
      let lines = RequestSigner(access: access).sign(
        method, path: path, query: query, headers: headers, body: body ?? [], at: clock())
      let problem: ObjectError
      switch exchange(
        HTTPRequest(
          method: method, url: access.endpoint + path + (text.isEmpty ? "" : "?" + text), headers: lines, body: body))
      {
      case .failure(let error): problem = .unreachable(error)
      case .success(let response):
        guard response.status >= 400 else { return response }
        problem = ObjectError(response, isKeyed: key != nil)
        guard problem.isPassing else { return response }
      }
      guard problem.isPassing, let next = pauses.popFirst() else { throw problem }
      pause(next)
    }
  }

  /// Sends a request, and waits for its end: the transport has its own thread.
  private func exchange(_ request: HTTPRequest) -> Result<HTTPResponse, TransportError> {
    let outcome = Outcome()
    transport.send(request) { outcome.end($0) }
    return outcome.wait()
  }

  private final class Outcome: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<HTTPResponse, TransportError>?>(nil)

    func end(_ outcome: Result<HTTPResponse, TransportError>) {
      result.withLock { $0 = outcome }
      ended.signal()
    }

    func wait() -> Result<HTTPResponse, TransportError> {
      ended.wait()
      return result.withLock { $0 } ?? .failure(TransportError(.other, "The request has no outcome."))
    }
  }
}
