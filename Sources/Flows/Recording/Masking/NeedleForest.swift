// Secrets that share their first eight bytes are in one radix tree: finding the longest one at a position takes as many
// steps as bytes match, instead of one search per secret.

/// Radix trees of byte strings, each of strings that share their first eight bytes.
struct NeedleForest: Sendable {
  /// One form of a secret.
  struct Needle: Sendable {
    /// The bytes to look for; in lower case in a tree that is searched case-insensitively.
    var bytes: [UInt8]
    /// The original bytes.
    var exact: [UInt8]
    var placeholder: String
    /// The name of the form in placeholders; nil for the secret itself.
    var form: String?
  }

  /// A place where needles end or diverge. Its bytes up to `depth` are those of `sample`, a needle at or below it.
  private struct Node {
    var depth: Int
    var sample: Int
    /// The needle that ends here, or -1.
    var needle = -1
  }

  /// The edge from a node by a byte.
  private struct Edge: Hashable {
    var node: Int
    var byte: UInt8
  }

  private var needles: [Needle] = []
  private var nodes: [Node] = []
  private var children: [Edge: Int] = [:]

  /// The number of bytes that the strings of a tree share at least.
  static let sharedBytes = 8

  /// Starts a tree with a needle; returns its root.
  mutating func plant(_ needle: Needle) -> Int {
    needles.append(needle)
    nodes.append(Node(depth: needle.bytes.count, sample: needles.count - 1, needle: needles.count - 1))
    return nodes.count - 1
  }

  /// Adds a needle to the tree of its first bytes. Of two with the same bytes, the secret itself is kept, or else the
  /// earlier one.
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

  /// The longest needle of a tree at `start`, whose shared bytes are known to match.
  ///
  /// - Parameters:
  ///   - top: the root of the tree.
  ///   - start: where to look.
  ///   - bytes: the text.
  ///   - anyCase: whether ASCII letters are compared in lower case, as in the needles of the tree.
  ///   - steps: increased by the number of nodes passed and bytes compared.
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
