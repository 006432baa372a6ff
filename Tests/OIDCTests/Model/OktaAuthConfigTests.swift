import EventStore
import Foundation
import OIDC
import Testing

/// The configuration of a client (oidc §1.1).
@Suite struct OktaAuthConfigTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  private static let good = [
    "issuer": "https://acme.example/oauth2/default", "clientId": "0oa1", "redirectUri": "com.acme.app:/callback",
    "scopes": "openid profile offline_access", "logoutRedirectUri": "com.acme.app:/logout", "login_hint": "a@b.example",
  ]

  private static func with(_ key: String, _ value: String?) -> [String: String] {
    var values = good
    values[key] = value
    return values
  }

  @Test func `a dictionary configures, and each further key is a parameter`() throws {
    let config = try OktaAuthConfig(with: Self.good)
    #expect(config.clientId == "0oa1" && config.issuer == "https://acme.example/oauth2/default")
    #expect(config.scopes == "openid profile offline_access")
    #expect(config.redirectUri.absoluteString == "com.acme.app:/callback")
    #expect(config.logoutRedirectUri?.absoluteString == "com.acme.app:/logout")
    #expect(config.additionalParams == ["login_hint": "a@b.example"])
    #expect(try OktaAuthConfig(with: Self.with("login_hint", nil)).additionalParams == nil)
  }

  @Test(arguments: ["issuer", "clientId", "redirectUri", "scopes"])
  func `a required value that is missing, empty or blank is an error`(key: String) {
    for value in [nil, "", "  \n"] {
      #expect(throws: OktaError.missingConfigurationValues) { try OktaAuthConfig(with: Self.with(key, value)) }
    }
  }

  @Test(arguments: [
    ["redirectUri", "no uri"], ["redirectUri", "/callback"], ["redirectUri", "https://"], ["redirectUri", "a:/b#c"],
    ["logoutRedirectUri", "::"], ["issuer", "acme.example"], ["issuer", "https:///oauth2"], ["issuer", "https://a b"],
  ])
  func `a URI that cannot be one is an error`(row: [String]) {
    #expect(throws: OktaError.missingConfigurationValues) { try OktaAuthConfig(with: Self.with(row[0], row[1])) }
  }

  @Test func `one slash at the end of the issuer and repeated blanks of scopes do not count`() throws {
    let config = try OktaAuthConfig(with: Self.with("issuer", "https://acme.example/oauth2/default/"))
    #expect(try config == OktaAuthConfig(with: Self.with("scopes", " openid   profile\toffline_access ")))
    let long = String(repeating: "s", count: 1_024)
    #expect(try OktaAuthConfig(with: Self.with("scopes", long)).scopes == long)
    #expect(throws: OktaError.missingConfigurationValues) { try OktaAuthConfig(with: Self.with("scopes", long + "s")) }
  }

  @Test func `no further key is a parameter of the protocol`() throws {
    var values = Self.good
    for name in OktaAuthConfig.protocolParameters { values[name] = "evil" }
    #expect(try OktaAuthConfig(with: values).additionalParams == ["login_hint": "a@b.example"])
    let more = try OktaAuthConfig(with: values).configuration(withAdditionalParams: ["state": "evil", "prompt": "none"])
    #expect(more.additionalParams == ["login_hint": "a@b.example", "prompt": "none"])
  }

  @Test func `six fields are encoded and compared, and options are neither`() throws {
    var config = try OktaAuthConfig(with: Self.good)
    config.options.clientSecret = "secret-canary"
    let data = try JSONEncoder().encode(config)
    #expect(!String(decoding: data, as: UTF8.self).contains("canary"))
    let back = try JSONDecoder().decode(OktaAuthConfig.self, from: data)
    #expect(back == config && back.options.clientSecret == nil)
    for (key, value) in [
      ("issuer", "https://b.example"), ("clientId", "b"), ("redirectUri", "b:/c"), ("scopes", "openid"),
      ("logoutRedirectUri", "b:/d"), ("login_hint", "b"),
    ] {
      #expect(try OktaAuthConfig(with: Self.with(key, value)) != config, "\(key)")
    }
    #expect(throws: (any Error).self) { try JSONDecoder().decode(OktaAuthConfig.self, from: Data("{}".utf8)) }
    var text = "\(config) \(String(reflecting: config.options))"
    dump(config.options, to: &text)
    #expect(!text.contains("canary"))
  }

  @Test func `a property list and a JSON file of the same values configure the same`() throws {
    let list = try PropertyListSerialization.data(fromPropertyList: Self.good, format: .xml, options: 0)
    try folder.write(Array(list), to: "Acme.plist")
    let json = JSON.members(Self.good.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) })
    try folder.write(json.bytes, to: "Acme.json")
    let config = try OktaAuthConfig(with: Self.good)
    #expect(try OktaAuthConfig(fromPlist: folder.file("Acme")) == config)
    #expect(try OktaAuthConfig(fromPlist: folder.file("Acme.plist")) == config)
    #expect(try OktaAuthConfig(fromPlist: folder.file("Acme.json")) == config)
  }

  @Test func `a file that is missing, no list, or holds what is no text is an error of its own`() throws {
    #expect(throws: OktaError.noPListGiven) { try OktaAuthConfig(fromPlist: folder.file("None")) }
    #expect(throws: OktaError.noPListGiven) { try OktaAuthConfig(fromPlist: "") }
    #expect(throws: OktaError.noPListGiven) { try OktaAuthConfig(fromPlist: folder.path) }
    let number = try PropertyListSerialization.data(fromPropertyList: ["issuer": 1], format: .xml, options: 0)
    let bad: [(String, [UInt8])] = [
      ("a.plist", []), ("b.plist", Array("<plist".utf8)), ("c.plist", Array(number)), ("d.json", Array("[]".utf8)),
      ("e.json", Array(#"{"issuer":1}"#.utf8)), ("f.json", Array(#"{"issuer":"a","issuer":"b"}"#.utf8)),
      ("g.json", [0xFF]), ("h.json", Array(repeating: 0x20, count: 1 << 21)),
    ]
    for (name, bytes) in bad {
      try folder.write(bytes, to: name)
      #expect(throws: OktaError.pListParseFailure, "\(name)") { try OktaAuthConfig(fromPlist: folder.file(name)) }
    }
    try folder.write("{}", to: "i.json")
    #expect(throws: OktaError.missingConfigurationValues) { try OktaAuthConfig(fromPlist: folder.file("i.json")) }
  }

  @Test func `without a default file a program is not configured`() {
    #expect(OktaAuthConfig.defaultPlistName == "Okta")
    #expect(throws: OktaError.notConfigured) { try OktaAuthConfig.default() }
  }
}
