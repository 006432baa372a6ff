// The seams in one value, captured when a flow is made (DESIGN §2 rule 9).

public import Dispatch

/// Everything that a flow needs from the outside: the seams, such as recorder, transport and clock.
///
/// Pass it when making a flow, or bind it around the code that makes flows:
///
/// ```swift
/// let recorder = LogRecorder(directory: "audit")
/// FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))       // once, at start
/// try await FlowEnvironment(recorder: other).run { … }                  // or for a scope
/// ```
public struct FlowEnvironment: Sendable {
  /// Where events are written; nil records nothing.
  public var recorder: (any Recorder)?
  /// How requests are sent.
  public var transport: any Transport
  /// The clock.
  public var clock: any FlowClock
  /// The source of random bits.
  public var entropy: any Entropy
  /// The timers.
  public var timers: any FlowTimers
  /// The keys that sign.
  public var keys: any SigningKeys
  /// What identifies this device across sign-ins; nil for none.
  public var device: (any DeviceIdentity)?
  /// The user agent for requests.
  public var userAgent: String
  /// Sees each request, secrets included, before it is recorded and sent, and may change it; nil for none.
  ///
  /// Its answer is recorded as a draw, so that a replay needs no listener. Header values and body members that it adds
  /// are secrets in the log, because they are undeclared; a body that is not a JSON object is ignored. It runs in the
  /// middle of a step of the flow and must return quickly. It may read the flow's objects, which show the state before
  /// the step, and make calls, which are processed after it: on a flow with an operation in progress they fail with
  /// `alreadyInProgress`. It must not wait for these calls.
  public var requestListener: (@Sendable (HTTPRequest) -> HTTPRequest)?
  /// The queue for callbacks that belong to no actor; nil gives each flow its own serial queue.
  public var callbackQueue: DispatchQueue?
  /// Limits for what an org may make a flow do.
  public var limits: FlowLimits
  /// What the application reports about the flows made with this environment, for readers of the log; nil for nothing.
  public var context: FlowContext?
  /// The stream of the flow whose draw is being taken; nil otherwise.
  public internal(set) var stream: String?
  /// The recording that a flow made here replays; nil for a live one.
  package var rerun: FlowRerun?
  private var seams = FlowSeams()

  /// A seam added by a kind of flow: the value set here, or else the seam's live value.
  public subscript<Seam: FlowSeam>(seam: Seam.Type) -> Seam.Value {
    get { seams[seam] }
    set { seams[seam] = newValue }
  }

  /// Whether a seam added by a kind was set here.
  public func isSet(_ seam: (some FlowSeam).Type) -> Bool { seams.isSet(seam) }

  /// Makes an environment; omitted parts are live ones, except that nothing is recorded.
  public init(
    recorder: (any Recorder)? = nil, transport: any Transport = CurlTransport.standard,
    clock: any FlowClock = SystemClock(), entropy: any Entropy = SystemEntropy(),
    timers: any FlowTimers = DispatchTimers(), keys: any SigningKeys = SoftwareKeys(),
    device: (any DeviceIdentity)? = StoredDevice.standard, userAgent: String = UserAgent.current,
    requestListener: (@Sendable (HTTPRequest) -> HTTPRequest)? = nil, callbackQueue: DispatchQueue? = nil,
    limits: FlowLimits = FlowLimits(), context: FlowContext? = nil
  ) {
    self.recorder = recorder
    self.transport = transport
    self.clock = clock
    self.entropy = entropy
    self.timers = timers
    self.keys = keys
    self.device = device
    self.userAgent = userAgent
    self.requestListener = requestListener
    self.callbackQueue = callbackQueue
    self.limits = limits
    self.context = context
  }

  @TaskLocal private static var scoped: FlowEnvironment?
  private static let processDefault = Locked<FlowEnvironment?>(nil)

  /// The environment of the surrounding `run`, or else the process's default, or else a live one that records nothing.
  public static var current: FlowEnvironment {
    scoped ?? processDefault.withLock { $0 } ?? FlowEnvironment()
  }

  /// Sets the default of the process. Only the first call has an effect, because changing the environment of running
  /// code would split its flows over two logs.
  ///
  /// - Returns: whether this call was the first.
  @discardableResult
  public static func setDefault(_ environment: FlowEnvironment) -> Bool {
    processDefault.withLock { value in
      guard value == nil else { return false }
      value = environment
      return true
    }
  }

  /// Runs an operation in which `current` is this environment.
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await FlowEnvironment.$scoped.withValue(self, operation: operation)
  }

  /// Runs a synchronous operation in which `current` is this environment.
  public func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try FlowEnvironment.$scoped.withValue(self, operation: operation)
  }
}
