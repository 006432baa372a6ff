// The places of the clients of an org that answers as recorded: each client is somewhere else in the recording.

/// How far a client is in a recording.
struct ClientPlace: Sendable {
  /// What its made-up secrets carry.
  let mark: PlaceMark
  /// The client that asked last, if it named itself.
  var client: String?
  /// The number of its last request among those of all clients.
  var asked = 0
  /// The sign-ins that the client has begun.
  var begun = BegunSignIns()
  /// The indices of the answers that were given.
  private var given: Set<Int> = []
  /// The index of the last answer that was given, except documents; -1 if there is none.
  private var last = -1

  /// A place at the beginning of a recording.
  init(_ mark: PlaceMark) { self.mark = mark }

  /// Returns whether the recorded client's next request was one of some.
  ///
  /// - Parameters:
  ///   - candidates: the indices of the recorded requests that one fits.
  ///   - exchanges: the recording.
  func expects(_ candidates: [Int], in exchanges: [RecordedExchange]) -> Bool {
    guard let next = candidates.first(where: { !given.contains($0) }), next > last else { return false }
    return ((last + 1)..<next).allSatisfy { given.contains($0) || exchanges[$0].isDocument }
  }

  /// Returns whether the client got one of some answers.
  func got(_ candidates: [Int]) -> Bool { candidates.contains { given.contains($0) } }

  /// Takes the first of some answers that was not given yet, or the last one repeatedly.
  ///
  /// - Returns: its index; `nil` if there are none.
  mutating func take(_ candidates: [Int], in exchanges: [RecordedExchange]) -> Int? {
    guard let final = candidates.last else { return nil }
    var index = candidates.first { !given.contains($0) } ?? final
    if given.contains(index), let first = beginning(of: candidates, in: exchanges) { index = first }
    given.insert(index)
    // Some clients know the documents already, and do not ask for them.
    if !exchanges[index].isDocument { last = index }
    return index
  }

  /// The first answer of a flow again, if all its answers to this request have been given, and later ones to other
  /// requests: a client starts again. The answers of that flow are then given once more.
  private mutating func beginning(of candidates: [Int], in exchanges: [RecordedExchange]) -> Int? {
    guard let first = candidates.first, let final = candidates.last,
      first == exchanges.firstIndex(where: { $0.flow == exchanges[first].flow }),
      exchanges.indices[final...].dropFirst().contains(where: {
        exchanges[$0].flow == exchanges[first].flow && given.contains($0)
      })
    else { return nil }
    given = given.filter { exchanges[$0].flow != exchanges[first].flow }
    return first
  }
}

/// The places of several clients in a recording.
///
/// A request belongs to the place whose secret it carries. If it carries none, it continues the place that was opened
/// first of those that expect it, a place of the client that it names before others, or opens a place if a client can
/// begin with it. If there are too many, the place whose last request is the oldest is forgotten; a client that comes
/// back to it starts again.
struct ClientPlaces: Sendable {
  /// The parts of a request that say which client sends it.
  struct Request {
    /// The marks of the secrets in its target, its body and its authorization.
    var secrets: [PlaceMark]
    /// The marks of its cookies, which a client keeps for its next sign-in.
    var cookies: [PlaceMark]
    /// The client, if it names itself.
    var client: String?
    /// True if a client can begin with it.
    var begins: Bool
    /// The indices of the recorded requests that it fits.
    var candidates: [Int]
  }

  /// How many are kept.
  private static let most = 256
  /// In the order in which they were opened.
  private var places: [ClientPlace] = []
  private var opened = 0
  private var requests = 0

  /// Finds the place of a request, or opens one.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - exchanges: the recording.
  /// - Returns: its index, until the next request.
  mutating func place(of request: Request, in exchanges: [RecordedExchange]) -> Int {
    let index = known(request, in: exchanges) ?? begin(request.secrets.first)
    requests += 1
    places[index].asked = requests
    if let client = request.client { places[index].client = client }
    return index
  }

  /// The place with an index.
  subscript(index: Int) -> ClientPlace {
    get { places[index] }
    _modify { yield &places[index] }
  }

  private func known(_ request: Request, in exchanges: [RecordedExchange]) -> Int? {
    if !request.secrets.isEmpty { return self.index(of: request.secrets) }
    if let index = self.index(of: request.cookies) {
      return request.begins && !places[index].expects(request.candidates, in: exchanges) ? nil : index
    }
    func isOfClient(_ index: Int) -> Bool { request.client != nil && places[index].client == request.client }
    let expecting = places.indices.filter { places[$0].expects(request.candidates, in: exchanges) }
    if let first = expecting.first { return expecting.first(where: isOfClient) ?? first }
    guard !request.begins else { return nil }
    let latest = places.indices.sorted { places[$0].asked > places[$1].asked }
    return latest.first { places[$0].got(request.candidates) } ?? latest.first(where: isOfClient) ?? latest.first
  }

  /// The index of the first place with one of some marks.
  private func index(of marks: [PlaceMark]) -> Int? {
    for mark in marks {
      if let index = places.firstIndex(where: { $0.mark == mark }) { return index }
    }
    return nil
  }

  /// Opens a place, with a mark that no other has.
  ///
  /// - Parameter forgotten: the mark of a place that was forgotten.
  private mutating func begin(_ forgotten: PlaceMark?) -> Int {
    if places.count >= Self.most, let oldest = places.indices.min(by: { places[$0].asked < places[$1].asked }) {
      places.remove(at: oldest)
    }
    let mark = forgotten ?? unusedMark()
    places.append(ClientPlace(mark))
    return places.count - 1
  }

  private mutating func unusedMark() -> PlaceMark {
    repeat { opened += 1 } while index(of: [PlaceMark(opened)]) != nil
    return PlaceMark(opened)
  }
}
