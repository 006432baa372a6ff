// Authenticators (idx §7).

import EventStore
import FlowRecording

/// A means of authentication: a password, a mailbox, an app.
public final class Authenticator: Sendable, CustomStringConvertible {
  /// The authenticator's id; nil for some that are enrolled.
  public let id: String?
  /// A name for people.
  public let displayName: String?
  /// What it is.
  public let type: Kind
  /// Which product: `okta_verify`, `google_otp`.
  public let key: String?
  /// Where it stands in the response.
  public let state: State
  /// How it can be used.
  public let methods: [Method]?
  /// What it may be used for; `nil` if the org does not say.
  public let allowedFor: Goal?
  let reading: AuthenticatorReading
  let index: Int
  let origin: ResponseOrigin
  /// What it can do beyond the remediations.
  public let capabilities: [any AuthenticatorCapability]

  init(_ reading: AuthenticatorReading, index: Int, _ origin: ResponseOrigin) {
    self.reading = reading
    self.index = index
    self.origin = origin
    id = reading.id
    displayName = reading.displayName
    type = Kind(wire: reading.type ?? "")
    key = reading.key
    state = State(reading.state)
    methods = reading.members.contains { $0["methods"]?.array != nil } ? reading.methods.map(Method.init(wire:)) : nil
    allowedFor = reading.members.lazy.compactMap { $0["allowedFor"]?.string }.first.flatMap(Goal.init(rawValue:))
    capabilities = Capability.all(of: reading, index: index, origin)
  }

  /// The data that the org sends with the present step: `useEmailMagicLink`, `selectedChannel`; `nil` if there is none.
  ///
  /// Values are texts, numbers, booleans, dictionaries and arrays. Some are secrets.
  public var context: [String: Any]? { reading.contextualData.flatMap(PlainJSON.value) as? [String: Any] }

  /// Returns the capability of the given type, or `nil` if the authenticator has none.
  public func capability<Found: AuthenticatorCapability>(_ type: Found.Type = Found.self) -> Found? {
    capabilities.lazy.compactMap { $0 as? Found }.first
  }

  /// Sends a code.
  public var sendable: Capability.Sendable? { capability() }
  /// Sends a code again.
  public var resendable: Capability.Resendable? { capability() }
  /// Recovers a forgotten password.
  public var recoverable: Capability.Recoverable? { capability() }
  /// Waits until the user has acted elsewhere.
  public var pollable: Capability.Pollable? { capability() }
  /// The rules of a password.
  public var passwordSettings: Capability.PasswordSettings? { capability() }
  /// The profile, mostly masked by the org.
  public var profile: Capability.Profile? { capability() }
  /// The code to scan into an app.
  public var otp: Capability.OTP? { capability() }
  /// What a Duo prompt needs.
  public var duo: Capability.Duo? { capability() }
  /// The number to choose on the device.
  public var numberChallenge: Capability.NumberChallenge? { capability() }

  /// Name and state, in which secrets are replaced.
  public var description: String {
    origin.masked("Authenticator(\(displayName ?? key ?? reading.type ?? "unknown"), \(state))")
  }

  /// The authenticators of a response, or those that a remediation is about.
  public struct Collection: RandomAccessCollection, Sendable, Hashable {
    /// An authenticator.
    public typealias Element = Authenticator

    private let authenticators: [Authenticator]

    init(_ authenticators: [Authenticator]) { self.authenticators = authenticators }

    /// The position of the first authenticator: 0.
    public var startIndex: Int { 0 }
    /// The position after the last authenticator.
    public var endIndex: Int { authenticators.count }

    /// The authenticator at a position, which must be one of `indices`.
    public subscript(position: Int) -> Authenticator { authenticators[position] }
    /// The authenticator at a position, or `nil` if there is none; chosen if an optional is wanted.
    public subscript(index: some BinaryInteger) -> Authenticator? { authenticators.at(index) }

    /// The one to be dealt with now.
    public var current: Authenticator? {
      authenticators.first { $0.state == .authenticating || $0.state == .enrolling }
    }
    /// Those that the user has.
    public var enrolled: [Authenticator] { authenticators.filter { $0.state == .enrolled } }

    /// The first of a kind.
    public subscript(kind: Kind) -> Authenticator? { authenticators.first { $0.type == kind } }
  }
}

/// The authenticators of a response, or those that a remediation is about.
public typealias AuthenticatorCollection = Authenticator.Collection

extension Authenticator: Hashable {
  /// Whether both describe the same authenticator in the same state, whatever responses they are from.
  public static func == (left: Authenticator, right: Authenticator) -> Bool {
    left.id == right.id && left.displayName == right.displayName && left.type == right.type && left.key == right.key
      && left.state == right.state && left.methods == right.methods && left.allowedFor == right.allowedFor
  }

  /// Hashes what `==` compares, as far as it distinguishes authenticators.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(type)
    hasher.combine(key)
    hasher.combine(state)
  }
}

/// Finds authenticators by the paths that forms and fields relate to (§4.3).
struct AuthenticatorTable {
  private var table: [String: Authenticator] = [:]

  init(_ authenticators: [Authenticator]) {
    for authenticator in authenticators {
      for path in authenticator.reading.paths where table[path] == nil { table[path] = authenticator }
    }
  }

  subscript(path: String) -> Authenticator? { table[path] }

  /// The authenticators of a form; none if one of its paths does not resolve.
  func related(to form: FormReading) -> [Authenticator] {
    let paths = form.name == "enroll-poll" ? ["$.currentAuthenticator"] : form.relatesTo
    var found = paths.compactMap { table[$0] }
    if found.count < paths.count { found = [] }
    // The server forgets to relate the password on the first page (§4.3, 3).
    if form.name == "identify", let current = table["$.currentAuthenticator"], current.type == .password,
      !found.contains(where: { $0 === current })
    {
      found.append(current)
    }
    var unique: [Authenticator] = []
    for authenticator in found where !unique.contains(where: { $0 === authenticator }) { unique.append(authenticator) }
    return unique
  }
}
