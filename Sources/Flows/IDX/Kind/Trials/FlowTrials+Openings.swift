// Sign-ins whose flow is created in every possible way, sign-ins that cannot be logged, and tokens that are managed.

import EventStore
import FlowRecording
import Foundation

extension FlowTrials {
  /// The tokens of a sign-in as an application manages them, which are then renewed: with and without a client secret.
  static var managed: [String] {
    [nil, "client-secret-1"].map { secret in
      let renewed: JSON = ["token_type": "Bearer", "expires_in": 60, "access_token": "access-2"]
      var whole = metadata.object ?? JSONObject()
      whole["authorization_endpoint"] = .string("\(base)/oauth2/default/v1/authorize")
      let answers = [["interaction_handle": "handle-1"], success, token, .object(whole), renewed].map { answer($0) }
      let stage = Stage(answers.map { .success($0) }) { environment in
        InteractionCodeFlow(
          issuer: "\(base)/oauth2/default", clientId: "client-1", scopes: ["email"], redirectUri: "com.acme:/callback",
          clientSecret: secret, environment: environment)
      }
      let heard = stage.run { stage in
        do {
          let manager = try await stage.flow.start(options: [.nonce: "nonce-1"]).exchangeCodeForManager()
          stage.say("\(manager.accessToken ?? "-") \(manager.refreshToken ?? "-")")
          stage.say(try await manager.renew().accessToken ?? "-")
        } catch {
          stage.say("\(error)")
        }
      }
      return "managed \(secret ?? "-") | \(heard)"
    }
  }

  private static var given: [Result<HTTPResponse, TransportError>] { answers.map { .success($0) } }

  /// The ways to create a flow, each with options that few flows need.
  private static var ways: [(String, (FlowEnvironment) -> InteractionCodeFlow)] {
    guard let issuer = URL(string: "\(base)/oauth2/default/"), let back = URL(string: "com.acme:/callback") else {
      return []
    }
    let device = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let parameters = ["more": "1", "state": "theirs", "scope": "all"]
    let (client, scopes) = ("client-1", "openid email")
    return [
      ("plain", { .init(issuer: issuer, clientId: client, scopes: scopes, redirectUri: back, environment: $0) }),
      (
        "parameters",
        {
          .init(
            issuer: issuer, clientId: client, scopes: scopes, redirectUri: back, additionalParameters: parameters,
            environment: $0)
        }
      ),
      (
        "device",
        {
          .init(
            issuer: issuer, clientId: client, scopes: scopes, redirectUri: back, deviceIdentifier: device,
            environment: $0)
        }
      ),
      (
        "secret",
        {
          .init(
            issuer: issuer, clientId: client, scopes: scopes, redirectUri: back, clientSecret: "s3cret", environment: $0
          )
        }
      ),
      (
        "origins",
        {
          .init(
            issuer: issuer, clientId: client, scopes: scopes, redirectUri: back,
            allowedOrigins: ["https://login.acme.example"], environment: $0)
        }
      ),
      (
        "terms",
        {
          .init(
            issuer: issuer, clientId: client, scopes: scopes, redirectUri: back, idTokenAlgorithms: ["ES256"],
            allowedClockSkew: 10, environment: $0)
        }
      ),
      (
        "list",
        {
          .init(
            issuer: issuer, clientId: client, scopes: ["openid", "email"], redirectUri: back,
            additionalParameters: parameters, deviceIdentifier: device, environment: $0)
        }
      ),
      (
        "no address",
        { .init(issuer: "no address", clientId: client, scopes: ["email"], redirectUri: "neither", environment: $0) }
      ),
      (
        "client",
        { environment in
          environment.run {
            .init(
              redirectUri: back, additionalParameters: parameters,
              client: OAuth2Client(issuer: issuer, clientId: client, scopes: scopes))
          }
        }
      ),
      (
        "file",
        { environment in
          let list = [
            "issuer": issuer.absoluteString, "clientId": client, "scopes": scopes, "redirectUri": back.absoluteString,
            "clientSecret": "s3cret", "acr_values": "urn:a",
          ]
          guard let configuration = try? PropertyListConfiguration(list, source: "Okta.plist") else {
            return .init(issuer: "-", clientId: "-", scopes: [], redirectUri: "-", environment: environment)
          }
          return .init(configuration, environment)
        }
      ),
    ]
  }

  /// Flows created in every way, each with a sign-in, and one that continues where another one stopped.
  static var opened: [String] {
    let made = ways.map { name, way in
      let stage = Stage(given, way)
      let heard = stage.run { await signIn($0) }
      return "opened \(name) | \(stage.beginnings) \(heard)"
    }
    let earlier = Stage(given)
    _ = earlier.run { stage in _ = try? await stage.flow.start(options: [.state: "first", .maxAge: 5]) }
    guard let context = earlier.flow.context, let issuer = URL(string: "\(base)/oauth2/default"),
      let back = URL(string: "com.acme:/callback")
    else { return made }
    let later = Stage(Array(given.dropFirst())) { environment in
      InteractionCodeFlow(
        issuer: issuer, clientId: "client-1", scopes: "email", redirectUri: back, context: context,
        environment: environment)
    }
    let heard = later.run { stage in
      do {
        stage.say(text(try await stage.flow.resume()))
      } catch {
        stage.say(text(error))
      }
    }
    return made + ["opened later | \(later.beginnings) \(heard)"]
  }

  /// Sign-ins for which the log accepts only a certain number of steps, followed by further calls.
  static var unwritten: [String] {
    StoppingRecorder.Place.allCases.flatMap { place in
      (0..<8).map { steps in
        let stage = Stage(given, recorder: StoppingRecorder(after: steps, at: place))
        return "unwritten \(place) \(steps) | "
          + stage.run { stage in
            await signIn(stage)
            await signIn(stage)
          }
      }
    }
  }
}
