/// Waits, on the calling thread, until logs have grown. For asynchronous code see `LogReader.follow`.
public final class LogWatch: Sendable {
  private let watch: DirectoryWatch

  /// A watch that begins now: begin it before the first look, so that nothing falls between the two.
  public init(over logs: [LogReader]) {
    watch = DirectoryWatch(of: logs.map(\.layout.segments), isReal: logs.allSatisfy { $0.disk is SystemDisk })
  }

  /// Waits until one of the logs has changed since the last wait, a second at most: some file systems report nothing.
  public func wait() { watch.wait() }
}
