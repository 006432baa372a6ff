// An org that answers as a recording did, for any client.

public import EventStore
public import FlowKinds
public import FlowRecording

/// Gives the recorded answers to requests, by method, path and order.
///
/// Ids and secrets in paths fit any other, and bodies are not looked at: any password and any code will do. What was
/// answered several times to the same place is given in that order, and the last of them again; a client that begins
/// anew gets the answers from the first one on. Made-up values stand for secrets, and the address that it is reached at
/// for that of the recorded org. Times in answers move by the distance between the recorded answer and this one, so
/// that nothing has expired that had not.
public struct RecordedOrg: Sendable {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The headers, in order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// Whether they are the same, headers included.
    public static func == (one: Answer, other: Answer) -> Bool {
      one.status == other.status && one.body == other.body && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }
  }

  private struct Exchange {
    var flow: Int
    var method: String
    var path: [Substring]
    var reply: RecordedReply
    var isUsed = false
  }

  private var exchanges: [Exchange] = []

  /// An org that plays a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording; all its flows are played.
  ///   - origin: where clients reach it: `http://127.0.0.1:8080`.
  ///   - kinds: the kinds of flow, which say where times stand.
  public init(_ recording: Recording, at origin: String, kinds: KindRegistry = .standard) {
    for (number, flow) in recording.flows.enumerated() {
      let requests = Dictionary(
        flow.records.compactMap { record -> (Int, RequestSent)? in
          if case .requestSent(let request) = record.event { (record.revision, request) } else { nil }
        }
      ) { first, _ in first }
      let origins = Set(requests.values.compactMap { URLParts($0.url)?.origin })
      let scene = RecordedReply.Scene(
        origins: origins.filter { $0 != origin }.sorted(), origin: origin, policy: kinds.kind(of: flow.records)?.policy)
      for record in flow.records {
        guard let request = record.cause.flatMap({ requests[$0] }), let parts = URLParts(request.url),
          let reply = RecordedReply(record, scene)
        else { continue }
        exchanges.append(
          Exchange(flow: number, method: request.method, path: Self.steps(parts.path), reply: reply))
      }
    }
  }

  /// How many answers it has.
  public var count: Int { exchanges.count }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: the path, with its query or without.
  ///   - now: when it is given; times in it move to there.
  /// - Returns: `nil` if nothing of that method and path was recorded.
  public mutating func answer(_ method: String, _ target: String, at now: Timestamp = .now()) -> Answer? {
    let path = Self.steps(String(target.prefix { $0 != "?" && $0 != "#" }))
    let fitting = exchanges.indices.filter { exchanges[$0].method == method && Self.fits(exchanges[$0].path, path) }
    // One whose path is the same to the letter comes before one with ids in it.
    let exact = fitting.filter { exchanges[$0].path == path }
    let candidates = exact.isEmpty ? fitting : exact
    guard let last = candidates.last else { return nil }
    var index = candidates.first { !exchanges[$0].isUsed } ?? last
    if exchanges[index].isUsed, let first = beginning(of: candidates) { index = first }
    exchanges[index].isUsed = true
    return exchanges[index].reply.answer(at: now)
  }

  /// The first answer of a flow again if all its answers to this request are given, and later ones to others: a client
  /// begins anew. The answers of that flow are given once more then.
  private mutating func beginning(of candidates: [Int]) -> Int? {
    guard let first = candidates.first, let last = candidates.last,
      first == exchanges.firstIndex(where: { $0.flow == exchanges[first].flow }),
      exchanges[last...].dropFirst().contains(where: { $0.flow == exchanges[first].flow && $0.isUsed })
    else { return nil }
    for index in exchanges.indices where exchanges[index].flow == exchanges[first].flow {
      exchanges[index].isUsed = false
    }
    return first
  }

  private static func steps(_ path: String) -> [Substring] { path.split(separator: "/") }

  private static func fits(_ recorded: [Substring], _ path: [Substring]) -> Bool {
    recorded.count == path.count
      && zip(recorded, path).allSatisfy {
        $0 == $1 || $0.contains("$secret.") || RequestSent.isID($0) && RequestSent.isID($1)
      }
  }
}
