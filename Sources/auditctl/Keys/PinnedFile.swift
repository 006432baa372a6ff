// What a caller pins: a public key, a checkpoint. Both are small texts that were kept elsewhere, in files or from
// pipes.

import EventStore

/// Reads pinned files.
enum PinnedFile {
  /// A public key in its text form.
  static func publicKey(_ path: String) throws -> VerifierKey {
    try key(in: path, as: .ed25519, "give the file that auditctl checkpoint keeps beside the signing key")
  }

  /// The public key of a log, as text or as the file that holds it.
  static func log(_ given: String) throws -> VerifierKey {
    if let key = try? VerifierKey(text: given) { return key }
    return try publicKey(given)
  }

  /// The public key of a witness, as text or as the file that holds it.
  static func witness(_ given: String) throws -> VerifierKey {
    if let key = try? VerifierKey(text: given, as: .cosignature) { return key }
    return try key(in: given, as: .cosignature, "give what auditctl witness init printed, or the file that has it")
  }

  private static func key(
    in path: String, as algorithm: VerifierKey.Algorithm, _ advice: String
  ) throws -> VerifierKey {
    let text = try text(path)
    do throws(StoreError) {
      return try VerifierKey(text: text, as: algorithm)
    } catch {
      throw refined(error, path, advice)
    }
  }

  /// What a witness is asked.
  static func request(_ path: String) throws -> WitnessRequest {
    let text = try text(path)
    do throws(StoreError) {
      return try WitnessRequest(text: text)
    } catch {
      throw refined(error, path, "give what auditctl cosign request wrote")
    }
  }

  /// The unchanged text.
  static func content(_ path: String) throws -> String { try text(path) }

  /// Text that a key has signed.
  static func note(_ path: String) throws -> SignedText {
    let text = try text(path)
    do throws(StoreError) {
      return try SignedText(text: text)
    } catch {
      throw refined(error, path, "give what auditctl statement wrote")
    }
  }

  /// A checkpoint.
  static func checkpoint(_ path: String) throws -> SignedNote {
    let text = try text(path)
    do throws(StoreError) {
      return try SignedNote(text: text)
    } catch {
      throw refined(error, path, "give what auditctl checkpoint printed")
    }
  }

  /// Far larger than a note or a key.
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
