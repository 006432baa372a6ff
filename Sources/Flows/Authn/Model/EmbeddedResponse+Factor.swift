// A factor as an answer shows it (authn §5.2, §5.3).

public import EventStore
public import Foundation

extension EmbeddedResponse {
  /// A factor: one to choose, or the one in question.
  public struct Factor: OktaWireObject {
    /// The factor as the org sent it.
    public let json: JSON

    /// Reads a factor; `nil` if this is no object.
    public init?(json: JSON) {
      guard json.object != nil else { return nil }
      self.json = json
    }

    /// Takes an object for a factor.
    init(object json: JSON) { self.json = json }

    /// The factor's id; `nil` while it is not set up.
    public var id: String? { json["id"]?.string }
    /// The factor's kind.
    public var factorType: FactorType { FactorType(raw: json["factorType"]?.string ?? "") }
    /// The factor's maker.
    public var provider: FactorProvider? { json["provider"]?.string.map(FactorProvider.init(raw:)) }
    /// The maker's name for people.
    public var vendorName: String? { json["vendorName"]?.string }
    /// What the org knows of the factor: a masked phone number, a device's name.
    public var profile: Profile? { json["profile"].flatMap(Profile.init(json:)) }
    /// What the factor is set up or challenged with.
    public var embedded: Embedded? { json["_embedded"].flatMap(Embedded.init(json:)) }
    /// The factor's own links.
    public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
    /// `REQUIRED`, `OPTIONAL`, `NOT_REQUIRED`; `nil` if the org does not say.
    public var enrollment: String? { json["enrollment"]?.string }
    /// `NOT_SETUP`, `ACTIVE`, `PENDING_ACTIVATION`; `nil` if the org does not say.
    public var status: String? { json["status"]?.string }

    /// What the org knows of a factor. Each kind of factor has some of these.
    public struct Profile: OktaWireObject {
      /// The profile as the org sent it.
      public let json: JSON

      /// Reads a profile; `nil` if this is no object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The name of a device.
      public var name: String? { json["name"]?.string }
      /// The phone number, masked.
      public var phoneNumber: String? { json["phoneNumber"]?.string }
      /// The extension of the phone number.
      public var phoneExtension: String? { json["phoneExtension"]?.string }
      /// The key of a security question.
      public var question: String? { json["question"]?.string }
      /// A security question.
      public var questionText: String? { json["questionText"]?.string }
      /// The id of a token.
      public var credentialId: String? { json["credentialId"]?.string }
      /// The mail address, masked.
      public var email: String? { json["email"]?.string }
      /// The kind of a device.
      public var deviceType: String? { json["deviceType"]?.string }
      /// The operating system of a device.
      public var platform: String? { json["platform"]?.string }
      /// The version of the operating system.
      public var version: String? { json["version"]?.string }
    }

    /// What a factor is set up or challenged with.
    public struct Embedded: OktaWireObject {
      /// The object as the org sent it.
      public let json: JSON

      /// Reads the object; `nil` if this is no object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The data needed to set the factor up.
      public var activation: Activation? { json["activation"].flatMap(Activation.init(json:)) }
      /// What the user is asked for.
      public var challenge: Challenge? { json["challenge"].flatMap(Challenge.init(json:)) }

      /// The data needed to set a factor up.
      public struct Activation: OktaWireObject {
        /// The object as the org sent it.
        public let json: JSON

        /// Reads the object; `nil` if this is no object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// Until when the factor can be activated, on the org's clock, as the org wrote it.
        public var expiresAt: String? { json["expiresAt"]?.string }
        /// Until when the factor can be activated, on the org's clock.
        public var expirationTime: Date? { expiresAt.flatMap(Date.init(wire:)) }
        /// What the org says of a push.
        public var factorResult: OktaAPISuccessResponse.FactorResult? {
          json["factorResult"]?.string.map(OktaAPISuccessResponse.FactorResult.init(raw:))
        }
        /// The secret of time-based codes.
        public var sharedSecret: String? { json["sharedSecret"]?.string }
        /// How the secret is written: `base32`, `base64`.
        public var encoding: String? { json["encoding"]?.string }
        /// Seconds that a code holds.
        public var timeStep: Int? { json["timeStep"]?.wireInt }
        /// Digits of a code.
        public var keyLength: Int? { json["keyLength"]?.wireInt }
        /// The links of the activation.
        public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
      }

      /// What the user is asked for on the device.
      public struct Challenge: OktaWireObject {
        /// The object as the org sent it.
        public let json: JSON

        /// Reads the object; `nil` if this is no object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// The number that the user must choose on the device.
        public var correctAnswer: Int? { json["correctAnswer"]?.wireInt }
      }
    }
  }
}
