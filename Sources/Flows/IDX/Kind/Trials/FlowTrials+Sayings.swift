// What a flow says of itself, what it makes of addresses that are none, and delegates that hear nothing.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension FlowTrials {
  private static func results(_ documents: JSON...) -> [Result<HTTPResponse, TransportError>] {
    documents.map { .success(answer($0)) }
  }

  private static let handle: JSON = ["interaction_handle": "handle-1"]

  /// Its name, notes of the application, texts of the org, and its context.
  static var said: [String] {
    let stage = Stage(results(handle, identify))
    let heard = stage.run { stage in
      let flow = stage.flow
      stage.say("\(flow) \(flow.flowID) \(Printed.text(flow.context))")
      _ = try? await flow.start(options: [.state: "first"])
      for sentence in ["", "a note", "state first of handle-1 at 02handle", "$secret.state.9$"] {
        flow.note(sentence)
        let masked = flow.masked(sentence)
        stage.say("\(masked) \(flow.revealed(masked)) \(flow.revealed(sentence))")
      }
      stage.say("\(Printed.text(flow.context)) \(Printed.text(flow.context?.pkce))")
      flow.context = InteractionCodeFlow.Context(state: "never begun")
      stage.say("\(flow.context?.state ?? "-") \(text(flow.options)) \(flow.isAuthenticating)")
    }
    return ["said | \(heard)"]
  }

  /// Tokens by the later name of the exchange.
  static var finished: [String] {
    let stage = Stage(results(handle, success, token))
    let heard = stage.run { stage in
      do {
        let response = try await stage.flow.start()
        stage.say(try await response.finish().accessToken)
      } catch {
        stage.say(text(error))
      }
      stage.say("\(text(stage.flow.options)) \(stage.flow.isAuthenticating)")
    }
    return ["finished | \(heard)"]
  }

  /// Flows whose addresses are texts.
  static var addressed: [String] {
    let (issuer, back) = ("\(base)/oauth2/default", "com.acme:/callback")
    let makers: [(String, (FlowEnvironment) -> InteractionCodeFlow)] = [
      ("plain", { .init(issuer: issuer, clientId: "c", scopes: "openid email", redirectUri: back, environment: $0) }),
      (
        "with all",
        {
          .init(
            issuer: issuer, clientId: "c", scopes: "openid", redirectUri: back, additionalParameters: ["b": "2"],
            deviceIdentifier: UUID(uuidString: "12345678-1234-1234-1234-1234567890AB"), clientSecret: "s3cret",
            allowedOrigins: ["https://b.example"], extendedUserAgent: true, idTokenAlgorithms: ["ES256"],
            allowedClockSkew: 5, environment: $0)
        }
      ),
      ("no issuer", { .init(issuer: "", clientId: "c", scopes: "email", redirectUri: back, environment: $0) }),
      ("no redirect", { .init(issuer: issuer, clientId: "c", scopes: "email", redirectUri: "", environment: $0) }),
      ("no addresses", { .init(issuer: "", clientId: "c", scopes: ["email"], redirectUri: "", environment: $0) }),
    ]
    return makers.map { name, make in
      let stage = Stage(results(handle, identify, success, token), make)
      let heard = stage.run { await signIn($0) }
      return "addressed \(name) | \(stage.beginnings) \(heard)"
    }
  }

  /// Flows at issuers that are written in unusual ways.
  static var rooted: [String] {
    let issuers = [
      "/oauth2", "/oauth2/", "/oauth2x/default", "/OAUTH2/default", "/tenant/oauth2/default", "/oauth2/default/", "/",
      ":443/oauth2/default", ":8443", "/oauth2/default?a=1", "/oauth2/default#a", "//oauth2/default",
    ]
    let others = [
      "HTTPS://Acme.Example/oauth2/default", "http://acme.example", "https://ann@acme.example/oauth2/default",
    ]
    return (issuers.map { base + $0 } + others).map { issuer in
      let stage = Stage(results(handle, identify)) {
        .init(issuer: issuer, clientId: "c", scopes: "openid", redirectUri: "com.acme:/callback", environment: $0)
      }
      let heard = stage.run { stage in
        do { stage.say(text(try await stage.flow.start())) } catch { stage.say(text(error)) }
      }
      return "rooted \(issuer) | \(stage.beginnings) \(heard)"
    }
  }

  /// Redirects that are relative, or written in an unusual way.
  static var misdirected: [String] {
    let addresses = [
      "callback?interaction_code=code-1&state=first", "/callback?interaction_code=code-1&state=first",
      "//acme.example/callback?interaction_code=code-1&state=first",
      "COM.ACME:/callback?interaction_code=code-1&state=first",
      "com.acme:///callback?interaction_code=code-1&state=first",
      "com.acme:/callback?interaction_code=code-1&state=first#interaction_code=code-2",
      "com.acme:/callback?state=other&interaction_code=code-1&state=first",
      "com.acme:/callback#interaction_code=code-1&state=first",
    ]
    return addresses.compactMap { URL(string: $0) }.map { url in
      let heard = Stage(results(handle, identify, metadata, token)).run { stage in
        _ = try? await stage.flow.start(options: [.state: "first"])
        stage.say("\(stage.flow.redirectResult(for: url))")
        do {
          stage.say(try await stage.flow.exchangeCode(redirect: url).accessToken)
        } catch {
          stage.say(text(error))
        }
      }
      return "misdirected \(url.absoluteString) | \(heard)"
    }
  }

  /// A delegate without methods of its own.
  private final class Deaf: InteractionCodeFlowDelegate, Sendable {}

  static var unheard: [String] {
    let limited = answer([:], 429, [HTTPField("Retry-After", "7")])
    let given = (answers + [limited]).map { Result<HTTPResponse, TransportError>.success($0) }
    let heard = Stage(given + [.failure(TransportError(.timedOut, "late"))]).run { stage in
      let (deaf, one) = (Deaf(), Listener("one", stage))
      stage.flow.add(delegate: deaf)
      stage.flow.add(delegate: one)
      await signIn(stage)
      await signIn(stage)
      withExtendedLifetime((deaf, one)) {}
    }
    return ["unheard | \(heard)"]
  }
}
