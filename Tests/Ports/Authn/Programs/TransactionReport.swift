// What stands in a transaction object: user, policy, links, factors with their profiles.

import Authn
import Foundation

struct TransactionReport {
  var lines: [String] = []

  init(_ status: OktaAuthStatus) {
    let model: OktaAPISuccessResponse = status.model
    if let user = model.embedded?.user {
      lines.append(
        "user \(user.profile?.login ?? "?") \(user.profile?.firstName ?? "?") \(user.profile?.locale ?? "?")")
      lines.append("changed \(user.passwordChanged != nil)")
    }
    if let expires = model.expirationDate { lines.append("expires \(expires)") }
    for factor in model.embedded?.factors ?? [] { add(factor) }
    if let factor = model.embedded?.factor { add(factor) }
    if let policy = model.embedded?.policy {
      switch policy {
      case .rememberDevice(let rule): lines.append("remember \(rule.allowRememberDevice)")
      case .password(let rule):
        lines.append("password \(rule.complexity?.minLength ?? 0) \(rule.age?.historyCount ?? 0)")
      }
    }
    add(status.links)
  }

  private mutating func add(_ factor: EmbeddedResponse.Factor) {
    let profile: EmbeddedResponse.Factor.Profile? = factor.profile
    let detail = profile?.phoneNumber ?? profile?.questionText ?? profile?.credentialId ?? profile?.name ?? "-"
    lines.append("\(factor.factorType.rawValue) \(factor.provider?.rawValue ?? "?") \(detail)")
  }

  private mutating func add(_ links: LinksResponse?) {
    let link: LinksResponse.Link? = links?.next
    if let next = link {
      let href: URL = next.href
      lines.append("next \(next.name ?? "?") \(href.path) \(next.hints["allow"]?.joined() ?? "?")")
    }
    lines.append("cancel \(links?.cancel?.href.lastPathComponent ?? "none")")
    lines.append("prev \(links?.prev != nil) skip \(links?.skip != nil)")
    switch links?.resend {
    case .resend(let link)?: lines.append("resend \(link.name ?? "?")")
    case .resendArray(let links)?: lines.append("resend \(links.map { $0.name ?? "?" }.joined(separator: "|"))")
    case nil: break
    }
  }
}
