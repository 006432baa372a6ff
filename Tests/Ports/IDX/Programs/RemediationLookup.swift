// «Check remediation options» of the seed document, and all that collections are good for.

import Foundation
import IDX

enum RemediationLookup {
  /// The same remediation, found in every way.
  static func everyWay(_ response: Response, _ name: String, _ type: Remediation.RemediationType) -> [Remediation?] {
    let byName = response.remediations[name]
    let byType = response.remediations[type]
    let bySearch = response.remediations.first(where: { $0.name == name })
    let position = response.remediations.firstIndex { $0.name == name }
    let byPosition = position.map { response.remediations[$0] }
    return [byName, byType, bySearch, byPosition]
  }

  static func names(_ response: Response) -> String {
    var names: [String] = []
    response.remediations.forEach { names.append($0.name) }
    let remediations: Remediation.Collection = response.remediations
    let last = remediations.last?.name ?? "none"
    return "\(response.remediations.count): \(names.sorted().joined(separator: " ")), \(last) last"
  }

  /// Whether two responses offer the same.
  static func position(of remediation: Remediation, in response: Response) -> Int? {
    response.remediations.firstIndex(of: remediation)
  }

  static func authenticators(_ response: Response) -> [String] {
    let all: Authenticator.Collection = response.authenticators
    let first: Authenticator? = all.first
    let enrolled = all.enrolled.map { $0.displayName ?? "?" }
    let sorted = all.sorted { $0.state < $1.state }
    return [first?.displayName ?? "none"] + enrolled + [sorted.last?.key ?? "none"]
  }

  static func set(_ response: Response) -> Set<Remediation> { Set(response.remediations) }
}
