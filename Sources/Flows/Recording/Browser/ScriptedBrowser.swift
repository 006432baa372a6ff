// A browser of tests: no window, no socket.

/// A browser whose person is a closure.
public final class ScriptedBrowser: Browser {
  private let redirectURI: String
  private let person: @Sendable (_ url: String) async -> Result<String, DrawFailure>
  private let opened = Locked<[String]>([])

  /// Makes a browser.
  ///
  /// - Parameters:
  ///   - redirectURI: the redirect URI it reports, without the path.
  ///   - person: decides the result of an opened page: the URL of the redirect, or the failure.
  public init(
    listeningOn redirectURI: String = "http://127.0.0.1:1",
    person: @escaping @Sendable (_ url: String) async -> Result<String, DrawFailure>
  ) {
    self.redirectURI = redirectURI
    self.person = person
  }

  /// The pages that were opened, in order.
  public var pages: [String] { opened.withLock { $0 } }

  /// Returns the redirect URI.
  public func listen(path: String) async -> Result<String, DrawFailure> { .success(redirectURI + path) }

  /// Asks the closure.
  public func redirect(
    opening url: String, to redirectURI: String, state: String, limit: Double
  ) async -> Result<String, DrawFailure> {
    opened.withLock { $0.append(url) }
    return await person(url)
  }

  /// Records the page.
  public func open(_ url: String) async -> Result<Void, DrawFailure> {
    opened.withLock { $0.append(url) }
    return .success(())
  }
}
