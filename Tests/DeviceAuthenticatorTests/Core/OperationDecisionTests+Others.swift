// The table of decisions of the other operations on enrollments.

extension OperationDecisionTests {
  /// Step by step, what is decided, and on which inputs.
  static let operations = """
    sending a push token:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ask device.store
        on answer 204; answer organization; answer policy; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list
        on answer that is no object
      enrollment updateDeviceToken, ask device.store
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment updateDeviceToken, call 1 serverAPIError, ended failed
        on answer 500; answer 429; answer 429, wait 7 s
      enrollment updateDeviceToken, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 28 others
    verifying before a key:
      call 8 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ended failed
        on release
      nothing on 49 others
    taking verification off:
      call 8 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ended failed
        on release
      nothing on 49 others
    sending CIBA:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment enableCIBATransactions, call 1 internalError, ended failed
        on answer 204; answer organization; answer policy; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list
        on answer that is no object
      ask device.store
        on answer enrollment
      enrollment enableCIBATransactions, ask device.store
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment enableCIBATransactions, call 1 serverAPIError, ended failed
        on answer 500; answer 429; answer 429, wait 7 s
      enrollment enableCIBATransactions, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 28 others
    deleting at the org:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ask device.store
        on answer 204; answer organization; answer policy; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list; answer 404 gone
        on answer 403 suspended; answer 410 device deleted; answer that is no object
      enrollment delete, ask device.store
        on answer 401
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment delete, call 1 serverAPIError, ended failed
        on answer 500; answer 429; answer 429, wait 7 s
      enrollment delete, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 28 others
    deleting here:
      call 8 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ask device.dropKeys
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment delete, call 1 securityError, ended failed
        on brought a failure; brought an invalidated key
      enrollment delete, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.store
        on a draw that nothing asked for
      nothing on 28 others
    destroying keys:
      call 10 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment pfd1, call 1 done, ended success
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
      call 1 cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      ask device.dropKeys
        on a draw that nothing asked for
      nothing on 28 others
    deleting here alone:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      ask device.dropKeys
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment deleteFromDevice, call 1 securityError, ended failed
        on brought a failure; brought an invalidated key
      enrollment deleteFromDevice, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      nothing on 29 others
    signing an assertion:
      call 7 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      POST /oauth2/v1/token
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      enrollment retrieveMaintenanceToken, maintenanceToken securityError, call 1 securityError, ended failed
        on brought a failure; brought an invalidated key
      enrollment retrieveMaintenanceToken, maintenanceToken genericError, call 1 genericError, ended failed
        on brought a missing key
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      nothing on 29 others
    obtaining a token:
      call 9 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      POST /oauth2/v1/token
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
        on a draw that nothing asked for
      enrollment retrieveMaintenanceToken, maintenanceToken internalError, call 1 internalError, ended failed
        on answer 204; answer organization; answer policy; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer list; answer that is no object
      maintenanceToken , call 1 done, ended success
        on answer token
      enrollment retrieveMaintenanceToken, maintenanceToken serverAPIError, ask device.store
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment retrieveMaintenanceToken, maintenanceToken serverAPIError, call 1 serverAPIError, ended failed
        on answer 500; answer 429; answer 429, wait 7 s
      enrollment retrieveMaintenanceToken, maintenanceToken networkError, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 9 others
    pulling:
      call 6 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call receive; call respond; call resolve; call provideConsent
        on call provideVerification; call retrySubmission; call no such call
      enrollment retrievePushChallenges, call 1 genericError, ended failed
        on answer 204; answer organization; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer that is no object
      challenges pfd1, call 1 done, ended success
        on answer policy; answer list
      enrollment retrievePushChallenges, ask device.store
        on answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted
      call 1 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 1 cancelled, ended abandoned
        on release
      enrollment retrievePushChallenges, call 1 serverAPIError, ended failed
        on answer 500; answer 429; answer 429, wait 7 s
      enrollment retrievePushChallenges, call 1 networkError, ended failed
        on answer lost; answer past the limit
      nothing on 28 others
    """
}
