// The browser as draws.

import EventStore

enum BrowserDraws {
  /// `browser.listen`: `path` in; the redirect URI out.
  static let listen = DrawDeclaration.awaited(.url) { input, environment in
    await environment[BrowserSeam.self].listen(path: input["path"]?.string ?? "/").map(JSON.string)
  }

  /// `browser.open`: `url` in, `query` as below; null out.
  static let open = DrawDeclaration.awaited(.own) { input, environment in
    guard let url = page(input) else { return .failure(DrawFailure(.failed, "a page to open is needed")) }
    return await environment[BrowserSeam.self].open(url).map { .null }
  }

  /// The URL of the page, with the members of `query` as its query.
  private static func page(_ input: JSON) -> String? {
    input["url"]?.string.map { FormEncoding.url($0, query: input["query"] ?? [:]) }
  }

  /// `browser.redirect`: `url`, `query` if the page has more parameters than its URL says, `redirectUri`, `state` and
  /// `seconds` in; the URL of the redirect out, a secret: it carries the code.
  static let redirect = DrawDeclaration.awaited(.secret("redirect")) { input, environment in
    guard let url = page(input), let uri = input["redirectUri"]?.string, let state = input["state"]?.string
    else { return .failure(DrawFailure(.failed, "a page to open, its redirect URI and its state are needed")) }
    let seconds = input["seconds"]?.int ?? 300
    return await environment[BrowserSeam.self]
      .redirect(opening: url, to: uri, state: state, limit: Double(min(max(seconds, 1), 3_600))).map(JSON.string)
  }
}
