// The form in which texts are compared by their bytes.

import Foundation

extension String {
  /// The text in lower case and composed: texts that Unicode takes as equal then have the same bytes, as a database
  /// compares them.
  package var composedLowercase: String {
    let text = lowercased()
    return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }
}
