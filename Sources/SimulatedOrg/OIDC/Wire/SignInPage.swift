// The few pages of an authorization server that people see. Plain forms, so that any browser can fill them in.

/// HTML for a browser.
enum SignInPage {
  /// The sign-in page.
  static func signIn(_ application: String, action: String, hint: String, failed: Bool = false) -> String {
    """
    <h1>Sign in to \(escaped(application))</h1>
    \(failed ? "<p id=\"error\" role=\"alert\">Unable to sign in</p>" : "")
    <form id="sign-in" method="post" action="\(escaped(action))">
    <p><label>Username <input name="username" id="username" autocomplete="username" value="\(escaped(hint))"></label></p>
    <p><label>Password <input name="password" id="password" type="password" autocomplete="current-password"></label></p>
    <p><button name="decision" value="sign-in">Sign in</button> <button name="decision" value="cancel">Cancel</button></p>
    </form>
    """
  }

  /// Asks if the application may have what it asks for.
  static func consent(_ application: String, _ login: String, _ scopes: [String], action: String) -> String {
    """
    <h1>\(escaped(application)) asks for access</h1>
    <p>Signed in as \(escaped(login)).</p>
    <ul>\(scopes.map { "<li>\(escaped($0))</li>" }.joined())</ul>
    <form id="consent" method="post" action="\(escaped(action))">
    <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
    </form>
    """
  }

  /// Where a person enters what a device shows.
  static func activation(action: String, userCode: String, error: String?) -> String {
    """
    <h1>Activate your device</h1>
    \(error.map { "<p id=\"error\" role=\"alert\">\(escaped($0))</p>" } ?? "")
    <form id="activate" method="post" action="\(escaped(action))">
    <p><label>Code <input name="user_code" id="user_code" value="\(escaped(userCode))"></label></p>
    <p><label>Username <input name="username" id="username" autocomplete="username"></label></p>
    <p><label>Password <input name="password" id="password" type="password" autocomplete="current-password"></label></p>
    <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
    </form>
    """
  }

  /// The answer to the application as a form that sends itself (OAuth 2.0 Form Post Response Mode).
  static func redirect(to address: String, _ items: [(name: String, value: String)]) -> String {
    """
    <form id="answer" method="post" action="\(escaped(address))">
    \(items.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(escaped($0.value))\">" }.joined(separator: "\n"))
    <noscript><button>Continue</button></noscript>
    </form>
    <script>document.getElementById("answer").submit()</script>
    """
  }

  /// A text inside an element or an attribute.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}

extension IDXReply {
  /// A page of an authorization server.
  static func signInPage(_ body: String, status: Int = 200) -> Self {
    Self(
      status: status, contentType: "text/html;charset=utf-8",
      headers: [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")],
      page: "<!doctype html>\n<html lang=\"en\"><head><title>Sign in</title></head><body>\n\(body)\n</body></html>\n")
  }
}
