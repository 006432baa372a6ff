// The form in which an index compares logins.

import Foundation

extension String {
  /// The login in lower case and composed: filters take logins that Unicode takes as equal for one, and a database
  /// compares bytes.
  var loginKey: String {
    let login = lowercased()
    return login.utf8.allSatisfy { $0 < 0x80 } ? login : login.precomposedStringWithCanonicalMapping
  }
}
