public import FlowRecording

/// One sign-in of a kind, which the battery plays many times.
public struct FlowScenario: Sendable {
  /// What findings call it.
  public var name: String
  /// What must be readable in no log.
  public var secrets: [String]
  /// The transport of a server that begins anew: made for each play.
  public var transport: @Sendable () async throws -> any Transport
  /// Plays the sign-in; an error that it throws is one of its ends.
  public var play: @Sendable (FlowEnvironment) async throws -> Void

  /// Makes a scenario.
  public init(
    _ name: String, secrets: [String] = [], transport: @escaping @Sendable () async throws -> any Transport,
    play: @escaping @Sendable (FlowEnvironment) async throws -> Void
  ) {
    self.name = name
    self.secrets = secrets
    self.transport = transport
    self.play = play
  }
}
