// The names of draws.

/// What a draw is asked for (DESIGN §1, §2 rule 4).
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
  /// What the application's listener makes of a request; null if it changes nothing.
  public static let requestListener = DrawKind(rawValue: "request.listener")
  /// A signature by a key that stays outside the flow.
  public static let signature = DrawKind(rawValue: "signature")
  /// A PKCE verifier and its S256 challenge (RFC 7636 §4.1-§4.2), `verifier` and `challenge`.
  public static let pkce = DrawKind(rawValue: "pkce")
  /// What binds an answer to the request it belongs to (OAuth `state`): a random UUID.
  public static let state = DrawKind(rawValue: "state")
  /// What this device is recognized by: 16 bytes, base64.
  public static let deviceToken = DrawKind(rawValue: "deviceToken")
  /// Reads what an earlier flow stored.
  public static let storageRead = DrawKind(rawValue: "storage.read")
  /// Stores something for later flows.
  public static let storageWrite = DrawKind(rawValue: "storage.write")
  /// Removes what is stored.
  public static let storageRemove = DrawKind(rawValue: "storage.remove")
  /// Claims a name among flows.
  public static let registryClaim = DrawKind(rawValue: "registry.claim")
  /// Gives a claimed name back.
  public static let registryRelease = DrawKind(rawValue: "registry.release")
  /// Begins to listen for a redirect.
  public static let browserListen = DrawKind(rawValue: "browser.listen")
  /// Opens a page and waits for the redirect.
  public static let browserRedirect = DrawKind(rawValue: "browser.redirect")
  /// Opens a page without waiting for a redirect.
  public static let browserOpen = DrawKind(rawValue: "browser.open")

  /// The kind's name.
  public var description: String { rawValue }
}
