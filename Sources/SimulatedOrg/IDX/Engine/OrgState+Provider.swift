// Another party's sign-in page, and the way back from it (idx.md §11.1).

import Foundation

extension OrgState {
  /// `GET /sso/idps/{id}`: the person opens a provider's page, is who the configuration says, and comes back.
  mutating func visit(provider id: String, _ call: IDXCall) -> IDXReply {
    guard let provider = policy.identityProviders.first(where: { $0.id == id }) else {
      return .html("There is no such identity provider.", status: 404)
    }
    guard var transaction = live(call.form["stateToken"]) else { return .html("The session has expired.", status: 400) }
    guard case .identify = transaction.step else { return .html("This page is out of date.", status: 400) }
    guard let login = provider.login.map(Self.key), let account = accounts[login] else {
      return back(transaction, ["error": "access_denied", "error_description": "The provider refused the sign-in."])
    }
    (transaction.login, transaction.identifier, transaction.isFederated) = (login, account.user.login, true)
    advance(&transaction)
    hold(transaction)
    if case .success(let code) = transaction.step { return back(transaction, ["interaction_code": code]) }
    return back(
      transaction,
      [
        "error": "interaction_required",
        "error_description": "Your client is configured to use the interaction code flow.",
      ])
  }

  private func back(_ transaction: IDXTransaction, _ answer: [String: String]) -> IDXReply {
    var items = answer
    items["state"] = transaction.interest.state
    let query = items.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.queryText($0.value))" }.joined(separator: "&")
    return .redirect(to: transaction.interest.redirectURI + "?" + query)
  }

  /// A value as a form carries it: `+` for a space.
  static func queryText(_ text: String) -> String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~ ")
    let escaped = text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    return escaped.replacing(" ", with: "+")
  }
}
