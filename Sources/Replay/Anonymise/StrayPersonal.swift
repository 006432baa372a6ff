// Personal values that only the outputs of a flow have, because the SDK that recorded it made them of others.

import EventStore
import FlowRecording

extension FlowKind {
  /// The values of a flow's outputs that stand where the schemas of the kind have a person, and in no input: a login
  /// that was written in lower case, or that of someone else. With them, all logins of the flow.
  static func strayPersonal(in flow: RecordedFlow) -> (values: [String], logins: Set<String>) {
    var (given, found, logins, facts) = (Set<String>(), [String](), Set<String>(), SignInFacts())
    let names = policy.personalNames
    func visit(_ json: JSON, _ name: String?, _ take: (String, String?) -> Void) {
      switch json {
      case .string(let text): take(text, name)
      case .array(let elements): for element in elements { visit(element, name, take) }
      case .object(let object): for member in object.members { visit(member.value, member.key, take) }
      case .null, .bool, .number: break
      }
    }
    for record in flow.records where record.event.isInput {
      visit(record.event.data, nil) { text, _ in given.insert(text) }
    }
    for record in flow.records {
      note(record.event.type, { record.event.data }, in: &facts)
      logins.formUnion([facts.typed, facts.login].compactMap { $0 })
      guard !record.event.isInput else { continue }
      visit(record.event.data, nil) { text, name in if let name, names.contains(name) { found.append(text) } }
      if let login = facts.login { found.append(login) }
    }
    return (found.filter { !given.contains($0) && PersonalWords.isReplaced($0) }, logins)
  }
}

extension MaskingPolicy {
  /// The names of members that are about a person.
  var personalNames: Set<String> {
    [arguments, response, settings].reduce(into: []) { names, schema in schema.addPersonalNames(to: &names) }
  }
}

extension WireSchema {
  /// Adds the names of the members that are about a person, whatever the other members are.
  fileprivate func addPersonalNames(to names: inout Set<String>) {
    switch self {
    case .object(let members):
      for (name, member) in members {
        if member.isPersonal { names.insert(name) }
        member.addPersonalNames(to: &names)
      }
    case .map(let element), .array(let element), .setting(let element): element.addPersonalNames(to: &names)
    case .word, .text, .identifier, .place, .errorCode, .number, .boolean, .date, .url, .personal, .login, .own,
      .secret, .depending:
      break
    }
  }
}
