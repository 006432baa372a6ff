// Authenticators (idx §7).

import EventStore
import FlowRecording

/// A means of authentication, such as a password, a mailbox, or an app.
public final class Authenticator: Sendable, CustomStringConvertible {
  /// The authenticator's ID; `nil` for some enrolled authenticators.
  public let id: String?
  /// A display name.
  public let displayName: String?
  /// The kind of authenticator.
  public let type: Kind
  /// The product, such as `okta_verify` or `google_otp`.
  public let key: String?
  /// The state of the authenticator in the response.
  public let state: State
  /// The methods by which it can be used.
  public let methods: [Method]?
  /// The permitted uses; `nil` if the org does not report them.
  public let allowedFor: Goal?
  let reading: AuthenticatorReading
  let index: Int
  let origin: ResponseOrigin
  /// Its capabilities beyond the remediations.
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

  /// The data that the org sends with the current step, such as `useEmailMagicLink` or `selectedChannel`; `nil` if
  /// there is none.
  ///
  /// Values are strings, numbers, booleans, dictionaries, and arrays. Some are secrets.
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
  /// Waits until the user has acted elsewhere, such as in a mailbox or an app.
  public var pollable: Capability.Pollable? { capability() }
  /// The rules of a password.
  public var passwordSettings: Capability.PasswordSettings? { capability() }
  /// The profile, mostly masked by the org.
  public var profile: Capability.Profile? { capability() }
  /// The code to scan with an app.
  public var otp: Capability.OTP? { capability() }
  /// The data for a Duo prompt.
  public var duo: Capability.Duo? { capability() }
  /// The number to choose on the device.
  public var numberChallenge: Capability.NumberChallenge? { capability() }

  /// The name and state, with secrets replaced.
  public var description: String {
    origin.masked("Authenticator(\(displayName ?? key ?? reading.type ?? "unknown"), \(state))")
  }

  /// The authenticators of a response, or of a remediation.
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
    /// The authenticator at a position, or `nil` if there is none. This overload applies if an optional is expected.
    public subscript(index: some BinaryInteger) -> Authenticator? { authenticators.at(index) }

    /// The authenticator used in the current step.
    public var current: Authenticator? {
      authenticators.first { $0.state == .authenticating || $0.state == .enrolling }
    }
    /// The authenticators that the user has enrolled.
    public var enrolled: [Authenticator] { authenticators.filter { $0.state == .enrolled } }

    /// The first authenticator of a kind.
    public subscript(kind: Kind) -> Authenticator? { authenticators.first { $0.type == kind } }
  }
}

/// The authenticators of a response, or of a remediation.
public typealias AuthenticatorCollection = Authenticator.Collection

extension Authenticator: Hashable {
  /// Returns whether both describe the same authenticator in the same state, even if they come from different
  /// responses.
  public static func == (left: Authenticator, right: Authenticator) -> Bool {
    left.id == right.id && left.displayName == right.displayName && left.type == right.type && left.key == right.key
      && left.state == right.state && left.methods == right.methods && left.allowedFor == right.allowedFor
  }

  /// Hashes those values that `==` compares and that distinguish authenticators.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(type)
    hasher.combine(key)
    hasher.combine(state)
  }
}

/// Finds authenticators by the paths that forms and fields refer to (§4.3).
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
    // The server does not relate the password to the form on the first page (§4.3, 3).
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
