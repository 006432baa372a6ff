// The metadata cache as draws. If several flows need a server's metadata at the same time, one fetches it.

import EventStore
import FlowRecording

enum MetadataDraws {
  /// `oidc.known`: `issuer` in, and whether this flow `leads`; `document` out if it is cached, `wait` if another flow
  /// is fetching it. If neither, this flow must fetch it; if it leads, others wait until its call has ended or the
  /// document is cached.
  static func known(_ input: JSON, _ environment: FlowEnvironment) -> JSON {
    let cache = environment[MetadataCacheSeam.self]
    let issuer = input["issuer"]?.string ?? ""
    switch cache.lookUp(issuer, at: environment.clock.now(), takingTurn: input["leads"]?.bool == true) {
    case .known(let document): return ["document": document]
    case .fetching: return ["wait": true]
    case .unknown: return [:]
    case .turn(let turn):
      environment[TokenLeaseSeam.self].hold(TokenStoreLock { cache.giveUp(turn, of: issuer) })
      return [:]
    }
  }

  /// `oidc.shared`: `issuer` in; `document` out once another flow has it, nothing if that fails.
  static func shared(_ input: JSON, _ environment: FlowEnvironment) async -> JSON {
    let document = await environment[MetadataCacheSeam.self].awaited(
      input["issuer"]?.string ?? "", at: environment.clock.now())
    return .members([("document", document)])
  }

  /// `oidc.remember`: `issuer`, `document` and `maxAge` in; out, whether the document may be cached.
  static func remember(_ input: JSON, _ environment: FlowEnvironment) -> Bool {
    guard let issuer = input["issuer"]?.string, let document = input["document"] else { return false }
    return environment[MetadataCacheSeam.self].keep(
      document, of: issuer, maxAge: input["maxAge"]?.int, at: environment.clock.now())
  }
}
