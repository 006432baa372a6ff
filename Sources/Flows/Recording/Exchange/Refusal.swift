// Why a call did not succeed. A core names the reason; the facade converts it to an error of its API.

public import EventStore

/// A refusal as recorded in `call.returned`: a code, with details for readers of the log.
public struct Refusal: Error, Sendable, Hashable {
  /// The reason, by a name that the kind defines: `wrongStatus`.
  public var code: String
  /// Details, with secrets replaced.
  public var details: JSON

  /// Makes a refusal.
  public init(_ code: String, _ details: JSON = [:]) {
    self.code = code
    self.details = details
  }

  /// The event that ends a call for this reason.
  public func ending(_ call: Int) -> FlowEvent {
    .callReturned(CallReturned(call: call, outcome: .failed(code: code, details: details)))
  }
}
