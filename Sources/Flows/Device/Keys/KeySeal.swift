// How the files of a key store are sealed.

/// How the files of a key store are sealed. The description never includes the secret.
public struct KeySeal: Sendable, CustomStringConvertible, CustomReflectable {
  enum Kind: Sendable {
    case none
    case passphrase(String, KeyDerivationCost)
    case key([UInt8])
  }

  let kind: Kind

  /// No seal: anyone who can read the files has the keys. The files still have mode 0600, and bound keys are still
  /// bound.
  public static var none: KeySeal { KeySeal(kind: .none) }

  /// A passphrase, from which scrypt derives a key, using a salt that is kept in the store.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase from a person or a service manager.
  ///   - cost: the cost of one guess. It is set when the store is created and kept in the store from then on.
  public static func passphrase(_ passphrase: String, cost: KeyDerivationCost = .standard) -> KeySeal {
    KeySeal(kind: .passphrase(passphrase, cost))
  }

  /// A key of 32 bytes that the application gets elsewhere: from a systemd credential, the kernel's keyring, or a key
  /// service.
  public static func key(_ key: [UInt8]) -> KeySeal { KeySeal(kind: .key(key)) }

  /// The kind of seal only.
  public var description: String { "KeySeal(\(name))" }
  /// The kind of seal only.
  public var customMirror: Mirror { Mirror(self, children: ["kind": name]) }

  /// The name of the kind, as written in the store.
  var name: String {
    switch kind {
    case .none: "none"
    case .passphrase: "passphrase"
    case .key: "key"
    }
  }
}
