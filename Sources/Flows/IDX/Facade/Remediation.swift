// What may be done next (idx §4.1, §12).

import EventStore
public import Foundation

/// A step that the org offers: a form to fill in and send.
@dynamicMemberLookup
public final class Remediation: Sendable, CustomStringConvertible {
  /// The name on the wire: `challenge-authenticator`.
  public let name: String
  /// What it is for.
  public let type: RemediationType
  /// What to fill in.
  public let form: Form
  /// The authenticators that it is about.
  public let authenticators: Authenticator.Collection
  /// What it can do beyond being sent.
  public let capabilities: [any RemediationCapability]
  /// Where it goes; nil if the org's address cannot be read.
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

  /// The messages about its fields.
  public var messages: Response.Message.Collection { Response.Message.Collection([], nested: form.allMessages) }

  /// The field of that name, dots leading further in: `credentials.passcode`.
  public subscript(name: String) -> Form.Field? { form[name] }

  /// The field of that name: `remediation.identifier`.
  public subscript(dynamicMember name: String) -> Form.Field? { form[name] }

  /// Returns the capability of the given type, or `nil` if the remediation has none.
  public func capability<Found: RemediationCapability>(_ type: Found.Type = Found.self) -> Found? {
    capabilities.lazy.compactMap { $0 as? Found }.first
  }

  /// Waits until the user has acted elsewhere.
  public var pollable: Capability.Pollable? { capability() }
  /// The identity provider that it leads to.
  public var socialIdp: Capability.SocialIDP? { capability() }
  /// What a new security key needs.
  public var webAuthnRegistration: Capability.WebAuthnRegistration? { capability() }
  /// What a security key signs.
  public var webAuthnAuthentication: Capability.WebAuthnAuthentication? { capability() }

  /// Sends the form, and brings the next response. Missing values are found before anything is sent.
  ///
  /// - Parameter isolation: where the call waits and goes on; the caller's.
  /// - Throws: `InteractionCodeFlowError`; `CancellationError` if the task was cancelled or the flow began anew.
  public func proceed(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await IDXSession.response(of: intent(), isolation: isolation)
  }

  /// Sends the form. Delegates get the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: where to call delegates back; the caller's.
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
  ///   - isolation: where to call back; the caller's.
  public func proceed(
    completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(intent(), isolation, completion)
  }

  /// Sends the form.
  ///
  /// - Parameters:
  ///   - completion: receives the next response or the error; not called if the call is cancelled.
  ///   - isolation: where to call back; the caller's.
  public func proceed(
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(intent(), isolation) { $0.split(completion) }
  }

  private func intent() -> IDXIntent {
    // Authenticators that the form is about may know values of it (§8.8).
    for authenticator in authenticators {
      if let signature = authenticator.duo?.signatureData {
        form.hidden("signatureData", in: "credentials")?.value = signature
      }
    }
    return IDXIntent(proceed: reading, reference, form, origin)
  }

  /// The name, in which secrets are replaced.
  public var description: String { "Remediation(\(printedName))" }

  /// The name as a description shows it. One that is known is no text of the org, and stays: a word of it may be a
  /// secret's name.
  var printedName: String { type.isUnknown ? origin.masked(name) : name }

  /// The remediations of a response, `cancel` and the success form at the end.
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
    /// The remediation at a position, or `nil` if there is none; chosen if an optional is wanted.
    public subscript(index: some BinaryInteger) -> Remediation? { remediations.at(index) }

    /// The first of a type.
    public subscript(type: RemediationType) -> Remediation? { remediations.first { $0.type == type } }
    /// The first of a name.
    public subscript(name: String) -> Remediation? { remediations.first { $0.name == name } }
    /// The identity providers to go on at.
    public var allSocialIdps: [Capability.SocialIDP] { remediations.compactMap(\.socialIdp) }
  }
}

/// The remediations of a response.
public typealias RemediationCollection = Remediation.Collection

extension Remediation: Hashable {
  /// Whether both are the same object: a remediation holds what the user fills in.
  public static func == (left: Remediation, right: Remediation) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
