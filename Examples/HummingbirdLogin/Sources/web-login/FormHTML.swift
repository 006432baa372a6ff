import IDX

/// Writes the fields of a remediation as those of an HTML form, named by their place.
struct FormHTML {
  /// Whether a password in it is a new one, which a browser may think up.
  let isNewPassword: Bool

  func fields(of form: Remediation.Form, at place: String = "f", isChosen: Bool = true) -> [HTML] {
    form.enumerated().map { index, field in html(field, at: "\(place)-\(index)", isChosen: isChosen) }
  }

  /// - Parameter isChosen: false for what stands inside a choice: the person may choose another one.
  private func html(_ field: Remediation.Form.Field, at place: String, isChosen: Bool) -> HTML {
    if let options = field.options, !options.isEmpty {
      return choice(field, options.enumerated().map { ($0, $1) }, at: place, isChosen: isChosen)
    }
    if let form = field.form { return "\(fields(of: form, at: place, isChosen: isChosen))" }
    guard field.isMutable else { return "" }
    return "\(field.messages.map { StepPage.html($0) })\(input(field, at: place, isChosen: isChosen))"
  }

  private func choice(
    _ field: Remediation.Form.Field, _ options: [(Int, Remediation.Form.Field)], at place: String, isChosen: Bool
  ) -> HTML {
    let choices = options.map { index, option -> HTML in
      let fields = option.form.map { self.fields(of: $0, at: "\(place)-option-\(index)", isChosen: false) } ?? []
      return """
        <div class="choice">
        <label><input type="radio" name="\(place)" value="\(index)"\("checked", if: index == 0)> \
        \(option.label ?? "Choice \(index + 1)")</label>
        \(fields.isEmpty ? nil : "<div class=\"inside\">\n\(fields)</div>\n" as HTML)</div>

        """
    }
    let legend: HTML? = field.label.map { "<legend>\($0)</legend>\n" }
    return "\(field.messages.map { StepPage.html($0) })<fieldset>\n\(legend)\(choices)</fieldset>\n"
  }

  private func input(_ field: Remediation.Form.Field, at place: String, isChosen: Bool) -> HTML {
    let label = field.label ?? field.name ?? "Value"
    if field.type == "boolean" {
      return """
        <label class="flag"><input type="checkbox" name="\(place)"\("checked", if: field.value as? Bool == true)> \
        \(label)</label>

        """
    }
    let isRequired = field.isRequired && isChosen
    // A secret never goes back to a browser, and neither does a code that is good once.
    let isSecret = field.isSecret || ["passcode", "totp", "answer"].contains(field.name)
    let value: HTML? = isSecret ? nil : (field.value as? String).map { " value=\"\($0)\"" }
    return """
      <label>\(label) \
      <input type="\(field.isSecret ? "password" : "text")" name="\(place)"\(attributes(of: field))\(value)\
      \("required", if: isRequired)></label>

      """
  }

  /// What helps password managers and the keyboards of phones.
  private func attributes(of field: Remediation.Form.Field) -> HTML {
    switch (field.name, field.isSecret) {
    case ("identifier", _):
      " autocomplete=\"username\" autocapitalize=\"none\" spellcheck=\"false\""
    case ("passcode", true): isNewPassword ? " autocomplete=\"new-password\"" : " autocomplete=\"current-password\""
    case ("passcode", false), ("totp", _): " autocomplete=\"one-time-code\" inputmode=\"numeric\""
    default: " autocomplete=\"off\""
    }
  }
}
