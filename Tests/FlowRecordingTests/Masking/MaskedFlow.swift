import EventStore
import Foundation

@testable import FlowRecording

/// A flow's masking alone: one vault, messages one after the other.
struct MaskedFlow {
  var vault = Vault()
  var policy = MaskingPolicy(
    response: .object([:]), arguments: .object([:]), settings: .object([:]),
    headers: [
      "set-cookie": .secret("cookie"), "date": .date, "x-request-id": .identifier, "content-type": .text,
      "retry-after": .number,
    ],
    query: ["rememberDevice"])

  /// A flow that knows these secrets, `$secret.known.1$` and so on.
  init(knowing secrets: String...) {
    for secret in secrets { _ = vault.placeholder(for: .string(secret), kind: "known") }
  }

  mutating func mask(_ json: JSON, as schema: WireSchema) -> JSON {
    Masker(policy: policy).mask(json, as: schema, into: &vault)
  }

  /// Text for people, masked.
  mutating func mask(text: String) -> String { mask(.string(text), as: .text).string ?? "" }

  mutating func mask(url: String) -> String { mask(.string(url), as: .url).string ?? "" }

  mutating func mask(header name: String, _ value: String) -> String? {
    let response = HTTPResponse(status: 200, headers: [HTTPField(name, value)])
    return Masker(policy: policy).mask(response, into: &vault).headers.first?.value
  }

  mutating func mask(body: [UInt8], as schema: WireSchema) -> RecordedBody {
    policy.response = schema
    return Masker(policy: policy).mask(HTTPResponse(status: 200, body: body), into: &vault).body
  }
}

func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

func urlSafeBase64(_ text: String) -> String {
  base64(text).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
}

/// Every byte but letters and digits as `%2D`.
func percent(_ text: String, lowercase: Bool = false) -> String {
  text.utf8.map { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
    default: String(format: lowercase ? "%%%02x" : "%%%02X", byte)
    }
  }.joined()
}

/// The inside of a JSON string.
func escaped(_ text: String) -> String { String(JSON.string(text).text.dropFirst().dropLast()) }
