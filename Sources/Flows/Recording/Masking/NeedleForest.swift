// Secrets that begin with the same eight bytes stand in one radix tree: the longest one at a place is found in as many
// steps as its bytes go on alike, not in one walk for each secret.

/// Radix trees of byte strings, each of strings that share their first eight bytes.
struct NeedleForest: Sendable {
  /// One form of a secret.
  struct Needle: Sendable {
    /// The bytes to look for; without upper-case letters in a tree that is searched in any case.
    var bytes: [UInt8]
    /// The same as it was given, in its own case.
    var exact: [UInt8]
    var placeholder: String
    /// What the form is called in placeholders; nil for the secret itself.
    var form: String?
  }

  /// A place where needles end or part. Its bytes up to `depth` are those of `sample`, a needle at or below it.
  private struct Node {
    var depth: Int
    var sample: Int
    /// The needle that ends here, or -1.
    var needle = -1
  }

  /// The way from a node with a byte.
  private struct Edge: Hashable {
    var node: Int
    var byte: UInt8
  }

  private var needles: [Needle] = []
  private var nodes: [Node] = []
  private var children: [Edge: Int] = [:]

  /// How many bytes the strings of a tree share at least.
  static let sharedBytes = 8

  /// Begins a tree with a needle; gives its top.
  mutating func plant(_ needle: Needle) -> Int {
    needles.append(needle)
    nodes.append(Node(depth: needle.bytes.count, sample: needles.count - 1, needle: needles.count - 1))
    return nodes.count - 1
  }

  /// Takes a needle into the tree of its first bytes. Of two with the same bytes the secret itself stays, or the
  /// earlier.
  mutating func insert(_ needle: Needle, under top: inout Int) {
    let bytes = needle.bytes
    var (child, edge, alike) = (top, Edge?.none, Self.sharedBytes)
    while true {
      let (depth, sample) = (nodes[child].depth, nodes[child].sample)
      let limit = min(depth, bytes.count)
      while alike < limit, needles[sample].bytes[alike] == bytes[alike] { alike += 1 }
      var node = child
      if alike < depth {
        nodes.append(Node(depth: alike, sample: sample))
        node = nodes.count - 1
        children[Edge(node: node, byte: needles[sample].bytes[alike])] = child
        if let edge { children[edge] = node } else { top = node }
      }
      guard alike < bytes.count else { return end(needle, at: node) }
      let next = Edge(node: node, byte: bytes[alike])
      guard let below = children[next] else {
        children[next] = plant(needle)
        return
      }
      (child, edge, alike) = (below, next, alike + 1)
    }
  }

  private mutating func end(_ needle: Needle, at node: Int) {
    let known = nodes[node].needle
    if known < 0 {
      needles.append(needle)
      nodes[node].needle = needles.count - 1
    } else if needles[known].form != nil, needle.form == nil {
      needles[known] = needle
    }
  }

  /// The longest needle of a tree that stands at `start`, if the bytes that all of them share do.
  ///
  /// - Parameters:
  ///   - top: the top of the tree.
  ///   - start: where to look.
  ///   - bytes: the text.
  ///   - anyCase: whether letters of ASCII count as their lower case, as in the needles of the tree.
  ///   - steps: grows by the nodes passed and the bytes compared.
  func longest(
    under top: Int, at start: Int, in bytes: Span<UInt8>, anyCase: Bool, steps: inout Int
  ) -> Needle? {
    var (number, alike, best) = (top, Self.sharedBytes, -1)
    while true {
      steps += 1
      let node = nodes[number]
      guard start + node.depth <= bytes.count, stands(node, from: alike, at: start, in: bytes, anyCase, &steps)
      else { break }
      if node.needle >= 0 { best = node.needle }
      guard start + node.depth < bytes.count,
        let child = children[Edge(node: number, byte: Self.byte(bytes[start + node.depth], anyCase))]
      else { break }
      (number, alike) = (child, node.depth + 1)
    }
    return best >= 0 ? needles[best] : nil
  }

  /// The placeholder of a secret of a tree.
  func placeholder(under top: Int) -> String { needles[nodes[top].sample].placeholder }

  private func stands(
    _ node: Node, from alike: Int, at start: Int, in bytes: Span<UInt8>, _ anyCase: Bool, _ steps: inout Int
  ) -> Bool {
    for index in alike..<node.depth {
      steps += 1
      if Self.byte(bytes[start + index], anyCase) != needles[node.sample].bytes[index] { return false }
    }
    return true
  }

  private static func byte(_ byte: UInt8, _ anyCase: Bool) -> UInt8 { anyCase ? ASCIICase.lowercased(byte) : byte }
}
