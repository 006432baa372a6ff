// Claims as draws: a replay receives the results of the recorded flow.

import EventStore

enum RegistryDraws {
  /// `registry.claim`: `name` and `holder` in; the holder out.
  static let claim = DrawDeclaration.inline(.identifier) { input, environment in
    guard let name = input["name"]?.string, let holder = input["holder"]?.string else {
      return .failure(DrawFailure(.failed, "a claim needs a name and a holder"))
    }
    return .success(.string(environment[FlowRegistrySeam.self].claim(name, by: holder)))
  }

  /// `registry.release`: `name` and `holder` in; null out.
  static let release = DrawDeclaration.inline(.own) { input, environment in
    if let name = input["name"]?.string, let holder = input["holder"]?.string {
      environment[FlowRegistrySeam.self].release(name, by: holder)
    }
    return .success(.null)
  }
}
