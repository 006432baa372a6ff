// A puzzle on a page, and its answer (idx.md §4).

extension OrgPolicy.Captcha {
  /// The puzzle as part of a response.
  var json: OrgJSON {
    ["id": .string(id), "name": .string(name), "siteKey": .string(siteKey), "type": .string(type)]
  }

  /// The field for its answer. The user does not type it, so it is not visible.
  var field: IonField {
    IonField(
      name: "captchaVerify",
      form: [
        .fixed("captchaId", .string(id), visible: false),
        IonField(name: "captchaToken", required: true, visible: false, more: [.init("hint", "captcha")]),
      ], relatesTo: "$.captcha")
  }

  /// Refuses a request without the right answer.
  func check(_ call: IDXCall) throws(IDXRefusal) {
    guard let answer = call.text("captchaVerify.captchaToken") else {
      throw .field("captchaVerify.captchaToken", .blank)
    }
    guard answer == token, call.text("captchaVerify.captchaId") == id else { throw .step(.failed) }
  }
}
