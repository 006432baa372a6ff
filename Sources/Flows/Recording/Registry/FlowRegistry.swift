// The registry seam: flows that handle the same thing detect each other. A challenge that arrives both by push and by
// pull is answered by one flow.

/// Records which flow has claimed which name.
public protocol FlowRegistry: Sendable {
  /// Claims a name for a holder. The first one keeps it until it releases it.
  ///
  /// - Returns: the current holder: the new one, or an earlier one.
  func claim(_ name: String, by holder: String) -> String
  /// Releases a name; does nothing if the holder does not have it.
  func release(_ name: String, by holder: String)
}

/// Claims of this process only. For tests, create one for each test.
public final class MemoryRegistry: FlowRegistry {
  private let claims = Locked<[String: String]>([:])

  /// Creates a registry without claims.
  public init() {}

  /// Claims a name.
  public func claim(_ name: String, by holder: String) -> String {
    claims.withLock { claims in
      if let earlier = claims[name] { return earlier }
      claims[name] = holder
      return holder
    }
  }

  /// Releases a name.
  public func release(_ name: String, by holder: String) {
    claims.withLock { if $0[name] == holder { $0[name] = nil } }
  }
}

/// The seam for the registry of flows: shared by the process unless an application sets its own.
public enum FlowRegistrySeam: FlowSeam {
  private static let process = MemoryRegistry()
  /// The claims of this process.
  public static var live: any FlowRegistry { process }
}
