// Errors of a storage, and the error that the archive receives. No message repeats anything that a server wrote except
// a code: it may contain credentials.
import EventStore
import FlowRecording

/// Why a request to a storage failed.
enum ObjectError: Error, Sendable, Hashable {
  /// There is no object of that key.
  case noObject
  /// There is no bucket of that name.
  case noBucket
  /// 401 or 403, with the server's code.
  case denied(String)
  /// The bucket is in another region, which the server may name.
  case otherRegion(String?)
  /// The clocks of this machine and of the server differ too much.
  case clock
  /// The object has been replaced.
  case changed
  /// 5xx or 429 at each attempt; this is the last one.
  case failing(Int, String)
  /// No answer at any attempt; this is the last reason.
  case unreachable(TransportError)
  /// Any other unsuccessful answer.
  case refused(Int, String)
  /// An answer that is not valid for S3.
  case malformed(String)

  /// The error in an unsuccessful response.
  ///
  /// - Parameter isKeyed: whether the request was about an object.
  init(_ response: HTTPResponse, isKeyed: Bool) {
    let code = Self.code(of: response)
    switch (response.status, code) {
    case (404, "NoSuchBucket"): self = .noBucket
    case (404, _): self = isKeyed ? .noObject : .noBucket
    case (_, "RequestTimeTooSkewed"): self = .clock
    case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"), (400, "IllegalLocationConstraintException"):
      let region = response.headers.first { $0.name.lowercased() == "x-amz-bucket-region" }?.value
      self = .otherRegion(region.flatMap { $0.utf8.allSatisfy(RequestSigner.isPlain) ? $0 : nil })
    case (401, _), (403, _): self = .denied(code)
    case (412, _): self = .changed
    case (429, _), (500..., _), (400, "RequestTimeout"): self = .failing(response.status, code)
    default: self = .refused(response.status, code)
    }
  }

  /// The code in the body of an answer: a word of letters, or nothing.
  private static func code(of response: HTTPResponse) -> String {
    let code = ObjectXML(parsing: response.body)?["Code"]?.text ?? ""
    return code.utf8.count <= 64 && code.utf8.allSatisfy(RequestSigner.isPlain) ? code : ""
  }

  /// True if the same request may succeed a moment later. All requests of an archive may be sent twice.
  var isPassing: Bool {
    switch self {
    case .failing: true
    case .unreachable(let error):
      [.cannotResolveHost, .cannotConnect, .timedOut, .connectionLost, .malformedResponse].contains(error.code)
    default: false
    }
  }

  /// The same as an error of the store.
  func problem(with path: String, at access: ObjectAccess) -> StoreError {
    func error(_ code: StoreError.Code, _ what: String, _ advice: String) -> StoreError {
      StoreError(code, what, file: path, advice: advice)
    }
    func named(_ code: String) -> String { code.isEmpty ? "" : ", \(code)" }
    switch self {
    case .noObject: return error(.notFound, "there is no such object", "check the path")
    case .noBucket:
      return error(.io, "there is no such bucket at \(access.endpoint)", "check its name and the endpoint, or make it")
    case .denied(let code):
      return error(
        .permission, "the storage refuses it (403\(named(code)))", "check the credentials and what their owner may do")
    case .otherRegion(let region):
      return error(
        .io, "the bucket is in another region than \(access.region)",
        region.map { "set AWS_REGION to \($0)" } ?? "set AWS_REGION to its region")
    case .clock:
      return error(.permission, "the clocks of this machine and of the storage do not agree", "set this one's right")
    case .changed: return error(.io, "the object was replaced while it was read", "let one program archive at a time")
    case .failing(let status, let code):
      return error(.io, "the storage fails (\(status)\(named(code)))", "try again later; what is there stays")
    case .unreachable(let reason):
      return error(
        .io, "the storage at \(access.endpoint) gives no answer: \(reason.detail.dropLast())",
        reason.code == .tlsFailed ? "AWS_CA_BUNDLE names a file of authorities" : "try again; what is there stays")
    case .refused(let status, let code):
      return error(.io, "the storage does not do it (\(status)\(named(code)))", "see its documentation for the code")
    case .malformed(let what):
      return error(.io, "the storage's answer cannot be used: \(what)", "check that the endpoint speaks S3")
    }
  }
}
