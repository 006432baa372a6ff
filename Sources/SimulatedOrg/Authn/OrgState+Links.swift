// Link objects (authn.md §4): absolute, with the method they take.

extension OrgState {
  /// A link to a path of this org.
  func link(_ path: String, name: String? = nil, method: String = "POST") -> OrgJSON {
    var link: OrgJSON = [:]
    if let name { link["name"] = .string(name) }
    link["href"] = .string(baseURL + path)
    link["hints"] = ["allow": [.string(method)]]
    return link
  }

  /// A link to an operation under `/api/v1/authn`.
  func authn(_ path: String, name: String? = nil) -> OrgJSON { link("/api/v1/authn" + path, name: name) }

  var cancelLink: OrgJSON.Member { .init("cancel", authn("/cancel")) }
  var previousLink: OrgJSON.Member { .init("prev", authn("/previous")) }
}
