// The next steps of a sign-in (idx §4.1, §12).

import EventStore
public import Foundation

/// A step that the org offers: a form to fill in and send.
@dynamicMemberLookup
public final class Remediation: Sendable, CustomStringConvertible {
  /// The name on the wire: `challenge-authenticator`.
  public let name: String
  /// The kind of step.
  public let type: RemediationType
  /// The form to fill in.
  public let form: Form
  /// The authenticators that the step refers to.
  public let authenticators: Authenticator.Collection
  /// Its capabilities beyond being sent.
  public let capabilities: [any RemediationCapability]
  /// The URL that it is sent to; `nil` if the org's URL is not valid.
  public let href: URL?
  let reading: FormReading
  let reference: FormReference
  let origin: ResponseOrigin

  init(
    _ reading: FormReading, _ reference: FormReference, _ table: AuthenticatorTable, _ response: ResponseReading,
    _ origin: ResponseOrigin
  ) {
    self.reading = reading
    self.reference = reference
    self.origin = origin
    name = reading.name ?? ""
    type = RemediationType(name: reading.name ?? "")
    form = Form(reading.fields, table, origin)
    let related = table.related(to: reading)
    authenticators = Authenticator.Collection(related)
    href = reading.href.flatMap { $0.isEmpty ? nil : URL(string: $0) }
    capabilities = Capability.all(of: reading, reference, form, related, response, origin)
  }

  /// The messages for its fields.
  public var messages: Response.Message.Collection { Response.Message.Collection([], nested: form.allMessages) }

  /// Returns the field with the given name; dots separate levels: `credentials.passcode`.
  public subscript(name: String) -> Form.Field? { form[name] }

  /// Returns the field with the given name: `remediation.identifier`.
  public subscript(dynamicMember name: String) -> Form.Field? { form[name] }

  /// Returns the capability of the given type, or `nil` if the remediation has none.
  public func capability<Found: RemediationCapability>(_ type: Found.Type = Found.self) -> Found? {
    capabilities.lazy.compactMap { $0 as? Found }.first
  }

  /// Waits until the user has acted elsewhere.
  public var pollable: Capability.Pollable? { capability() }
  /// The identity provider that it leads to.
  public var socialIdp: Capability.SocialIDP? { capability() }
  /// The data for registering a new security key.
  public var webAuthnRegistration: Capability.WebAuthnRegistration? { capability() }
  /// The data for authenticating with a security key.
  public var webAuthnAuthentication: Capability.WebAuthnAuthentication? { capability() }

  /// Sends the form, and returns the next response. Missing values are detected before anything is sent.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow was restarted.
  public func proceed(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await IDXSession.response(of: intent(), isolation: isolation)
  }

  /// Sends the form. Delegates receive the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
  @available(
    *, noasync, message: "in top-level code write the type: let response: Response = try await remediation.proceed()"
  )
  public func proceed(isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(intent(), isolation)
  }

  /// Sends the form.
  ///
  /// - Parameters:
  ///   - completion: receives the next response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func proceed(
    completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(intent(), isolation, completion)
  }

  /// Sends the form.
  ///
  /// - Parameters:
  ///   - completion: receives the next response or the error; not called if the call is cancelled.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func proceed(
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(intent(), isolation) { $0.split(completion) }
  }

  private func intent() -> IDXIntent {
    // The form's authenticators may provide values for it (§8.8).
    for authenticator in authenticators {
      if let signature = authenticator.duo?.signatureData {
        form.hidden("signatureData", in: "credentials")?.value = signature
      }
    }
    return IDXIntent(proceed: reading, reference, form, origin)
  }

  /// The name, with secrets replaced.
  public var description: String { "Remediation(\(printedName))" }

  /// The name as shown in descriptions. A known name is not org-supplied text and is not masked, even if one of its
  /// words is also a secret.
  var printedName: String { type.isUnknown ? origin.masked(name) : name }

  /// The remediations of a response, with `cancel` and the success form last.
  public struct Collection: RandomAccessCollection, Sendable, Hashable {
    /// A remediation.
    public typealias Element = Remediation

    private let remediations: [Remediation]

    init(_ remediations: [Remediation]) { self.remediations = remediations }

    /// The position of the first remediation: 0.
    public var startIndex: Int { 0 }
    /// The position after the last remediation.
    public var endIndex: Int { remediations.count }

    /// The remediation at a position, which must be one of `indices`.
    public subscript(position: Int) -> Remediation { remediations[position] }
    /// The remediation at a position, or `nil` if there is none. This overload applies if an optional is expected.
    public subscript(index: some BinaryInteger) -> Remediation? { remediations.at(index) }

    /// The first remediation of a type.
    public subscript(type: RemediationType) -> Remediation? { remediations.first { $0.type == type } }
    /// The first remediation with a name.
    public subscript(name: String) -> Remediation? { remediations.first { $0.name == name } }
    /// The identity providers to choose from.
    public var allSocialIdps: [Capability.SocialIDP] { remediations.compactMap(\.socialIdp) }
  }
}

/// The remediations of a response.
public typealias RemediationCollection = Remediation.Collection

extension Remediation: Hashable {
  /// Returns whether both are the same object, because a remediation holds the user's input.
  public static func == (left: Remediation, right: Remediation) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
