// `Okta.plist` (idx §11.3). Its values are recorded in `flow.started`, so that a replay does not need the file.

public import Foundation

/// Why a property list cannot configure a flow.
public enum PropertyListConfigurationError: Error, Sendable, Equatable, LocalizedError {
  /// There is no `Okta.plist` beside the program or in the working directory.
  case defaultPropertyListNotFound
  /// The file does not exist, or is not a property list with a dictionary.
  case invalidPropertyList(url: URL)
  /// The file cannot be parsed, with the reason.
  case cannotParsePropertyList(String)
  /// The issuer, client ID, scopes, or redirect URI is missing.
  case missingConfigurationValues
  /// A value is not valid.
  case invalidConfiguration(name: String, value: String?)

  /// One sentence that describes the error.
  public var errorDescription: String? {
    switch self {
    case .defaultPropertyListNotFound:
      "There is no Okta.plist beside the program or in the working directory. Put one there, or give its path."
    case .invalidPropertyList(let url): "\(url.path) is not there, or is no property list of a dictionary."
    case .cannotParsePropertyList(let reason): "The property list cannot be parsed: \(reason)."
    case .missingConfigurationValues: "The property list needs issuer, clientId, scopes and redirectUri."
    case .invalidConfiguration(let name, _): "The value of \(name) in the property list cannot be used."
    }
  }
}

/// The contents of a property list.
struct PropertyListConfiguration: Equatable {
  var issuer: URL
  var clientId: String
  var scopes: String
  var redirectUri: URL
  var clientSecret: String?
  var additionalParameters: [String: String]?
  /// The file's name.
  var source: String

  /// Reads the program's default file.
  static func standard() throws -> PropertyListConfiguration {
    let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
    let folders = [program, URL(fileURLWithPath: FileManager.default.currentDirectoryPath)]
    let files = folders.map { $0.appendingPathComponent("Okta.plist") }
    guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      throw PropertyListConfigurationError.defaultPropertyListNotFound
    }
    return try PropertyListConfiguration(file)
  }

  /// Reads a file.
  init(_ url: URL) throws {
    guard let data = FileManager.default.contents(atPath: url.path) else {
      throw PropertyListConfigurationError.invalidPropertyList(url: url)
    }
    let list: Any
    do {
      // SAFETY: no pointer is passed, because the format is not requested.
      list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      throw PropertyListConfigurationError.cannotParsePropertyList("it is no property list")
    }
    guard let values = list as? [String: Any] else {
      throw PropertyListConfigurationError.invalidPropertyList(url: url)
    }
    try self.init(values, source: url.lastPathComponent)
  }

  /// Reads the values. Keys may be written in camel, Pascal, or snake case; empty strings count as missing.
  init(_ values: [String: Any], source: String) throws {
    var texts: [String: String] = [:]
    for (key, value) in values {
      let name = Self.plain(key)
      if let text = value as? String {
        texts[name] = text
      } else if let list = value as? [String] {
        texts[name] = list.joined(separator: " ")
      } else if Self.required.contains(name) {
        throw PropertyListConfigurationError.invalidConfiguration(name: key, value: nil)
      }
    }
    texts = texts.filter { !$0.value.isEmpty }
    guard let issuer = texts["issuer"] ?? texts["issuerurl"], let clientId = texts["clientid"],
      let scopes = texts["scopes"] ?? texts["scope"], let redirect = texts["redirecturi"]
    else { throw PropertyListConfigurationError.missingConfigurationValues }
    guard let issuerURL = URL(string: issuer), issuerURL.scheme != nil else {
      throw PropertyListConfigurationError.invalidConfiguration(name: "issuer", value: issuer)
    }
    guard let redirectURL = URL(string: redirect), redirectURL.scheme != nil else {
      throw PropertyListConfigurationError.invalidConfiguration(name: "redirectUri", value: redirect)
    }
    self.issuer = issuerURL
    self.clientId = clientId
    self.scopes = scopes.split(separator: " ").joined(separator: " ")
    redirectUri = redirectURL
    clientSecret = texts["clientsecret"]
    self.source = source
    let own = Self.required.union(["clientsecret", "logoutredirecturi"])
    var parameters: [String: String] = [:]
    for (key, value) in values where !own.contains(Self.plain(key)) {
      if let text = value as? String, !text.isEmpty { parameters[key] = text }
      if let number = value as? Int, !(value is Bool) { parameters[key] = String(number) }
    }
    additionalParameters = parameters.isEmpty ? nil : parameters
  }

  private static let required: Set<String> = ["issuer", "issuerurl", "clientid", "scopes", "scope", "redirecturi"]

  private static func plain(_ key: String) -> String { key.lowercased().filter { $0 != "_" && $0 != "-" } }
}
