// Why a call ends without what it was made for. A core names the reason; the facade makes an error of its own of it.

public import EventStore

/// A refusal as it stands in `call.returned`: a code, and what a reader of the log needs beside it.
public struct Refusal: Error, Sendable, Hashable {
  /// The reason, by a name of the kind's own: `wrongStatus`.
  public var code: String
  /// What belongs to it, secrets replaced.
  public var details: JSON

  /// Makes a refusal.
  public init(_ code: String, _ details: JSON = [:]) {
    self.code = code
    self.details = details
  }

  /// The end of a call for this reason.
  public func ending(_ call: Int) -> FlowEvent {
    .callReturned(CallReturned(call: call, outcome: .failed(code: code, details: details)))
  }
}
