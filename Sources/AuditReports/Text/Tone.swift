// How the tone of an event's words looks, on a terminal and on a page.

import FlowRecording

extension Style {
  /// Text in the color of its tone.
  func toned(_ text: String, _ tone: Words.Tone) -> String {
    switch tone {
    case .plain: text
    case .quiet: dim(text)
    case .good: good(text)
    case .bad: bad(text)
    case .notice: notice(text)
    }
  }
}

extension Words.Tone {
  /// The class of its elements in the style sheet of the pages.
  var styleClass: String {
    switch self {
    case .plain: "plain"
    case .quiet: "quiet"
    case .good: "good"
    case .bad: "bad"
    case .notice: "notice"
    }
  }
}
