// Signatures of requests: Signature Version 4 in the form of S3, as Amazon's reference "Authenticating Requests: Using
// the Authorization Header" describes it. libcurl can sign too, but 7.88 of Debian 12 does not sort the query and later
// versions differ in what they encode; these few lines behave the same with every version.
import Crypto
import EventStore
import FlowRecording

/// Signs requests.
struct RequestSigner: Sendable {
  let access: ObjectAccess

  /// The header lines of a request, including those that authenticate it.
  ///
  /// - Parameters:
  ///   - path: encoded, as it stands in the URL.
  ///   - query: names and values, not encoded.
  ///   - headers: further headers of the request; the transport adds `Host`.
  func sign(
    _ method: String, path: String, query: [(name: String, value: String)] = [], headers: [HTTPField] = [],
    body: [UInt8] = [], at time: Timestamp
  ) -> [HTTPField] {
    let moment = Self.basic(time)
    let day = String(moment.prefix(8))
    let payload = Self.hex(SHA256.hash(data: body))
    var sent = headers + [HTTPField("x-amz-content-sha256", payload), HTTPField("x-amz-date", moment)]
    if let token = access.sessionToken { sent.append(HTTPField("x-amz-security-token", token)) }
    let signed = (sent + [HTTPField("host", access.host)]).map { (name: $0.name.lowercased(), value: $0.value) }
      .sorted { $0.name < $1.name }
    let names = signed.map(\.name).joined(separator: ";")
    let lines =
      [method, path, Self.text(of: query)] + signed.map { $0.name + ":" + $0.value } + ["", names, payload]
    let scope = "\(day)/\(access.region)/s3/aws4_request"
    let request = Self.hex(SHA256.hash(data: Array(lines.joined(separator: "\n").utf8)))
    let claim = ["AWS4-HMAC-SHA256", moment, scope, request].joined(separator: "\n")
    var key = SymmetricKey(data: Array(("AWS4" + access.secretKey).utf8))
    for part in [day, access.region, "s3", "aws4_request"] {
      key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
    }
    let signature = Self.hex(HMAC<SHA256>.authenticationCode(for: Array(claim.utf8), using: key))
    sent.append(
      HTTPField(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(access.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"))
    return sent
  }

  /// The query in the form that is signed and sent: encoded, sorted by name.
  static func text(of query: [(name: String, value: String)]) -> String {
    query.map { (encoded($0.name, slash: false), encoded($0.value, slash: false)) }.sorted(by: <)
      .map { $0 + "=" + $1 }.joined(separator: "&")
  }

  /// A text with each byte as `%XX` that is not plain; a slash stays if `slash` says so.
  static func encoded(_ text: String, slash: Bool = true) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) || (slash && byte == 0x2F) {
        bytes.append(byte)
      } else {
        bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True for a byte that a URL accepts unencoded: RFC 3986, unreserved.
  static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
  }

  /// `20261123T140500Z`.
  private static func basic(_ time: Timestamp) -> String {
    time.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
