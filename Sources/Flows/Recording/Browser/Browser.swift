// The browser seam: a person signs in at the org's own page, and the org sends the browser back with the outcome
// (RFC 8252).

/// Shows pages to the person, and receives the address that their browser is sent back to.
public protocol Browser: Sendable {
  /// Begins to listen for one redirect.
  ///
  /// - Parameter path: the path of the redirect URI: `/callback`.
  /// - Returns: the redirect URI, with the port that is listened on; or why there is none.
  func listen(path: String) async -> Result<String, DrawFailure>
  /// Opens a page, and waits for the browser to be sent back.
  ///
  /// - Parameters:
  ///   - url: the page.
  ///   - redirectURI: what `listen` returned; it is listened on no longer once this returns.
  ///   - state: the `state` that the redirect must carry; others are refused and waited past.
  ///   - limit: seconds until it gives up.
  /// - Returns: the whole URL that the browser was sent to; `cancelled` if the task ends, `missing` if there is no browser,
  ///   `timedOut` after the limit.
  func redirect(
    opening url: String, to redirectURI: String, state: String, limit: Double
  ) async -> Result<String, DrawFailure>
  /// Opens a page, and does not wait: the application itself gets the redirect, by a scheme of its own (RFC 8252 §7.1).
  ///
  /// - Parameter url: the page.
  /// - Returns: why it cannot be opened: `missing` if there is no browser.
  func open(_ url: String) async -> Result<Void, DrawFailure>
}

extension Browser {
  /// No page is opened without a listener, unless a browser says how.
  public func open(_ url: String) async -> Result<Void, DrawFailure> {
    .failure(DrawFailure(.missing, "this browser opens no page without a listener"))
  }
}

/// Where flows find their browser.
public enum BrowserSeam: FlowSeam {
  /// `$BROWSER` or `xdg-open`, with a listener on 127.0.0.1.
  public static var live: any Browser { SystemBrowser.standard }
}
