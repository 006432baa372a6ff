import Foundation

/// A headless Chromium with a profile of its own, driven by the WebDriver protocol.
///
/// Nothing here sleeps: a look for an element waits until it is there, twenty seconds at most. After a button that leads
/// to another page, look for the heading of that page first: the old one may still be there.
struct Browser {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let session: URL

  fileprivate static func open(_ driver: URL, scripts: Bool) async throws -> Browser {
    let arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
    ]
    let wanted: [String: Any] = [
      "browserName": "chrome",
      "goog:chromeOptions": [
        "binary": WebDriver.chromium, "args": arguments,
        "prefs": scripts ? [:] : ["profile.managed_default_content_settings.javascript": 2],
      ],
      "timeouts": ["implicit": 20_000, "pageLoad": 20_000],
    ]
    let answer = try await command(
      driver.appendingPathComponent("session"), "POST", ["capabilities": ["alwaysMatch": wanted]])
    guard let id = (answer as? [String: Any])?["sessionId"] as? String else { throw Failure(description: "no session") }
    return Browser(session: driver.appendingPathComponent("session/\(id)"))
  }

  func close() async throws { try await Browser.command(session, "DELETE") }

  // MARK: What a person does

  func visit(_ url: URL) async throws { try await command("url", ["url": url.absoluteString]) }
  func reload() async throws { try await command("refresh", [:]) }
  func goBack() async throws { try await command("back", [:]) }

  /// Types into the field with that label, instead of what stands there.
  func type(_ text: String, into label: String) async throws {
    let field = try await find("//label[contains(., '\(label)')]/input")
    try await command("element/\(field)/clear", [:])
    try await command("element/\(field)/value", ["text": text])
  }

  /// Presses the button with that text.
  func press(_ button: String) async throws { try await click("//button[normalize-space() = '\(button)']") }
  /// Picks the choice with that text.
  func choose(_ label: String) async throws { try await click("//label[contains(., '\(label)')]") }
  /// Unfolds what is folded under that text.
  func unfold(_ summary: String) async throws { try await click("//summary[contains(., '\(summary)')]") }

  private func click(_ path: String) async throws { try await command("element/\(find(path))/click", [:]) }

  // MARK: What a person sees

  /// Waits until the page's heading has that text in it.
  func see(heading text: String) async throws { _ = try await find("//h1[contains(., '\(text)')]") }
  /// Waits until a message, or any other paragraph, has that text in it.
  func see(_ text: String) async throws { _ = try await find("//p[contains(., '\(text)')]") }

  /// The text of the element with that id, once it is there.
  func text(of id: String) async throws -> String {
    try await command("element/\(find("//*[@id = '\(id)']"))/text") as? String ?? ""
  }

  /// The value of the first hidden field of that name.
  func value(of name: String) async throws -> String {
    let path = "//input[@type = 'hidden' and @name = '\(name)']"
    return try await command("element/\(find(path))/attribute/value") as? String ?? ""
  }

  var address: String { get async throws { try await command("url") as? String ?? "" } }
  var source: String { get async throws { try await command("source") as? String ?? "" } }

  /// What the browser sends as `Cookie`.
  var cookie: String {
    get async throws {
      let cookies = try await command("cookie") as? [[String: Any]] ?? []
      return cookies.map { "\($0["name"] ?? "")=\($0["value"] ?? "")" }.joined(separator: "; ")
    }
  }

  /// Takes a picture in a window of that width.
  func screenshot(_ name: String, width: Int) async throws {
    try await command("window/rect", ["width": width, "height": 900])
    let text = try await command("screenshot") as? String ?? ""
    guard let data = Data(base64Encoded: text) else { throw Failure(description: "no picture") }
    try FileManager.default.createDirectory(at: Browser.pictures, withIntermediateDirectories: true)
    try data.write(to: Browser.pictures.appendingPathComponent("\(name)-\(width).png"))
  }

  private static let pictures = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["SCREENSHOTS"] ?? ".build/screenshots")

  // MARK: The protocol

  private func find(_ path: String) async throws -> String {
    let answer: Any?
    do {
      answer = try await command("element", ["using": "xpath", "value": path])
    } catch {
      throw Failure(description: "\(path) is not on this page: \((try? await source) ?? "\(error)")")
    }
    guard let id = (answer as? [String: String])?.values.first else { throw Failure(description: "no element") }
    return id
  }

  @discardableResult
  private func command(_ path: String, _ body: [String: Any]? = nil) async throws -> Any? {
    try await Browser.command(session.appendingPathComponent(path), body == nil ? "GET" : "POST", body)
  }

  @discardableResult
  private static func command(_ url: URL, _ method: String, _ body: [String: Any]? = nil) async throws -> Any? {
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
    let answer = try await HTTPClient.send(method, url, body: data)
    let value = (try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])?["value"]
    if let error = (value as? [String: Any])?["error"] {
      throw Failure(description: "\(error): \((value as? [String: Any])?["message"] ?? "") \(body ?? [:])")
    }
    return value
  }
}

/// The program that drives browsers, on a port of its own. It is started with the first browser.
actor WebDriver {
  fileprivate static let chromium = ProcessInfo.processInfo.environment["CHROMIUM"] ?? "/usr/bin/chromium"
  private static let chromedriver = ProcessInfo.processInfo.environment["CHROMEDRIVER"] ?? "/usr/bin/chromedriver"

  /// Whether there is a browser to test with.
  static var isInstalled: Bool {
    [chromium, chromedriver].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private var running: (program: Program, url: URL)?
  private var browsers: [Browser] = []

  /// Opens a browser.
  ///
  /// - Parameter scripts: false for one that runs none.
  func open(scripts: Bool) async throws -> Browser {
    let browser = try await Browser.open(start(), scripts: scripts)
    browsers.append(browser)
    return browser
  }

  /// Closes every browser, and ends the driver.
  func stop() async {
    for browser in browsers { try? await browser.close() }
    running?.program.terminate()
    _ = await running?.program.status()
  }

  private func start() async throws -> URL {
    if let running { return running.url }
    var output = ""
    // Its choice of a free port can come to nothing, if another program was quicker.
    for _ in 0..<5 {
      let program = try Program(WebDriver.chromedriver, ["--port=0"])
      while let line = await program.line() {
        guard let range = line.range(of: "successfully on port ") else { continue }
        let port = line[range.upperBound...].prefix { $0.isNumber }
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { break }
        running = (program, url)
        return url
      }
      output += String(decoding: program.output, as: UTF8.self)
    }
    throw Browser.Failure(description: "chromedriver did not start: \(output)")
  }
}
