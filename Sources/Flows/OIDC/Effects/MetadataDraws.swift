// The memory of metadata as draws. Of flows that need a server's metadata at the same time one fetches them.

import EventStore
import FlowRecording

enum MetadataDraws {
  /// `oidc.known`: `issuer` in, and whether this flow `leads`; `document` out if it is remembered, `wait` if another flow is
  /// fetching it. If neither, this flow is to fetch it, and others wait until its call is over or the document is remembered,
  /// if it leads.
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

  /// `oidc.shared`: `issuer` in; `document` out once another flow has it, nothing if that gets none.
  static func shared(_ input: JSON, _ environment: FlowEnvironment) async -> JSON {
    let document = await environment[MetadataCacheSeam.self].awaited(
      input["issuer"]?.string ?? "", at: environment.clock.now())
    return .members([("document", document)])
  }

  /// `oidc.remember`: `issuer`, `document` and `maxAge` in; whether the document may be kept out.
  static func remember(_ input: JSON, _ environment: FlowEnvironment) -> Bool {
    guard let issuer = input["issuer"]?.string, let document = input["document"] else { return false }
    return environment[MetadataCacheSeam.self].keep(
      document, of: issuer, maxAge: input["maxAge"]?.int, at: environment.clock.now())
  }
}
