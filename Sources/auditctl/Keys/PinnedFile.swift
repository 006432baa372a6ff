// What a caller pins: a public key, a checkpoint. Both are small texts that were kept elsewhere, in files or from pipes.

import EventStore

/// Reads pinned files.
enum PinnedFile {
  /// A public key in its text form.
  static func publicKey(_ path: String) throws -> VerifierKey {
    let text = try text(path)
    do throws(StoreError) {
      return try VerifierKey(text: text)
    } catch {
      throw refined(error, path, "give the file that auditctl checkpoint keeps beside the signing key")
    }
  }

  /// A signed note.
  static func checkpoint(_ path: String) throws -> SignedNote {
    let text = try text(path)
    do throws(StoreError) {
      return try SignedNote(text: text)
    } catch {
      throw refined(error, path, "give what auditctl checkpoint printed")
    }
  }

  /// Far more than a note or a key has.
  private static let limit = 1 << 20

  private static func text(_ path: String) throws(CommandFailure) -> String {
    String(decoding: try InputFile(path: path, content: "a key or a checkpoint").bytes(limit: limit), as: UTF8.self)
  }

  private static func refined(_ error: StoreError, _ path: String, _ advice: String) -> StoreError {
    var error = error
    error.file = path
    error.advice = error.advice ?? advice
    return error
  }
}
