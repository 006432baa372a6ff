// The canonical summary of an IDX response (idx §18): a JSON object for any body, for comparing implementations.

package import EventStore

/// Reduces response bodies to their canonical summary.
package enum CanonicalSummary {
  /// Returns the summary of a body.
  ///
  /// This works for any body: a member that is missing or has another type is null, and a body that is not JSON results
  /// in an `error`. The time is linear in the sizes of the body and the output.
  ///
  /// - Parameter body: the bytes of the body. An empty or blank body counts as an empty object; a byte order mark is
  ///   skipped.
  /// - Returns: an object with sorted member names.
  package static func summary(of body: [UInt8]) -> JSON {
    let body = JSON.withoutMark(body)
    if body.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
      return summary(of: JSON.object(.init()))
    }
    guard let json = try? JSON(parsing: body) else { return ["error": "invalid-json"] }
    return summary(of: json)
  }

  private static func summary(of json: JSON) -> JSON {
    let response = ResponseReading(json)
    let authenticators = response.authenticators
    return [
      "authenticators": .array(authenticators.map(authenticator)),
      "canCancel": .bool(response.canCancel),
      "current": text(authenticators.first(where: \.isCurrent)?.key),
      "intent": text(response.intent),
      "messages": .array(response.allMessages.map { message($0.0) }),
      "poll": poll(response, authenticators) ?? .null,
      "remediations": .array(response.remediations.map(remediation)),
      "successWithInteractionCode": .bool(response.success != nil),
    ]
  }

  private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  private static func remediation(_ form: FormReading) -> JSON {
    var fields: [JSON] = []
    flatten(form.json["value"]?.array ?? [], "", into: &fields)
    return ["fields": .array(fields), "href": text(form.href), "method": text(form.method), "name": text(form.name)]
  }

  /// Adds each field with its path, then the fields of its nested form, then those of its options.
  private static func flatten(_ list: [JSON], _ prefix: String, into fields: inout [JSON]) {
    for (index, json) in list.enumerated() where json.object != nil {
      let field = FieldReading(json)
      let path =
        if let name = field.name, !name.isEmpty { prefix.isEmpty ? name : prefix + "." + name } else {
          "\(prefix)[\(index)]"
        }
      let options = json["options"]?.array
      fields.append([
        "mutable": .bool(field.isMutable),
        "options": options.map { .array($0.map { text($0["label"]?.string) }) } ?? .null,
        "path": .string(path), "required": .bool(field.isRequired), "secret": .bool(field.isSecret),
        "type": text(field.type), "visible": .bool(field.isVisible),
      ])
      flatten(nested(json), path, into: &fields)
      for (index, option) in (options ?? []).enumerated() where option.object != nil {
        flatten(nested(option), "\(path)[\(index)]", into: &fields)
      }
    }
  }

  private static func nested(_ json: JSON) -> [JSON] {
    json["form"]?["value"]?.array ?? json["value"]?["form"]?["value"]?.array ?? []
  }

  private static func authenticator(_ authenticator: AuthenticatorReading) -> JSON {
    [
      "capabilities": .array(authenticator.capabilities.map(JSON.string)),
      "displayName": text(authenticator.displayName), "id": text(authenticator.id), "key": text(authenticator.key),
      "methods": .array(authenticator.methods.map(JSON.string)), "state": .string(authenticator.state.name),
      "type": text(authenticator.type),
    ]
  }

  private static func message(_ message: MessageReading) -> JSON {
    ["class": text(message.severity), "key": text(message.key), "text": text(message.text)]
  }

  private static func poll(_ response: ResponseReading, _ authenticators: [AuthenticatorReading]) -> JSON? {
    if let form = authenticators.lazy.compactMap({ $0.form("poll") }).first { return poll(form, "authenticator") }
    return response.remediations.first { IDXVocabulary.polls.contains($0.name ?? "") }.map { poll($0, "remediation") }
  }

  private static func poll(_ form: FormReading, _ source: String) -> JSON {
    [
      "href": text(form.href), "interval": form.refresh ?? .null, "name": text(form.name), "source": .string(source),
    ]
  }
}
