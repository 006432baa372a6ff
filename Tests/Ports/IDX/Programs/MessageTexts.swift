// «Message collections» of the seed document: of the response, of a remediation, of a field.

import Foundation
import IDX

enum MessageTexts {
  static func all(_ response: Response) -> [String] {
    var texts: [String] = []
    let messages: Response.Message.Collection = response.messages
    messages.allMessages.forEach { message in texts.append(message.message) }
    return texts
  }

  static func top(_ response: Response) -> [String] {
    var texts: [String] = []
    response.messages.forEach { message in
      texts.append("\(message.type == .error ? "error" : "info") \(message.localizationKey ?? "-")")
    }
    return texts
  }

  static func ofField(_ name: String, in response: Response) -> String? {
    guard let identifierField = response.remediations[.identify]?.identifier else { return nil }
    if !identifierField.messages.isEmpty { return identifierField.messages.first?.message }
    return response.messages.message(for: name)?.message ?? response.messages.message(for: identifierField)?.message
  }

  /// Whether there is nothing left to do.
  static func isOver(_ response: Response) -> Bool { response.remediations.isEmpty }
}
