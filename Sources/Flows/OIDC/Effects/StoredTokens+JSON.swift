// Stored tokens as arguments and values of draws, in which the recorder replaces secrets.

package import EventStore

extension StoredTokens {
  /// The tokens by the names of their members.
  package var json: JSON {
    .members([
      ("id", .string(id)), ("issuer", .string(issuer)), ("clientId", .string(clientID)),
      ("tokenType", .string(tokenType)), ("accessToken", accessToken.map(JSON.string)),
      ("refreshToken", refreshToken.map(JSON.string)), ("idToken", idToken.map(JSON.string)),
      ("deviceSecret", deviceSecret.map(JSON.string)), ("scope", scope.map(JSON.string)),
      ("issued", .number(String(issued))), ("expiry", expiry.map { .number(String($0)) }),
      ("algorithms", algorithms.isEmpty ? nil : .array(algorithms.map(JSON.string))),
      ("endpoints", endpoints.json), ("authorizationError", authorizationError.map(JSON.string)),
      ("accessibility", accessibility.map(JSON.string)),
      ("clockSkew", clockSkew.map { .number(String($0)) }),
    ])
  }

  /// Reads the output of `json`; nil if a required member is missing.
  package init?(json: JSON) {
    guard let id = json["id"]?.string, let issuer = json["issuer"]?.string, let client = json["clientId"]?.string else {
      return nil
    }
    func time(_ name: String) -> Int64? {
      guard case .number(let text) = json[name] else { return nil }
      return Int64(text)
    }
    self.init(
      id: id, issuer: issuer, clientID: client, tokenType: json["tokenType"]?.string ?? "Bearer",
      accessToken: json["accessToken"]?.string, issued: time("issued") ?? 0)
    refreshToken = json["refreshToken"]?.string
    idToken = json["idToken"]?.string
    deviceSecret = json["deviceSecret"]?.string
    scope = json["scope"]?.string
    expiry = time("expiry")
    algorithms = json["algorithms"]?.array?.compactMap(\.string) ?? []
    endpoints = Endpoints(json["endpoints"] ?? [:])
    authorizationError = json["authorizationError"]?.string
    accessibility = json["accessibility"]?.string
    clockSkew = time("clockSkew")
  }
}

extension StoredTokens.Endpoints {
  fileprivate var json: JSON {
    .members([
      ("authorization", authorization.map(JSON.string)), ("token", token.map(JSON.string)),
      ("keys", keys.map(JSON.string)), ("userInfo", userInfo.map(JSON.string)),
      ("introspection", introspection.map(JSON.string)), ("revocation", revocation.map(JSON.string)),
      ("endSession", endSession.map(JSON.string)),
    ])
  }

  fileprivate init(_ json: JSON) {
    self.init()
    authorization = json["authorization"]?.string
    token = json["token"]?.string
    keys = json["keys"]?.string
    userInfo = json["userInfo"]?.string
    introspection = json["introspection"]?.string
    revocation = json["revocation"]?.string
    endSession = json["endSession"]?.string
  }
}
