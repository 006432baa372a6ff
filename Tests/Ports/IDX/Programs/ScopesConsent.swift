// Consent, scope by scope: booleans for what the application may read.

import Foundation
import IDX

struct ScopesConsent {
  func fields(_ response: Response) -> [String] {
    guard let remediation = response.remediations.first(where: { $0.name == "granular-consent" }) else { return [] }
    return remediation.form.fields.flatMap { [$0] + Array($0.form?.fields ?? []) }.compactMap(\.name)
  }

  func allow(_ response: Response, only scopes: Set<String>) async throws -> Response? {
    guard let remediation = response.remediations.first(where: { $0.name == "granular-consent" }) else { return nil }
    remediation["consent"]?.value = true
    for field in remediation["scopes"]?.form?.fields ?? [] where field.isMutable {
      field.value = scopes.contains(field.name ?? "")
    }
    return try await remediation.proceed()
  }
}
