// A program that uses a token store, for tests that trouble it from outside.
import OIDC

@main
struct TokenStoreSubject {
  static func main() {}
}
