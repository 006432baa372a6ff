public import FlowRecording

/// One sign-in of a kind, which the battery plays many times.
public struct FlowScenario: Sendable {
  /// What findings call it.
  public var name: String
  /// What must be readable in no log.
  public var secrets: [String]
  /// What the person types that is a secret, and may be any text: the battery tries the words of the server's own bodies in
  /// its place. Nil if nothing is typed.
  public var password: String?
  /// Whether a flow may refuse to go on with this password, with that error.
  public var mayRefuse: @Sendable (_ password: String, any Error) -> Bool = { _, _ in false }
  /// Makes a server that starts again, and the sign-in against it.
  public var begin: @Sendable (_ password: String) async throws -> Stand

  /// A server that has just begun, and how the sign-in against it goes.
  public struct Stand: Sendable {
    /// How the server is reached.
    public var transport: any Transport
    /// The clock and the timers of the play; those that let timers fire at once if nil.
    public var time: (any FlowClock & FlowTimers)?
    /// Plays the sign-in; an error that it throws is one of its ends.
    public var play: @Sendable (FlowEnvironment) async throws -> Void
    /// What is wrong with the objects that are left after the play, and with what they recorded.
    public var inspect: @Sendable (MemoryRecorder) async -> [String] = { _ in [] }
    /// Ends the server.
    public var end: @Sendable () async -> Void = {}

    /// Makes a stand.
    public init(
      transport: any Transport, time: (any FlowClock & FlowTimers)? = nil,
      play: @escaping @Sendable (FlowEnvironment) async throws -> Void,
      inspect: @escaping @Sendable (MemoryRecorder) async -> [String] = { _ in [] },
      end: @escaping @Sendable () async -> Void = {}
    ) {
      self.transport = transport
      self.time = time
      self.play = play
      self.inspect = inspect
      self.end = end
    }
  }

  /// Makes a scenario in which a secret is typed.
  public init(
    _ name: String, secrets: [String] = [], password: String,
    begin: @escaping @Sendable (_ password: String) async throws -> Stand
  ) {
    self.name = name
    self.secrets = secrets
    self.password = password
    self.begin = begin
  }

  /// Makes a scenario in which none is.
  ///
  /// - Parameters:
  ///   - transport: the transport of a server that starts again: made for each play.
  ///   - play: plays the sign-in.
  public init(
    _ name: String, secrets: [String] = [], transport: @escaping @Sendable () async throws -> any Transport,
    play: @escaping @Sendable (FlowEnvironment) async throws -> Void
  ) {
    self.name = name
    self.secrets = secrets
    begin = { _ in Stand(transport: try await transport(), play: play) }
  }
}
