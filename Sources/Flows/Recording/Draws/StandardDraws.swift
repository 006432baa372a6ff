// The draws of the runtime itself, available to every kind.

import EventStore

extension DrawDeclarations {
  /// The draws of the runtime itself.
  public static let standard: DrawDeclarations = [
    .userAgent: .inline(.own) { _, environment in .success(.string(environment.userAgent)) },
    .jitter: .inline(.own) { _, environment in .success(.int(Int(environment.entropy.next() % 1000))) },
    .uuid: .inline(.own) { _, environment in .success(.string(environment.entropy.uuid())) },
    .state: .inline(.secret("state")) { _, environment in .success(.string(environment.entropy.uuid())) },
    .pkce: .inline(.object(["verifier": .secret("codeVerifier"), "challenge": .identifier])) { _, environment in
      .success(PKCEDraw.value(from: environment.entropy))
    },
    .signature: .inline(.secret("signature"), take: SignatureDraw.take),
    .deviceToken: .inline(.secret("deviceToken")) { input, environment in
      let issuer = input["issuer"]?.string ?? ""
      let token = environment.device.flatMap { DeviceToken.checked($0.token(for: issuer)) }
      return .success(token.map(JSON.string) ?? .null)
    },
    .storageRead: StorageDraws.read, .storageWrite: StorageDraws.write, .storageRemove: StorageDraws.remove,
    .registryClaim: RegistryDraws.claim, .registryRelease: RegistryDraws.release,
    .browserListen: BrowserDraws.listen, .browserRedirect: BrowserDraws.redirect,
    .browserOpen: BrowserDraws.open,
  ]

  /// The draws of the runtime together with others.
  public static func standard(and more: DrawDeclarations) -> DrawDeclarations {
    standard.merging(more) { _, new in new }
  }
}
