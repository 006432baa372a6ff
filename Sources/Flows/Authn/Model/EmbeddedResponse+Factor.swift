// A factor in an answer (authn §5.2, §5.3).

public import EventStore
public import Foundation

extension EmbeddedResponse {
  /// A factor: one to choose from, or the current one.
  public struct Factor: OktaWireObject {
    /// The factor as the org sent it.
    public let json: JSON

    /// Reads a factor; `nil` if the value is not an object.
    public init?(json: JSON) {
      guard json.object != nil else { return nil }
      self.json = json
    }

    /// Creates a factor from an object.
    init(object json: JSON) { self.json = json }

    /// The factor's ID; `nil` while it is not set up.
    public var id: String? { json["id"]?.string }
    /// The factor's type.
    public var factorType: FactorType { FactorType(raw: json["factorType"]?.string ?? "") }
    /// The factor's provider.
    public var provider: FactorProvider? { json["provider"]?.string.map(FactorProvider.init(raw:)) }
    /// The provider's display name.
    public var vendorName: String? { json["vendorName"]?.string }
    /// What the org knows about the factor, such as a masked phone number or a device's name.
    public var profile: Profile? { json["profile"].flatMap(Profile.init(json:)) }
    /// The data for setting up or challenging the factor.
    public var embedded: Embedded? { json["_embedded"].flatMap(Embedded.init(json:)) }
    /// The factor's own links.
    public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
    /// `REQUIRED`, `OPTIONAL`, `NOT_REQUIRED`; `nil` if the org does not report it.
    public var enrollment: String? { json["enrollment"]?.string }
    /// `NOT_SETUP`, `ACTIVE`, `PENDING_ACTIVATION`; `nil` if the org does not report it.
    public var status: String? { json["status"]?.string }

    /// What the org knows about a factor. Each type of factor has some of these members.
    public struct Profile: OktaWireObject {
      /// The profile as the org sent it.
      public let json: JSON

      /// Reads a profile; `nil` if the value is not an object.
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
      /// The ID of a token.
      public var credentialId: String? { json["credentialId"]?.string }
      /// The email address, masked.
      public var email: String? { json["email"]?.string }
      /// The type of a device.
      public var deviceType: String? { json["deviceType"]?.string }
      /// The operating system of a device.
      public var platform: String? { json["platform"]?.string }
      /// The version of the operating system.
      public var version: String? { json["version"]?.string }
    }

    /// The data for setting up or challenging a factor.
    public struct Embedded: OktaWireObject {
      /// The object as the org sent it.
      public let json: JSON

      /// Reads the data; `nil` if the value is not an object.
      public init?(json: JSON) {
        guard json.object != nil else { return nil }
        self.json = json
      }

      /// The data needed to set the factor up.
      public var activation: Activation? { json["activation"].flatMap(Activation.init(json:)) }
      /// The prompt that the user sees.
      public var challenge: Challenge? { json["challenge"].flatMap(Challenge.init(json:)) }

      /// The data needed to set a factor up.
      public struct Activation: OktaWireObject {
        /// The object as the org sent it.
        public let json: JSON

        /// Reads the data; `nil` if the value is not an object.
        public init?(json: JSON) {
          guard json.object != nil else { return nil }
          self.json = json
        }

        /// When the activation expires, on the org's clock, as sent by the org.
        public var expiresAt: String? { json["expiresAt"]?.string }
        /// When the activation expires, on the org's clock.
        public var expirationTime: Date? { expiresAt.flatMap(Date.init(wire:)) }
        /// The result of a push, as the org reports it.
        public var factorResult: OktaAPISuccessResponse.FactorResult? {
          json["factorResult"]?.string.map(OktaAPISuccessResponse.FactorResult.init(raw:))
        }
        /// The secret of time-based codes.
        public var sharedSecret: String? { json["sharedSecret"]?.string }
        /// The encoding of the secret: `base32` or `base64`.
        public var encoding: String? { json["encoding"]?.string }
        /// The validity of a code in seconds.
        public var timeStep: Int? { json["timeStep"]?.wireInt }
        /// The number of digits in a code.
        public var keyLength: Int? { json["keyLength"]?.wireInt }
        /// The links of the activation.
        public var links: LinksResponse? { json["_links"].flatMap(LinksResponse.init(json:)) }
      }

      /// The prompt that the user sees on the device.
      public struct Challenge: OktaWireObject {
        /// The object as the org sent it.
        public let json: JSON

        /// Reads the prompt; `nil` if the value is not an object.
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
