// Choices of tables, the same in each run.

/// A sequence of choices.
package struct Chance: Sendable {
  private let entropy: SeededEntropy

  /// The choices of a seed.
  package init(seed: UInt64) { entropy = SeededEntropy(seed: seed) }

  /// A number from 0 to below a positive limit.
  package func below(_ limit: Int) -> Int { Int(entropy.next() % UInt64(limit)) }

  /// True once in so many cases.
  package func happens(onceIn cases: Int) -> Bool { below(cases) == 0 }

  /// One of the elements; `nil` if there is none.
  package func pick<Element>(_ elements: some RandomAccessCollection<Element>) -> Element? {
    elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// The first element in half of all cases, and otherwise any of them.
  package func pickUsual<Element>(_ elements: [Element]) -> Element? {
    happens(onceIn: 2) ? elements.first : pick(elements)
  }
}
