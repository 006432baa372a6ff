// The allow-list (DESIGN §5): what may stay readable, for each place in a message. Everything that it does not name is
// a secret.

public import EventStore

/// What is allowed at one place of a JSON document, a header or a query.
public indirect enum WireSchema: Sendable {
  /// An object with these members. Other members are secret, including their names. An array of such objects is
  /// accepted too, because servers send either (authn §5.2).
  case object([String: WireSchema])
  /// An object whose member names are data, with one schema for all values. Names that are ids (20 letters and digits)
  /// stay readable, others are secret.
  case map(WireSchema)
  /// An array of values of one schema.
  case array(WireSchema)
  /// A word of a closed vocabulary, which is never replaced. Any other word that looks like an identifier stays
  /// readable too, unless it is a known secret.
  case word(Set<String>)
  /// Text for people: labels, messages.
  case text
  /// An identifier: letters, digits and some punctuation.
  case identifier
  /// A position in a form, in the SDK's own words: `remediation/0`, `1:2/0`. Never replaced: it consists of indices and
  /// these words, and nothing that a person entered.
  case place(Set<String>)
  /// An Okta error code, `E` and seven digits.
  case errorCode
  /// A number, as a JSON number or as digits in a string.
  case number
  /// `true` or `false`, as a JSON boolean or as a string.
  case boolean
  /// A date (RFC 3339, or RFC 9110 §5.6.7 in a header).
  case date
  /// An absolute `http` or `https` URL; of its query only the declared parameters stay readable.
  case url
  /// Data about a person; readable.
  case personal
  /// The login given by the caller: always readable, and not searched for secrets, here or elsewhere. The latest one
  /// counts. A login that is also entered as a password stays readable as a login, and is masked as a password.
  case login
  /// A value that the application configures, by its schema: the org's URL, the client's id. It is never searched for
  /// secrets.
  case setting(WireSchema)
  /// A value that the SDK generates from nothing secret: its own name, a random number. Never replaced.
  case own
  /// A secret, with its name in placeholders.
  case secret(String)
  /// A schema that depends on the value, such as a form field marked as secret; also used for schemas that contain
  /// themselves.
  case depending(@Sendable (JSON) -> WireSchema)
}

/// What a kind of flow declares about its messages.
public struct MaskingPolicy: Sendable {
  /// Response bodies, both success and error.
  public var response: WireSchema
  /// Arguments of calls, by their wire names.
  public var arguments: WireSchema
  /// Settings of `flow.started`.
  public var settings: WireSchema
  /// The members of request bodies that no call has as an argument: the protocol has them, and the SDK adds them. Only
  /// for requests that were captured elsewhere; in those of the SDK each member is masked where it comes from.
  public var added: [String: WireSchema]
  /// Response headers by lower-case name. Others are not recorded.
  public var headers: [String: WireSchema]
  /// Query parameters that stay readable.
  public var query: Set<String>
  /// Parts of paths defined by the protocol: never replaced, so that they do not reveal a short secret.
  public var paths: Set<String>

  /// Makes a policy.
  public init(
    response: WireSchema, arguments: WireSchema, settings: WireSchema, added: [String: WireSchema] = [:],
    headers: [String: WireSchema], query: Set<String>, paths: Set<String> = []
  ) {
    self.response = response
    self.arguments = arguments
    self.settings = settings
    self.added = added
    self.headers = headers
    self.query = query
    self.paths = paths
  }
}

extension WireSchema {
  /// The schema of undeclared values: always a secret.
  public static var undeclared: WireSchema { .secret("undeclared") }

  /// The class, without its vocabulary or nested schemas: `word`, `secret password`.
  package var className: String {
    switch self {
    case .object: "object"
    case .map: "map"
    case .array: "array"
    case .word: "word"
    case .text: "text"
    case .identifier: "identifier"
    case .place: "place"
    case .errorCode: "errorCode"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .url: "url"
    case .personal: "personal"
    case .login: "login"
    case .setting: "setting"
    case .own: "own"
    case .secret(let name): "secret \(name)"
    case .depending: "depending"
    }
  }
}
