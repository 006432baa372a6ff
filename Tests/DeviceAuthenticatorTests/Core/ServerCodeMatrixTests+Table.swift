// The tables of what an org's answer does.

extension ServerCodeMatrixTests {
  static let deletion = """
      kept, the code is kept, the same state, serverAPIError
        on E0000007; E0000011; E0000158; E0000212; E0000001; E0000006; E0000015; E0000047; E0000009
        on E9999999
      deleted, serverSaidGone, done
        on E0000008; E0000153; E0000154; E0000156
      deleted, serverSaidSuspended, done
        on E0000152; E0000155; E0000180
      kept, no code is kept, the same state, serverAPIError
        on 500 without code; 400 of another shape; code of another type; 302
      kept, no code is kept, the same state, networkError
        on connectionLost; timedOut; limitReached
    """

  static let deletionKeepingSuspended = """
      kept, the code is kept, the same state, serverAPIError
        on E0000007; E0000011; E0000158; E0000212; E0000001; E0000006; E0000015; E0000047; E0000009
        on E9999999
      deleted, serverSaidGone, done
        on E0000008; E0000153; E0000154; E0000156
      kept, the code is kept, active -> suspended, serverAPIError
        on E0000152; E0000155; E0000180
      kept, no code is kept, the same state, serverAPIError
        on 500 without code; 400 of another shape; code of another type; 302
      kept, no code is kept, the same state, networkError
        on connectionLost; timedOut; limitReached
    """

  static let refusals = """
      the code is kept, the same state, serverAPIError
        on E0000007; E0000011; E0000158; E0000212; E0000001; E0000006; E0000015; E0000047; E0000009
        on E9999999
      the code is kept, active -> deleted, serverAPIError
        on E0000008; E0000156
      the code is kept, active -> suspended, serverAPIError
        on E0000152; E0000155; E0000180
      the code is kept, active -> reset, serverAPIError
        on E0000153; E0000154
      no code is kept, the same state, serverAPIError
        on 500 without code; 400 of another shape; code of another type; 302
      no code is kept, the same state, networkError
        on connectionLost; timedOut; limitReached
    """

  static let enrollment = """
      undone, serverAPIError
        on E0000007; E0000008; E0000152; E0000154; E0000155; E0000156; E0000158; E0000180; E0000212
        on E0000001; E0000006; E0000015; E0000047; E0000009; E9999999; 500 without code
        on 400 of another shape; code of another type; 302
      once more, as a new device
        on E0000011; E0000153
      undone, networkError
        on connectionLost; timedOut; limitReached
    """

  static let drawFailures = """
      securityError.generalEncryptionError
        on failed -; failed x; failed generalEncryptionError: g; failed storage.; failed elsewhere: e
      securityError.keyGenFailed
        on failed keyGenFailed: k
      securityError.failedToSignPayload
        on failed failedToSignPayload: s
      securityError.jwkError
        on failed jwkError: j
      storageError.itemNotFound
        on failed storage.itemNotFound: i; missing storage.itemNotFound: i
        on invalidated storage.itemNotFound: i; cancelled storage.itemNotFound: i
        on lockedOut storage.itemNotFound: i
      storageError.missingAppGroupEntitlement
        on failed storage.missingAppGroupEntitlement: m; missing storage.missingAppGroupEntitlement: m
        on invalidated storage.missingAppGroupEntitlement: m
        on cancelled storage.missingAppGroupEntitlement: m
        on lockedOut storage.missingAppGroupEntitlement: m
      storageError.storageMigrationError
        on failed storage.storageMigrationError: v; missing storage.storageMigrationError: v
        on invalidated storage.storageMigrationError: v; cancelled storage.storageMigrationError: v
        on lockedOut storage.storageMigrationError: v
      storageError.sqliteError
        on failed storage.sqliteError: q (5); missing storage.sqliteError: q (5)
        on invalidated storage.sqliteError: q (5); cancelled storage.sqliteError: q (5)
        on lockedOut storage.sqliteError: q (5)
      storageError.generalStorageError
        on failed storage.generalStorageError: u; missing storage.generalStorageError: u
        on invalidated storage.generalStorageError: u; cancelled storage.generalStorageError: u
        on lockedOut storage.generalStorageError: u
      genericError
        on missing -; missing x; missing keyGenFailed: k; missing failedToSignPayload: s
        on missing jwkError: j; missing generalEncryptionError: g; missing storage.; missing elsewhere: e
      securityError.keyCorrupted
        on invalidated -; invalidated x; invalidated keyGenFailed: k; invalidated failedToSignPayload: s
        on invalidated jwkError: j; invalidated generalEncryptionError: g; invalidated storage.
        on invalidated elsewhere: e
      securityError.localAuthenticationCancelled
        on cancelled -; cancelled x; cancelled keyGenFailed: k; cancelled failedToSignPayload: s
        on cancelled jwkError: j; cancelled generalEncryptionError: g; cancelled storage.
        on cancelled elsewhere: e
      securityError.localAuthenticationFailed
        on lockedOut -; lockedOut x; lockedOut keyGenFailed: k; lockedOut failedToSignPayload: s
        on lockedOut jwkError: j; lockedOut generalEncryptionError: g; lockedOut storage.
        on lockedOut elsewhere: e
    """
}
