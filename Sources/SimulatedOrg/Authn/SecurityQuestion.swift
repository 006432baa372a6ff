// The questions a user may choose from.

enum SecurityQuestion {
  static let all: [(key: String, text: String)] = [
    ("disliked_food", "What is the food you least liked as a child?"),
    ("name_of_first_plush_toy", "What is the name of your first stuffed animal?"),
    ("first_award", "What did you earn your first medal or award for?"),
    ("favorite_toy", "What is the toy/stuffed animal you liked the most as a kid?"),
    ("first_computer_game", "What was the first computer game you played?"),
    ("favorite_movie_quote", "What is your favorite movie quote?"),
    ("first_music_purchase", "What music album or song did you first purchase?"),
    ("favorite_art_piece", "What is your favorite piece of art?"),
  ]

  /// The text of a question, or the key itself if it is a custom one.
  static func text(of key: String) -> String { all.first { $0.key == key }?.text ?? key }

  /// Answers are compared as a person would: without regard to case and outer blanks.
  static func matches(_ given: String, _ right: String) -> Bool { plain(given) == plain(right) }

  private static func plain(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
