// Storage as draws: each value read is recorded, so that a replay needs no storage.

import EventStore

enum StorageDraws {
  /// `storage.read`: `name` in; `value` out, null if nothing is stored. Only text.
  static let read = DrawDeclaration.awaited(.object(["value": .secret("stored")])) { input, environment in
    answer(input, environment) { storage, name throws(FlowStorageError) in
      guard let bytes = try storage.read(name) else { return .success(["value": .null]) }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .failure(DrawFailure(.invalidated, "what is stored as '\(name)' is no text"))
      }
      return .success(["value": .string(text)])
    }
  }

  /// `storage.write`: `name` and `value` in; `true` out, after the value is durable.
  static let write = DrawDeclaration.awaited(.boolean) { input, environment in
    guard let value = input["value"]?.string else {
      return .failure(DrawFailure(.failed, "there is no value to store"))
    }
    return answer(input, environment) { storage, name throws(FlowStorageError) in
      try storage.write(Array(value.utf8), as: name)
      return .success(true)
    }
  }

  /// `storage.remove`: `name` in; out, whether there was a value.
  static let remove = DrawDeclaration.awaited(.boolean) { input, environment in
    answer(input, environment) { storage, name throws(FlowStorageError) in .success(.bool(try storage.remove(name))) }
  }

  private static func answer(
    _ input: JSON, _ environment: FlowEnvironment,
    _ act: (any FlowStorage, StorageName) throws(FlowStorageError) -> Result<JSON, DrawFailure>
  ) -> Result<JSON, DrawFailure> {
    guard let name = input["name"]?.string.flatMap(StorageName.init) else {
      return .failure(DrawFailure(.failed, "the name cannot be that of a stored value"))
    }
    do throws(FlowStorageError) {
      return try act(environment[FlowStorageSeam.self], name)
    } catch {
      // The path is not recorded: the application chose it, and it may name a person.
      switch error {
      case .unsafe(_, let reason), .failed(_, let reason): return .failure(DrawFailure(.failed, reason))
      }
    }
  }
}
