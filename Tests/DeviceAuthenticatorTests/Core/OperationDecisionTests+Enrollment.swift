// The table of decisions while a device is enrolled.

extension OperationDecisionTests {
  /// Step by step, what is decided, and on which inputs.
  static let enrollment = """
    asking for the org's id:
      call 4 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment enroll, call 1 genericError, ended failed
        on answer 204; answer policy; answer discovery; answer discovery of elsewhere; answer keys
        on answer token; answer list; answer that is no object
      GET /.well-known/app-authenticator-configuration
        on answer organization; answer enrollment
      enrollment enroll, call 1 serverAPIError, ended failed
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted; answer 500
        on answer 429; answer 429, wait 7 s
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment enroll, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 28 others
    fetching the policy:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment enroll, call 1 internalError, ended failed
        on answer 204; answer organization; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list
        on answer that is no object
      enrollment aut1, ask device.store
        on answer policy
      enrollment enroll, call 1 serverAPIError, ended failed
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted; answer 500
        on answer 429; answer 429, wait 7 s
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment enroll, call 1 networkError, ended failed
        on answer lost; answer past the limit
      GET /.well-known/app-authenticator-configuration
        on a draw that nothing asked for
      nothing on 27 others
    storing the policy:
      call 11 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ask device.verifyPerson
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment enroll, call 1 securityError, ended failed
        on brought a failure; brought an invalidated key
      enrollment enroll, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment aut1, ask device.store
        on a draw that nothing asked for
      nothing on 28 others
    verifying the person:
      call 13 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment enroll, call 1 securityError, ended failed
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person who cancels; brought a lock
        on brought a JWT; brought keys; brought orphans; brought signals; brought a failure
        on brought an invalidated key
      ask device.makeKeys
        on brought a person
      enrollment enroll, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.verifyPerson
        on a draw that nothing asked for
      nothing on 28 others
    making keys:
      call 17 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment SOFTWARE, ask device.sign
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment enroll, call 1 securityError, ended failed
        on brought a failure; brought an invalidated key
      enrollment enroll, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled, enrollment enroll
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.makeKeys
        on a draw that nothing asked for
      nothing on 28 others
    attesting the device:
      call 21 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      ask device.makeKeys
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled, enrollment enroll, ask device.dropKeys
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment SOFTWARE, ask device.sign
        on a draw that nothing asked for
      nothing on 28 others
    replacing the device's key:
      call 24 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment SOFTWARE, POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment enroll, ask device.dropKeys
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled, enrollment enroll
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.makeKeys
        on a draw that nothing asked for
      nothing on 28 others
    enrolling:
      call 23 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
        on a draw that nothing asked for
      enrollment enroll, ask device.dropKeys
        on answer 204; answer organization; answer policy; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list; answer 404 gone
        on answer 403 suspended; answer 500; answer 429; answer 429, wait 7 s; answer that is no object
        on answer lost; answer past the limit
      ask device.store
        on answer enrollment
      enrollment E0000011, ask device.makeKeys
        on answer 401
      enrollment E0000153, ask device.makeKeys
        on answer 410 device deleted
      call 1 cancelled, enrollment enroll, ask device.dropKeys
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      nothing on 9 others
    making keys of a new device:
      call 27 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment SOFTWARE, POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment enroll, ask device.dropKeys
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled, enrollment enroll
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment E0000153, ask device.makeKeys
        on a draw that nothing asked for
      nothing on 28 others
    enrolling as a new device:
      call 30 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment SOFTWARE, POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
        on a draw that nothing asked for
      enrollment enroll, ask device.dropKeys
        on answer 204; answer organization; answer policy; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list; answer 401
        on answer 404 gone; answer 403 suspended; answer 410 device deleted; answer 500; answer 429
        on answer 429, wait 7 s; answer that is no object; answer lost; answer past the limit
      ask device.store
        on answer enrollment
      call 1 cancelled, enrollment enroll, ask device.dropKeys
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      nothing on 9 others
    storing the enrollment:
      call 25 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment pfd1, call 1 done, ended success
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought signals
      enrollment pfd1, ask device.dropKeys
        on brought orphans
      enrollment enroll, ask device.dropKeys
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.store
        on a draw that nothing asked for
      nothing on 28 others
    undoing:
      call 27 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment SOFTWARE, POST /enroll
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment enroll, ask device.dropKeys
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled, enrollment enroll
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment E0000011, ask device.makeKeys
        on a draw that nothing asked for
      nothing on 28 others
    done:
      call 29 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ended abandoned
        on release
      nothing on 49 others
    """
}
