// What the files of a key store are sealed under.

/// What a key store in files is sealed under. It prints nothing of what it holds.
public struct KeySeal: Sendable, CustomStringConvertible, CustomReflectable {
  enum Kind: Sendable {
    case none
    case passphrase(String, KeyDerivationCost)
    case key([UInt8])
  }

  let kind: Kind

  /// Nothing: whoever can read the files has the keys. The files are still 0600, and bound keys still bound.
  public static var none: KeySeal { KeySeal(kind: .none) }

  /// A passphrase, from which a key is derived with scrypt, with a salt that is kept in the store.
  ///
  /// - Parameters:
  ///   - passphrase: what a person or a service manager gives.
  ///   - cost: how much work a guess costs. It counts when the store is made, and stands in the store from then on.
  public static func passphrase(_ passphrase: String, cost: KeyDerivationCost = .standard) -> KeySeal {
    KeySeal(kind: .passphrase(passphrase, cost))
  }

  /// 32 bytes that the application has from elsewhere: a systemd credential, the kernel's keyring, a key service.
  public static func key(_ key: [UInt8]) -> KeySeal { KeySeal(kind: .key(key)) }

  /// The kind alone.
  public var description: String { "KeySeal(\(name))" }
  /// The kind alone.
  public var customMirror: Mirror { Mirror(self, children: ["kind": name]) }

  /// The kind's name, as it stands in the store.
  var name: String {
    switch kind {
    case .none: "none"
    case .passphrase: "passphrase"
    case .key: "key"
    }
  }
}
