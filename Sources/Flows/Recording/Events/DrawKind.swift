// The names of draws.

/// The kind of a draw (DESIGN §1, §2 rule 4).
public struct DrawKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The kind's name in the log.
  public var rawValue: String

  /// A kind by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `User-Agent` of this process: product, system, machine.
  public static let userAgent = DrawKind(rawValue: "userAgent")
  /// A random number of milliseconds, 0 to 999.
  public static let jitter = DrawKind(rawValue: "jitter")
  /// A random UUID, lower case.
  public static let uuid = DrawKind(rawValue: "uuid")
  /// The application's listener's answer to a request; null if it changes nothing.
  public static let requestListener = DrawKind(rawValue: "request.listener")
  /// A signature by a key that stays outside the flow.
  public static let signature = DrawKind(rawValue: "signature")
  /// A PKCE verifier and its S256 challenge (RFC 7636 §4.1-§4.2), `verifier` and `challenge`.
  public static let pkce = DrawKind(rawValue: "pkce")
  /// A random UUID that binds an answer to its request (OAuth `state`).
  public static let state = DrawKind(rawValue: "state")
  /// The value that identifies this device: 16 bytes, base64.
  public static let deviceToken = DrawKind(rawValue: "deviceToken")
  /// Reads a value that an earlier flow stored.
  public static let storageRead = DrawKind(rawValue: "storage.read")
  /// Stores a value for later flows.
  public static let storageWrite = DrawKind(rawValue: "storage.write")
  /// Removes a stored value.
  public static let storageRemove = DrawKind(rawValue: "storage.remove")
  /// Claims a name among flows.
  public static let registryClaim = DrawKind(rawValue: "registry.claim")
  /// Releases a claimed name.
  public static let registryRelease = DrawKind(rawValue: "registry.release")
  /// Starts listening for a redirect.
  public static let browserListen = DrawKind(rawValue: "browser.listen")
  /// Opens a page and waits for the redirect.
  public static let browserRedirect = DrawKind(rawValue: "browser.redirect")
  /// Opens a page without waiting for a redirect.
  public static let browserOpen = DrawKind(rawValue: "browser.open")

  /// The kind's name.
  public var description: String { rawValue }
}
