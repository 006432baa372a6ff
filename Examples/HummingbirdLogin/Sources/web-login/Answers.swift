import IDX

/// What a browser sends of a page: the step that it showed, the button, and the values of the form.
struct Answers: Sendable {
  let step: Int
  let action: Action
  let values: [String: String]

  /// Returns `nil` if this is no form of ours.
  init?(_ values: [String: String]) {
    guard let step = values["step"].flatMap({ Int($0) }), let action = values["action"].flatMap({ Action($0) })
    else { return nil }
    self.step = step
    self.action = action
    self.values = values
  }
}

/// What a button does. Numbers are positions in the response that the page shows.
enum Action: Sendable, Equatable {
  /// Sends the form of a remediation.
  case proceed(Int)
  /// Sends a code.
  case send(Int)
  /// Sends a code again, or a push.
  case resend(Int)
  /// Begins to recover a forgotten password.
  case recover(Int)
  /// Waits again, after that failed.
  case wait
  /// Begins again.
  case startOver

  init?(_ text: String) {
    let parts = text.split(separator: "-")
    switch (parts.first, parts.dropFirst().first.flatMap { Int($0) }) {
    case ("proceed", let index?): self = .proceed(index)
    case ("send", let index?): self = .send(index)
    case ("resend", let index?): self = .resend(index)
    case ("recover", let index?): self = .recover(index)
    case ("wait", nil): self = .wait
    case ("over", nil): self = .startOver
    default: return nil
    }
  }

  /// What `init` reads.
  var text: String {
    switch self {
    case .proceed(let index): "proceed-\(index)"
    case .send(let index): "send-\(index)"
    case .resend(let index): "resend-\(index)"
    case .recover(let index): "recover-\(index)"
    case .wait: "wait"
    case .startOver: "over"
    }
  }
}

extension Remediation.Form {
  /// Fills in what a browser sent. Fields are known by their place, as `FormHTML` writes it: `f-0`, `f-0-1` inside of
  /// it, `f-0-option-2-1` inside of its third choice. A browser can send what it likes: only values of fields that the
  /// org lets be changed are taken, and only choices that it offers.
  func fill(with values: [String: String], at place: String = "f") {
    for (index, field) in enumerated() { field.fill(with: values, at: "\(place)-\(index)") }
  }
}

extension Remediation.Form.Field {
  fileprivate func fill(with values: [String: String], at place: String) {
    if let options, !options.isEmpty {
      let choice = values[place].flatMap { Int($0) }.flatMap { options.indices.contains($0) ? $0 : nil }
      selectedOption = choice.map { options[$0] }
      if let choice { options[choice].form?.fill(with: values, at: "\(place)-option-\(choice)") }
    } else if let form {
      form.fill(with: values, at: place)
    } else if type == "boolean" {
      value = values[place] != nil
    } else {
      // An empty text takes back what was there before: a code that was wrong, for instance.
      value = values[place].flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}

extension Sequence {
  /// The element at a position that a browser named, if there is one.
  func element(at position: Int) -> Element? { enumerated().first { $0.offset == position }?.element }
}

extension Response {
  /// The capability to wait for: a push on the phone, a link in a mail.
  var pollable: Capability.Pollable? {
    remediations.lazy.compactMap(\.pollable).first ?? authenticators.lazy.compactMap(\.pollable).first
  }
}
