// What a caller pins: a public key, a checkpoint. Both are small text files that were kept elsewhere.

import EventStore
import Foundation

/// Reads pinned files.
enum PinnedFile {
  /// A public key in its text form.
  static func publicKey(_ path: String) throws -> VerifierKey {
    do throws(StoreError) {
      return try VerifierKey(text: try text(path))
    } catch {
      throw refined(error, path, "give the file that auditctl checkpoint keeps beside the signing key")
    }
  }

  /// A signed note.
  static func checkpoint(_ path: String) throws -> SignedNote {
    do throws(StoreError) {
      return try SignedNote(text: try text(path))
    } catch {
      throw refined(error, path, "give what auditctl checkpoint printed")
    }
  }

  private static func text(_ path: String) throws(StoreError) -> String {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw StoreError(.notFound, "there is no such file", file: path)
    }
    guard !isDirectory.boolValue else {
      throw StoreError(.notFound, "this is a directory", file: path)
    }
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw StoreError(.permission, "the file cannot be read", file: path)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func refined(_ error: StoreError, _ path: String, _ advice: String) -> StoreError {
    var error = error
    error.file = path
    error.advice = error.advice ?? advice
    return error
  }
}
