// The browser of the person at this machine.

public import Foundation

/// Opens pages with `$BROWSER` or `xdg-open`, without a shell, and listens on 127.0.0.1, or on ::1 if there is no IPv4,
/// for the redirect.
public final class SystemBrowser: Browser {
  /// The browser of this process, on a free port.
  public static let standard = SystemBrowser()

  private let port: Int
  private let finishedPage: String?
  private let show: (@Sendable (String) -> Void)?
  /// The listeners whose page is not open yet, oldest first. A sign-in that ends before it opens its page leaves one
  /// behind.
  private let waiting = Locked<[(uri: String, listener: LoopbackListener)]>([])
  /// How many of them are kept: those of sign-ins at the same time.
  static let mostWaiting = 32

  /// Makes a browser.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 for a free one. If the org accepts only a registered port, pass that one.
  ///   - finishedPage: the page that the browser goes to after the redirect, `https` or on this machine; `nil`, or a
  ///     URL that is not valid for this, shows a short built-in page.
  ///   - show: shows the URL instead, for machines without a desktop: prints it, or draws it as a QR code. Must return
  ///     quickly.
  public init(port: Int = 0, finishedPage: URL? = nil, show: (@Sendable (String) -> Void)? = nil) {
    self.port = port
    self.finishedPage = finishedPage.map(\.absoluteString).flatMap { text in
      let parts = URLParts(text)
      let isOpen = parts?.scheme == "https" || parts?.isLoopback == true
      return isOpen && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
    self.show = show
  }

  /// Starts listening.
  public func listen(path: String) async -> Result<String, DrawFailure> {
    guard path.utf8.first == UInt8(ascii: "/"),
      path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3F && $0 != 0x23 })
    else { return .failure(DrawFailure(.failed, "a path begins with a slash and has no query")) }
    do throws(DrawFailure) {
      // A port of its own is for the latest sign-in, whatever an earlier one left behind.
      if port != 0 { waiting.withLock { $0 = [] } }
      let listener = try LoopbackListener(port: port)
      let uri = "http://\(listener.host):\(listener.port)\(path)"
      waiting.withLock { waiting in
        waiting.append((uri, listener))
        if waiting.count > Self.mostWaiting { waiting.removeFirst() }
      }
      return .success(uri)
    } catch {
      return .failure(error)
    }
  }

  /// Opens a page and waits for its redirect.
  public func redirect(
    opening url: String, to redirectURI: String, state: String, limit: Double
  ) async -> Result<String, DrawFailure> {
    guard let listener = listener(of: redirectURI), let parts = URLParts(redirectURI) else {
      return .failure(DrawFailure(.failed, "nothing listens on that redirect URI"))
    }
    if let failure = Self.refusal(of: url) { return .failure(failure) }
    let rules = RedirectRequest(
      authority: parts.authority, port: listener.port, path: parts.path, state: state, finishedPage: finishedPage)
    if let failure = start(url) { return .failure(failure) }
    let redirect = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        listener.wait(for: rules, limit: limit) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      listener.stop()
    }
    if let redirect { return .success(redirect) }
    return .failure(
      Task.isCancelled ? DrawFailure(.cancelled) : DrawFailure(.timedOut, "the browser was not sent back in time"))
  }

  private func listener(of redirectURI: String) -> LoopbackListener? {
    waiting.withLock { waiting in
      waiting.firstIndex { $0.uri == redirectURI }.map { waiting.remove(at: $0).listener }
    }
  }

  /// Opens a page.
  public func open(_ url: String) async -> Result<Void, DrawFailure> {
    (Self.refusal(of: url) ?? start(url)).map { .failure($0) } ?? .success(())
  }

  private static func refusal(of url: String) -> DrawFailure? {
    guard let page = URLParts(url), page.scheme == "https" || page.isLoopback else {
      return DrawFailure(.failed, "only an https page is opened")
    }
    return nil
  }

  /// Starts the browser; returns why it failed, or nil.
  private func start(_ url: String) -> DrawFailure? {
    if let show {
      show(url)
      return nil
    }
    guard let program = Self.program(in: ProcessInfo.processInfo.environment) else {
      return DrawFailure(.missing, "there is no browser: $BROWSER is not set, and xdg-open is not installed")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return nil
    } catch {
      return DrawFailure(.missing, "the browser cannot be started")
    }
  }

  /// The program that opens pages: the first executable entry of the colon-separated list `$BROWSER`, or else
  /// `xdg-open`.
  static func program(in environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let names = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init) + ["xdg-open"]
    return names.lazy.compactMap { name in
      let places = name.hasPrefix("/") ? [name] : folders.map { $0 + "/" + name }
      return name.contains(" ") ? nil : places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }.first
  }
}
