// The registry seam: flows that meet the same thing find out about each other. One challenge that arrives by push and
// by pull is answered by one flow.

/// Knows which flow has claimed what.
public protocol FlowRegistry: Sendable {
  /// Claims a name for a holder. The first one keeps it until it releases it.
  ///
  /// - Returns: the holder: the one who claims, or the earlier one.
  func claim(_ name: String, by holder: String) -> String
  /// Releases a name; does nothing if the holder does not have it.
  func release(_ name: String, by holder: String)
}

/// Claims of this process, gone with it. The double of tests: make one for each.
public final class MemoryRegistry: FlowRegistry {
  private let claims = Locked<[String: String]>([:])

  /// A registry without claims.
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

/// Where flows find their registry: one for the process, unless an application sets its own.
public enum FlowRegistrySeam: FlowSeam {
  private static let process = MemoryRegistry()
  /// The claims of this process.
  public static var live: any FlowRegistry { process }
}
