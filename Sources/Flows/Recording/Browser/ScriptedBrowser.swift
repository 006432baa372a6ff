// A browser of tests: no window, no socket.

/// A browser whose person is a closure.
public final class ScriptedBrowser: Browser {
  private let redirectURI: String
  private let person: @Sendable (_ url: String) async -> Result<String, DrawFailure>
  private let opened = Locked<[String]>([])

  /// Makes a browser.
  ///
  /// - Parameters:
  ///   - redirectURI: what it says that it listens on, without the path.
  ///   - person: what becomes of an opened page: where the browser is sent, or why it is not.
  public init(
    listeningOn redirectURI: String = "http://127.0.0.1:1",
    person: @escaping @Sendable (_ url: String) async -> Result<String, DrawFailure>
  ) {
    self.redirectURI = redirectURI
    self.person = person
  }

  /// The pages that were opened, in order.
  public var pages: [String] { opened.withLock { $0 } }

  /// Says where it would listen.
  public func listen(path: String) async -> Result<String, DrawFailure> { .success(redirectURI + path) }

  /// Asks the closure.
  public func redirect(
    opening url: String, to redirectURI: String, state: String, limit: Double
  ) async -> Result<String, DrawFailure> {
    opened.withLock { $0.append(url) }
    return await person(url)
  }

  /// Notes the page.
  public func open(_ url: String) async -> Result<Void, DrawFailure> {
    opened.withLock { $0.append(url) }
    return .success(())
  }
}
