// The secrets that a flow knows, for tests that nothing shows one.

import EventStore
public import FlowRecording

/// The secrets whose placeholders stand in the records: those long enough not to turn up by chance, and no keys, which are
/// names of members elsewhere.
public func secrets(of records: [FlowRecord], _ vault: Vault) -> Set<String> {
  var secrets: Set<String> = []
  for record in records {
    for part in record.event.data.text.split(separator: "$") where part.hasPrefix("secret.") {
      guard !part.hasPrefix("secret.key."), case let value = vault.reveal("$\(part)$"), !value.hasPrefix("$"),
        value.utf8.count >= 8
      else { continue }
      secrets.insert(value)
    }
  }
  return secrets
}

/// What a value can be made to show: printed, described, reflected, dumped.
public func texts(of value: Any) -> [String] {
  var dumped = ""
  dump(value, to: &dumped, maxDepth: 9)
  return ["\(value)", String(describing: value), String(reflecting: value), dumped]
}
