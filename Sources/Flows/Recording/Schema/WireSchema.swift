// The allow-list (DESIGN §5): for each place in a message, what may stand there readable. What it does not name is a
// secret, wherever it stands.

public import EventStore

/// What may stand at one place of a JSON document, a header or a query.
public indirect enum WireSchema: Sendable {
  /// An object with these members. Members of other names are secret, name and all. An array of such objects is
  /// taken as well, since servers send either (authn §5.2).
  case object([String: WireSchema])
  /// An object whose member names are data, with one schema for all values. Names that are ids (20 letters and digits)
  /// stay readable, others are secret.
  case map(WireSchema)
  /// An array of values of one schema.
  case array(WireSchema)
  /// A word of a closed vocabulary; such words are never rewritten. Any other word that looks like an identifier
  /// stays readable too, unless it is a known secret.
  case word(Set<String>)
  /// Text for people: labels, messages.
  case text
  /// An identifier: letters, digits and a little punctuation.
  case identifier
  /// Where something stands in a form, in the SDK's own words: `remediation/0`, `1:2/0`. Never rewritten: indices and
  /// these words, and nothing that a person typed.
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
  /// The login that the caller gives: always readable, and no secret is looked for in it, nor in another place where it
  /// stands. The latest counts. A login that is typed as a password too stays readable where it is a login, and is
  /// masked wherever it is a password.
  case login
  /// What the application configures, as its schema has it: the org's URL, the client's id. No secret is looked for in
  /// it, wherever it stands.
  case setting(WireSchema)
  /// What the SDK itself makes up of nothing secret: its own name, a random number. Never rewritten.
  case own
  /// A secret, called by this name in its placeholder.
  case secret(String)
  /// What the value itself decides, such as a form field that says that it is secret; also how a schema that contains
  /// itself is written.
  case depending(@Sendable (JSON) -> WireSchema)
}

/// What a kind of flow declares about its messages.
public struct MaskingPolicy: Sendable {
  /// Response bodies, of success and error alike.
  public var response: WireSchema
  /// Arguments of calls, by their wire names.
  public var arguments: WireSchema
  /// Settings of `flow.started`.
  public var settings: WireSchema
  /// Response headers by lower-case name. Others are not recorded.
  public var headers: [String: WireSchema]
  /// Query parameters that stay readable.
  public var query: Set<String>
  /// Parts of paths that are the protocol's own: never rewritten, so that no word of them shows what a short secret is.
  public var paths: Set<String>

  /// Makes a policy.
  public init(
    response: WireSchema, arguments: WireSchema, settings: WireSchema, headers: [String: WireSchema],
    query: Set<String>, paths: Set<String> = []
  ) {
    self.response = response
    self.arguments = arguments
    self.settings = settings
    self.headers = headers
    self.query = query
    self.paths = paths
  }
}

extension WireSchema {
  /// The schema of what nothing declares: a secret, whatever it is.
  public static var undeclared: WireSchema { .secret("undeclared") }

  /// The class, without what is listed or lies in it: `word`, `secret password`.
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
