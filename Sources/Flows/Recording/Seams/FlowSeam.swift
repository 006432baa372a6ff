// Seams of a kind of flow: what only this kind needs from the outside.

/// A seam that a kind of flow adds to `FlowEnvironment`: a key store, a person who is asked, a browser.
///
/// Name it by a type of its own, and read it from the environment in a draw:
///
/// ```swift
/// public enum MailSeam: FlowSeam {
///   public static var live: any MailSender { SystemMail() }
/// }
/// environment[MailSeam.self] = MailOfATest()
/// let draw = DrawDeclaration.inline { input, environment in environment[MailSeam.self].send(input) }
/// ```
///
/// A replay takes recorded draws and never reads a seam.
public protocol FlowSeam {
  /// What flows use.
  associatedtype Value: Sendable
  /// The default value. Read each time it is needed, so it must be cheap.
  static var live: Value { get }
}

/// The seams that an application or a test has set, by the type that names them.
struct FlowSeams: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  func isSet(_ seam: (some FlowSeam).Type) -> Bool { values[ObjectIdentifier(seam)] != nil }

  subscript<Seam: FlowSeam>(seam: Seam.Type) -> Seam.Value {
    get { values[ObjectIdentifier(seam)] as? Seam.Value ?? Seam.live }
    set { values[ObjectIdentifier(seam)] = newValue }
  }
}
