// The browser as draws.

import EventStore

enum BrowserDraws {
  /// `browser.listen`: `path` in; the redirect URI out.
  static let listen = DrawDeclaration.awaited(.url) { input, environment in
    await environment[BrowserSeam.self].listen(path: input["path"]?.string ?? "/").map(JSON.string)
  }

  /// `browser.redirect`: `url`, `redirectUri`, `state` and `seconds` in; the URL of the redirect out, a secret: it carries
  /// the code.
  static let redirect = DrawDeclaration.awaited(.secret("redirect")) { input, environment in
    guard let url = input["url"]?.string, let uri = input["redirectUri"]?.string, let state = input["state"]?.string
    else { return .failure(DrawFailure(.failed, "a page to open, its redirect URI and its state are needed")) }
    let seconds = input["seconds"]?.int ?? 300
    return await environment[BrowserSeam.self]
      .redirect(opening: url, to: uri, state: state, limit: Double(min(max(seconds, 1), 3_600))).map(JSON.string)
  }
}
