// The subject of a transaction: the rules of the org, an application and how it asks, the factor in question.

import EventStore

extension AuthnObjectCheck {
  private typealias Password = EmbeddedResponse.Policy.Password

  mutating func embedded() {
    let (embedded, json) = (status.model.embedded, answer["_embedded"])
    expect("embedded", (embedded != nil) == (json?.object != nil))
    guard let embedded else { return }
    let factors = json?["factors"]
    let listed = factors?.array ?? json?["factor"]?.array ?? (factors?.object == nil ? nil : factors.map { [$0] })
    expect("embedded.factors", embedded.factors?.map(\.json) == listed?.filter { $0.object != nil })
    let alone = json?["factor"]?.array?.first ?? json?["factor"]
    let one = [alone, factors].compactMap { $0 }.first { $0.object != nil }
    expect("embedded.factor", embedded.factor?.json == one)
    policy(embedded.policy, json?["policy"])
    let target = json?["target"]
    expect("embedded.target", (embedded.target != nil) == (target?.object != nil))
    expect("embedded.target.type", embedded.target?.type == target?["type"]?.string)
    expect("embedded.target.name", embedded.target?.name == target?["name"]?.string)
    expect("embedded.target.label", embedded.target?.label == target?["label"]?.string)
    expect("embedded.target.clientId", embedded.target?.clientId == target?["clientId"]?.string)
    if let target = embedded.target { links(of: "embedded.target", target.links, target.json["_links"]) }
    let (asked, sent) = (embedded.authentication, json?["authentication"])
    expect("embedded.authentication", (asked != nil) == (sent?.object != nil))
    expect("embedded.authentication.authProtocol", asked?.authProtocol?.rawValue == sent?["protocol"]?.string)
    expect("embedded.authentication.issuer.id", asked?.issuer?.id == sent?["issuer"]?["id"]?.string)
    expect("embedded.authentication.issuer.name", asked?.issuer?.name == sent?["issuer"]?["name"]?.string)
    expect("embedded.authentication.issuer.uri", asked?.issuer?.uri == sent?["issuer"]?["uri"]?.string)
  }

  private mutating func policy(_ policy: EmbeddedResponse.Policy?, _ json: JSON?) {
    func has(_ name: String) -> Bool { json?[name].map { $0 != .null } ?? false }
    let remembers = has("allowRememberDevice")
    let hasRules = ["expiration", "complexity", "age"].contains(where: has)
    expect("embedded.policy", (policy != nil) == (remembers || hasRules))
    expect("embedded.policy.json", policy == nil || policy?.json == json)
    switch policy {
    case .rememberDevice: expect("embedded.policy", remembers)
    case .password: expect("embedded.policy", !remembers)
    case nil: break
    }
    let rules = policy?.rememberDevice
    expect("embedded.policy.rememberDevice", (rules != nil) == remembers)
    if let rules {
      expect("allowRememberDevice", rules.allowRememberDevice == (Self.flag(json?["allowRememberDevice"]) ?? false))
      expect("rememberDeviceByDefault", rules.rememberDeviceByDefault == Self.flag(json?["rememberDeviceByDefault"]))
      let minutes = Self.number(json?["rememberDeviceLifetimeInMinutes"])
      expect("rememberDeviceLifetimeInMinutes", rules.rememberDeviceLifetimeInMinutes == minutes)
      var enabled: [String: Bool] = [:]
      for member in json?["factorsPolicyInfo"]?.object?.members ?? [] {
        if let flag = Self.flag(member.value["autoPushEnabled"]) { enabled[member.key] = flag }
      }
      expect("autoPushEnabled", rules.autoPushEnabled == enabled)
    }
    let password = policy?.password
    expect("embedded.policy.password", (password != nil) == hasRules)
    complexity(password?.complexity, json)
    age(password?.age, json)
    expiration(password?.expiration, json)
  }

  /// Compares rules on passwords with those of the answer, whichever object shows them.
  mutating func rules(
    _ complexity: EmbeddedResponse.Policy.Password.PasswordComplexity?,
    _ age: EmbeddedResponse.Policy.Password.PasswordAge?
  ) {
    let json = answer["_embedded"]?["policy"]
    self.complexity(complexity, json)
    self.age(age, json)
  }

  /// Compares the remaining validity of a password with that of the answer.
  mutating func expiration(_ rule: EmbeddedResponse.Policy.Password.PasswordExpiration?) {
    expiration(rule, answer["_embedded"]?["policy"])
  }

  private mutating func complexity(_ rules: Password.PasswordComplexity?, _ policy: JSON?) {
    let json = policy?["complexity"]
    expect("complexity", (rules != nil) == (json?.object != nil))
    guard let rules else { return }
    for (name, value) in [
      ("minLength", rules.minLength), ("minLowerCase", rules.minLowerCase), ("minUpperCase", rules.minUpperCase),
      ("minNumber", rules.minNumber), ("minSymbol", rules.minSymbol),
    ] {
      expect("complexity.\(name)", value == Self.number(json?[name]))
    }
    expect("complexity.excludeUsername", rules.excludeUsername == Self.flag(json?["excludeUsername"]))
    let names = (json?["excludeAttributes"]?.array ?? []).compactMap(\.string)
    expect("complexity.excludeAttributes", rules.excludeAttributes == names)
  }

  private mutating func age(_ rules: Password.PasswordAge?, _ policy: JSON?) {
    let json = policy?["age"]
    expect("age", (rules != nil) == (json?.object != nil))
    expect("age.minAgeMinutes", rules?.minAgeMinutes == Self.number(json?["minAgeMinutes"]))
    expect("age.historyCount", rules?.historyCount == Self.number(json?["historyCount"]))
  }

  private mutating func expiration(_ rule: Password.PasswordExpiration?, _ policy: JSON?) {
    let json = policy?["expiration"]
    expect("expiration", (rule != nil) == (json?.object != nil))
    expect("expiration.passwordExpireDays", rule?.passwordExpireDays == Self.number(json?["passwordExpireDays"]))
  }
}
