// The browser seam: a person signs in at the org's own page, and the org sends the browser back with the outcome
// (RFC 8252).

/// Shows pages to the person, and receives the address that their browser is sent back to.
public protocol Browser: Sendable {
  /// Starts listening for one redirect.
  ///
  /// - Parameter path: the path of the redirect URI: `/callback`.
  /// - Returns: the redirect URI, including the port; or why listening failed.
  func listen(path: String) async -> Result<String, DrawFailure>
  /// Opens a page and waits for the redirect.
  ///
  /// - Parameters:
  ///   - url: the page.
  ///   - redirectURI: the result of `listen`. Listening stops when this returns.
  ///   - state: the `state` that the redirect must carry; redirects with other values are refused, and waiting
  ///     continues.
  ///   - limit: seconds until the wait times out.
  /// - Returns: the whole URL that the browser was sent to; `cancelled` if the task is cancelled, `missing` if there is
  ///   no browser, `timedOut` after the limit.
  func redirect(
    opening url: String, to redirectURI: String, state: String, limit: Double
  ) async -> Result<String, DrawFailure>
  /// Opens a page without waiting: the application receives the redirect itself, by a custom URL scheme (RFC 8252
  /// §7.1).
  ///
  /// - Parameter url: the page.
  /// - Returns: nothing, or why it cannot be opened: `missing` if there is no browser.
  func open(_ url: String) async -> Result<Void, DrawFailure>
}

extension Browser {
  /// By default, no page is opened without a listener.
  public func open(_ url: String) async -> Result<Void, DrawFailure> {
    .failure(DrawFailure(.missing, "this browser opens no page without a listener"))
  }
}

/// The seam for the browser of flows.
public enum BrowserSeam: FlowSeam {
  /// `$BROWSER` or `xdg-open`, with a listener on 127.0.0.1.
  public static var live: any Browser { SystemBrowser.standard }
}
