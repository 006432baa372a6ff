// A storage in memory that answers as S3 does, with pages of three names, and fails on demand.
import Dispatch
import EventStore
import FlowRecording
import Foundation
import Synchronization

@testable import FleetObjects

final class MemoryBucket: Transport {
  /// What happens to a request instead of an answer.
  enum Fault: Sendable {
    /// An answer of that status and code.
    case status(Int, String)
    /// The connection breaks before the request has come, or after it was carried out.
    case lost(isDone: Bool)
    /// An answer that the test makes of the right one.
    case changed(@Sendable (HTTPResponse) -> HTTPResponse)
  }

  struct State: Sendable {
    var objects: [String: [UInt8]] = [:]
    var versions: [String: Int] = [:]
    var requests: [HTTPRequest] = []
    /// Asked for each request with its number.
    var fault: @Sendable (Int, HTTPRequest) -> Fault? = { _, _ in nil }
  }

  let name = "audit-archive"
  let state = Mutex(State())
  private let queue = DispatchQueue(label: "MemoryBucket")

  private struct Task: TransportTask {
    func cancel() {}
  }

  var objects: [String: [UInt8]] { state.withLock { $0.objects } }
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  func count(_ method: String) -> Int { requests.count { $0.method == method } }

  /// Puts an object behind the back of all who read.
  func put(_ bytes: [UInt8], as key: String) {
    state.withLock { state in
      state.objects[key] = bytes
      state.versions[key, default: 0] += 1
    }
  }

  func fail(_ fault: @escaping @Sendable (Int, HTTPRequest) -> Fault?) {
    state.withLock { state in
      state.fault = fault
      state.requests = []
    }
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    let outcome = state.withLock { state -> Result<HTTPResponse, TransportError> in
      state.requests.append(request)
      let fault = state.fault(state.requests.count - 1, request)
      switch fault {
      case .status(let status, let code): return .success(Self.error(status, code))
      case .lost(isDone: false): return .failure(TransportError(.cannotConnect, "No connection."))
      case nil, .lost(isDone: true), .changed: break
      }
      let response = Self.answer(request, bucket: name, &state)
      switch fault {
      case .lost: return .failure(TransportError(.connectionLost, "The connection broke."))
      case .changed(let change): return .success(change(response))
      case nil, .status: return .success(response)
      }
    }
    queue.async { completion(outcome) }
    return Task()
  }

  static func error(_ status: Int, _ code: String) -> HTTPResponse {
    let text =
      "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>Key AKIDSAID, secret said</Message></Error>"
    return HTTPResponse(status: status, body: Array(text.utf8))
  }

  private static func answer(_ request: HTTPRequest, bucket: String, _ state: inout State) -> HTTPResponse {
    guard let url = URLComponents(string: request.url), url.path.hasPrefix("/" + bucket) else {
      return error(404, "NoSuchBucket")
    }
    let key = String(url.path.dropFirst(bucket.count + 2))
    func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
    switch request.method {
    case "PUT":
      state.objects[key] = request.body ?? []
      state.versions[key, default: 0] += 1
      return HTTPResponse(status: 200)
    case "DELETE":
      state.objects[key] = nil
      return HTTPResponse(status: 204)
    case "GET" where key.isEmpty: return list(url.queryItems ?? [], state.objects.keys.sorted())
    default: break
    }
    guard let bytes = state.objects[key] else { return error(404, "NoSuchKey") }
    let tag = "\"\(key.utf8.count)-\(state.versions[key] ?? 0)\""
    if let match = header("If-Match"), match != tag { return error(412, "PreconditionFailed") }
    if header("If-None-Match") == tag { return HTTPResponse(status: 304) }
    let range = (header("Range") ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard range.count == 2, range[0] < bytes.count else { return error(416, "InvalidRange") }
    let end = min(range[1] + 1, bytes.count)
    return HTTPResponse(
      status: 206,
      headers: [HTTPField("ETag", tag), HTTPField("Content-Range", "bytes \(range[0])-\(end - 1)/\(bytes.count)")],
      body: Array(bytes[range[0]..<end]))
  }

  private static func list(_ query: [URLQueryItem], _ keys: [String]) -> HTTPResponse {
    func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
    let prefix = value("prefix")
    var names: [String] = []
    for key in keys where key.hasPrefix(prefix) {
      let rest = key.dropFirst(prefix.count)
      let name = rest.firstIndex(of: "/").map { prefix + rest[...$0] } ?? key
      if names.last != name { names.append(name) }
    }
    let page = names.filter { $0 > value("continuation-token") }.prefix(3)
    var text = "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
    for name in page {
      text +=
        name.hasSuffix("/")
        ? "<CommonPrefixes><Prefix>\(name)</Prefix></CommonPrefixes>"
        : "<Contents><Key>\(name)</Key><Size>1</Size></Contents>"
    }
    let isLast = page.last == names.last
    text += "<IsTruncated>\(!isLast)</IsTruncated>"
    if !isLast, let last = page.last { text += "<NextContinuationToken>\(last)</NextContinuationToken>" }
    return HTTPResponse(status: 200, body: Array((text + "</ListBucketResult>").utf8))
  }
}

/// The environment of a program that archives.
let storageEnvironment = [
  "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "AWS_ENDPOINT_URL": "http://127.0.0.1:9000",
]

/// A disk of a bucket, whose pauses are counted and not made.
func objectDisk(
  _ path: String = "s3://audit-archive/eu", in bucket: MemoryBucket, local: any Disk = MemoryDisk(seed: 1),
  pauses: Pauses = Pauses()
) throws -> ObjectDisk {
  try ObjectDisk(
    ObjectPlace(path), access: ObjectAccess(environment: storageEnvironment), local: local, locks: "/state/locks",
    transport: bucket, clock: { Timestamp(microseconds: 1_369_353_600_000_000) }, pause: { pauses.add($0) })
}

/// What was waited for.
final class Pauses: Sendable {
  private let seconds = Mutex<[Double]>([])
  var all: [Double] { seconds.withLock { $0 } }
  func add(_ pause: Double) { seconds.withLock { $0.append(pause) } }
}
