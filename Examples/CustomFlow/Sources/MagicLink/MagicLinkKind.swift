// What makes replay and time line know the kind: one line, `KindRegistry.standard.adding(MagicLinkKind.self)`.

public import EventStore
public import FlowRecording

/// The kind `magiclink`.
public enum MagicLinkKind: FlowKind {
  /// The state, and what follows from an input.
  public typealias Core = MagicLinkCore
  /// Its words.
  public typealias Narrator = MagicLinkNarrator

  /// The events that the kind has of its own.
  public static var events: [any DomainPayload.Type] { MagicLinkEvent.types }

  /// The state as JSON, all of it.
  public static func state(of core: MagicLinkCore) -> JSON {
    var phase: [(String, JSON?)] = []
    switch core.phase {
    case .resting: phase = [("phase", "resting")]
    case .asking: phase = [("phase", "asking")]
    case .waiting(let link, let timer):
      phase = [("phase", "waiting"), ("link", .string(link)), ("timer", timer.map(JSON.int))]
    case .signedIn(let session): phase = [("phase", "signedIn"), ("session", .string(session))]
    }
    let rule: [(String, JSON?)] = [
      ("server", .string(core.links.home)), ("origins", core.links.origins.map { .array($0.map(JSON.string)) }),
    ]
    return .members(rule + phase + core.ledger.members(call: JSON.string, tag: { _ in [] }))
  }

  /// The person who signs in, and where that stands.
  public static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    switch type {
    case CallMade.type: facts.typed = data()["arguments"]?["email"]?.string ?? facts.typed
    case LinkSent.type: facts.status = "link sent"
    case LinkFollowed.type: facts.status = "signed in"
    default: break
    }
  }
}

/// Puts the kind's events into words.
public struct MagicLinkNarrator: FlowNarrator {
  /// Where the sign-in stands.
  public private(set) var status = ""

  /// A narrator that has received no event.
  public init() {}

  /// The words for an event of the kind.
  public mutating func words(for event: DomainEvent, at revision: Int) -> Words? {
    switch MagicLinkEvent(event) {
    case .sent(let sent):
      status = "link sent"
      return Words("link \(sent.link) is in the mail", .notice)
    case .followed:
      status = "signed in"
      return Words("the person opened the link", .good)
    case nil: return nil
    }
  }
}
