// The seams in one value, captured when a flow is made (DESIGN §2 rule 9).

public import Dispatch

/// Everything a flow needs from the world: where it records, how it sends, what time it is.
///
/// Pass it where a flow is made, or bind it around the code that makes flows:
///
/// ```swift
/// let recorder = LogRecorder(directory: "audit")
/// FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder))       // once, at start
/// try await FlowEnvironment(recorder: other).run { … }                  // or for a scope
/// ```
public struct FlowEnvironment: Sendable {
  /// Where events are written; nil records nothing.
  public var recorder: (any Recorder)?
  /// How requests leave.
  public var transport: any Transport
  /// What time it is.
  public var clock: any FlowClock
  /// Where random bits come from.
  public var entropy: any Entropy
  /// The timers that wait.
  public var timers: any FlowTimers
  /// The keys that sign.
  public var keys: any SigningKeys
  /// What this device is recognized by from one sign-in to the next; nil leaves that out.
  public var device: (any DeviceIdentity)?
  /// What requests say of the client.
  public var userAgent: String
  /// Sees each request, secrets included, before it is recorded and sent, and may change it; nil for none.
  ///
  /// Its answer is recorded as a draw, so that a replay needs no listener. Header values and body members that it adds
  /// are secrets in the log, since nothing declares them; a body that is no JSON object is not taken over. It runs in
  /// the middle of a step of the flow and must be quick. It may read the flow's objects, which show the state before
  /// the step, and make calls, which are taken after it: on a flow that has an operation under way they get
  /// `alreadyInProgress`. It must not wait for what it calls.
  public var requestListener: (@Sendable (HTTPRequest) -> HTTPRequest)?
  /// Where callbacks run that belong to no actor; nil gives each flow a serial queue of its own.
  public var callbackQueue: DispatchQueue?
  /// How much an org may make a flow do.
  public var limits: FlowLimits
  /// What the application says of the flows that are made with this environment, for readers of the log; nil for
  /// nothing.
  public var context: FlowContext?
  /// The stream of the flow whose draw is taken; nil outside of one.
  public internal(set) var stream: String?
  /// The recording that a flow made here runs again; nil for a live one.
  package var rerun: FlowRerun?
  private var seams = FlowSeams()

  /// A seam that a kind of flow adds: the value that is set here, else the seam's live value.
  public subscript<Seam: FlowSeam>(seam: Seam.Type) -> Seam.Value {
    get { seams[seam] }
    set { seams[seam] = newValue }
  }

  /// Whether a seam that a kind adds was set here, and is not the live one.
  public func isSet(_ seam: (some FlowSeam).Type) -> Bool { seams.isSet(seam) }

  /// Makes an environment; a part that is not given is the live one, and records nothing.
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

  /// The environment of the surrounding `run`, else the process's default, else a live one that records nothing.
  public static var current: FlowEnvironment {
    scoped ?? processDefault.withLock { $0 } ?? FlowEnvironment()
  }

  /// Sets the default of the process. The first call counts: an environment that changes under running code would
  /// split its flows over two logs.
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
