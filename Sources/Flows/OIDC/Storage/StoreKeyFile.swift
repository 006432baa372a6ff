// The file `KEY` of a store, which contains the key or says where it is kept. It never changes once written, so that a
// store is never read with one key and written with another.

import EventStore
import FlowRecording

/// Obtains the key of a store.
struct StoreKeyFile {
  static let name = "KEY"
  private static let format = "flowrecorder-token-key"
  private static let limit = 4_096

  var directory: SecretDirectory
  var service: SecretService

  private var path: String { "\(directory.path)/\(Self.name)" }

  /// Returns the key, creating it if there is none.
  func key(_ source: TokenStoreKey) throws(TokenStoreError) -> [UInt8] {
    switch source {
    case .bytes(let bytes): return try TokenStoreKey.checked(bytes, from: "the application")
    case .provider(let provider):
      do {
        return try TokenStoreKey.checked(try provider(), from: "the application")
      } catch let error as TokenStoreError {
        throw error
      } catch {
        throw .unavailable(reason: "the application's provider failed")
      }
    case .file, .secretService, .standard:
      if let text = try read() { return try key(in: text, expected: source) }
      try make(source)
      guard let text = try read() else { throw .damaged(path: path) }
      return try key(in: text, expected: source)
    }
  }

  private func read() throws(TokenStoreError) -> [UInt8]? {
    do throws(SecretFileError) { return try directory.read(Self.name, limit: Self.limit) } catch {
      throw TokenStoreError(error)
    }
  }

  private func key(in text: [UInt8], expected: TokenStoreKey) throws(TokenStoreError) -> [UInt8] {
    guard let json = try? JSON(parsing: text), json["format"]?.string == Self.format else {
      throw .damaged(path: path)
    }
    guard json["v"]?.int == 1 else { throw .unknownVersion(path: path) }
    switch (json["source"]?.string, expected) {
    case ("file", .file), ("file", .standard):
      guard let bytes = json["key"]?.string.flatMap(Base64URL.decode), bytes.count == TokenStoreKey.length else {
        throw .damaged(path: path)
      }
      return bytes
    case ("secretService", .secretService), ("secretService", .standard):
      guard let id = json["id"]?.string else { throw .damaged(path: path) }
      guard let bytes = try service.lookUp(id) else {
        throw .unavailable(
          reason: "the Secret Service has no key for \(directory.path); it was removed, or is another's")
      }
      return try TokenStoreKey.checked(bytes, from: "the Secret Service")
    case ("file", _), ("secretService", _): throw .wrongKey(path: path)
    case (.some, _), (nil, _): throw .damaged(path: path)
    }
  }

  /// Writes the file, unless another process did so first.
  private func make(_ source: TokenStoreKey) throws(TokenStoreError) {
    let key = RandomBytes.make(count: TokenStoreKey.length)
    let inFile: JSON = [
      "format": .string(Self.format), "v": 1, "source": "file", "key": .string(Base64URL.encode(key)),
    ]
    switch source {
    case .secretService: try keep(try inService(key))
    case .standard:
      do throws(TokenStoreError) { try keep(try inService(key)) } catch .unavailable { try keep(inFile) }
    case .file, .bytes, .provider: try keep(inFile)
    }
  }

  private func inService(_ key: [UInt8]) throws(TokenStoreError) -> JSON {
    let id = Base64URL.encode(RandomBytes.make(count: 16))
    try service.store(key, as: id)
    return ["format": .string(Self.format), "v": 1, "source": "secretService", "id": .string(id)]
  }

  private func keep(_ json: JSON) throws(TokenStoreError) {
    do throws(SecretFileError) { _ = try directory.writeNew(json.bytes + [0x0A], to: Self.name) } catch {
      throw TokenStoreError(error)
    }
  }
}

extension TokenStoreError {
  /// Converts an error of a secret file.
  init(_ error: SecretFileError) {
    switch error {
    case .system(_, _, let number): self = .system(reason: error.reason, number: number)
    case .exposed, .foreign, .kind, .tooLarge: self = .unsafe(reason: error.reason)
    }
  }
}
