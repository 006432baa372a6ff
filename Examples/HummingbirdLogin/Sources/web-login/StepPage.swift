import IDX

extension Pages {
  /// Where a sign-in stands.
  static func step(_ snapshot: SignIn.Snapshot, _ session: Session) -> Page {
    let problem: HTML? = snapshot.problem.map { "<p class=\"message error\" role=\"alert\">\($0)</p>\n" }
    switch snapshot.stage {
    case .asking(let response):
      let page = StepPage(response: response, step: snapshot.step, csrfToken: session.csrfToken)
      return Page(
        title: page.title,
        content: "\(problem)\(page.content(isPolling: snapshot.isWaiting))\(recordedAs(snapshot.flowID))",
        waitsBeyond: snapshot.isWaiting ? snapshot.step : nil)
    case .ended:
      return Page(
        title: "You are not signed in",
        content: """
          \(problem)\(button("Start again", to: "/sign-in", session))
          \(recordedAs(snapshot.flowID))
          """)
    case .working, .signedIn:
      return Page(title: "One moment", content: "<p class=\"wait\">Please wait.</p>\n", waitsBeyond: snapshot.step)
    }
  }
}

/// A page made of whatever the org's policy asks for.
struct StepPage {
  let response: Response
  let step: Int
  let csrfToken: String

  /// What can be shown, with its position. `cancel` has a button of its own; what needs more than a form, such as a
  /// security key or another identity provider, is beyond this sample.
  private var remediations: [(index: Int, remediation: Remediation)] {
    let canChoose = response.remediations.contains { $0.type == .selectAuthenticatorAuthenticate }
    return response.remediations.enumerated().compactMap { index, remediation in
      // Leads to a choice that is on the page already.
      if remediation.type == .cancelPolling, canChoose { return nil }
      let needsMore =
        remediation.socialIdp != nil || remediation.webAuthnAuthentication != nil
        || remediation.webAuthnRegistration != nil || remediation.authenticators.contains { $0.duo != nil }
      return remediation.type == .cancel || needsMore ? nil : (index, remediation)
    }
  }

  private var polled: Remediation? { remediations.map(\.remediation).first { $0.pollable != nil } }

  var title: String {
    if let polled { return "Waiting for \(polled.authenticators.element(at: 0)?.displayName ?? "your device")" }
    guard let first = remediations.first?.remediation else { return "You are not signed in" }
    return Wording.title(of: first)
  }

  // MARK: The parts of a page

  func content(isPolling: Bool) -> HTML {
    let forms = remediations.filter { $0.remediation.pollable == nil }
    return """
      \(messages)\(isPolling ? waiting : nil)\(details)\(forms.enumerated().map { position, form in
        html(form.remediation, form.index, isFirst: position == 0 && polled == nil)
      })\(forms.isEmpty && polled == nil ? nothingToDo : nil)\(actions(isPolling: isPolling))
      """
  }

  /// What the org has to say about the whole step, and about fields that are not shown. The messages of other fields
  /// stand beside these.
  private var messages: [HTML] {
    response.messages.allMessages.filter { $0.field?.isMutable != true }.map { Self.html($0) }
  }

  static func html(_ message: Response.Message) -> HTML {
    message.type == .info
      ? "<p class=\"message info\">\(message.message)</p>\n"
      : "<p class=\"message error\" role=\"alert\">\(message.message)</p>\n"
  }

  private var waiting: HTML {
    polled == nil
      ? "<p class=\"wait\">This page goes on by itself when you open the link in the mail.</p>\n"
      : "<p class=\"wait\" id=\"waiting\">Answer on your device. This page goes on by itself.</p>\n"
  }

  /// What the page says of the authenticator that is dealt with now: where a code went, the number to choose.
  private var details: [HTML] {
    response.authenticators.filter { [.authenticating, .enrolling, .recovery].contains($0.state) }.flatMap {
      authenticator -> [HTML] in
      var lines: [HTML] = []
      if let number = authenticator.numberChallenge {
        lines.append("<p>Choose this number on your device:</p>\n<p id=\"number\">\(number.correctAnswer)</p>\n")
      }
      for name in ["email", "phoneNumber", "deviceName"] {
        if let value = authenticator.profile?[name] { lines.append("<p class=\"hint\">\(value)</p>\n") }
      }
      if let code = authenticator.otp, code.mimeType.hasPrefix("image/") {
        // The one secret that has to be on a page: it is what is being set up.
        let image = "data:\(code.mimeType);base64,\(code.imageData.base64EncodedString())"
        lines.append("<p>Scan this with the app:</p>\n<img src=\"\(image)\" alt=\"QR code\">\n")
        if let secret = code.sharedSecret { lines.append("<p>Or type <code>\(secret)</code> into it.</p>\n") }
      }
      return lines
    }
  }

  private var nothingToDo: HTML? {
    response.remediations.isEmpty
      ? nil : "<p class=\"message error\">Signing in goes on in a way that this page does not know.</p>\n"
  }

  // MARK: Forms and buttons

  private func html(_ remediation: Remediation, _ index: Int, isFirst: Bool) -> HTML {
    let fields = FormHTML(isNewPassword: Wording.setsPassword(remediation)).fields(of: remediation.form)
    let form = self.form(.proceed(index), fields, button: Wording.button(of: remediation), isPlain: !isFirst)
    if isFirst || fields.isEmpty { return form }
    // Other ways to go on take less room.
    return "<details>\n<summary>\(Wording.summary(of: remediation))</summary>\n\(form)</details>\n"
  }

  private func form(_ action: Action, _ fields: [HTML] = [], button: String, isPlain: Bool) -> HTML {
    """
    <form method="post" action="/sign-in/step">
    <input type="hidden" name="csrf" value="\(csrfToken)">
    <input type="hidden" name="step" value="\(step)">
    \(fields)<button name="action" value="\(action.text)"\("class=\"plain\"", if: isPlain)>\(button)</button>
    </form>

    """
  }

  private func actions(isPolling: Bool) -> [HTML] {
    var actions: [(Action, String)] = []
    if response.pollable != nil, !isPolling { actions.append((.wait, "Go on waiting")) }
    for (index, authenticator) in response.authenticators.enumerated() {
      if authenticator.sendable != nil { actions.append((.send(index), "Send a code")) }
      if authenticator.resendable != nil { actions.append((.resend(index), "Send it again")) }
      if authenticator.recoverable != nil {
        actions.append((.recover(index), authenticator.type == .password ? "Forgot your password?" : "Forgot it?"))
      }
    }
    if response.canCancel { actions.append((.startOver, "Start over")) }
    var forms = actions.map { form($0.0, button: $0.1, isPlain: true) }
    if !response.canCancel {
      forms.append(
        """
        <form method="post" action="/sign-in">
        <input type="hidden" name="csrf" value="\(csrfToken)">
        <button class="plain">Start over</button>
        </form>

        """)
    }
    return forms.isEmpty ? [] : ["<div class=\"actions\">\n\(forms)</div>\n"]
  }
}
