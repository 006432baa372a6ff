// The table of decisions about a challenge.

extension ChallengeDecisionTests {
  /// Phase by phase, what is decided, and on which inputs.
  static let expected = """
    fresh:
      enrollment downloadPolicy, GET /.well-known/app-authenticator-configuration
        on call downloadPolicy
      enrollment enroll, GET /.well-known/okta-organization
        on call enroll
      enrollment updateDeviceToken, PATCH /idp/myaccount/app-authenticators/pfd1
        on call updateDeviceToken
      enrollment setUserVerification, enrollment setUserVerification, call 1 genericError, ended failed
        on call setUserVerification
      enrollment enableCIBATransactions, PATCH /idp/myaccount/app-authenticators/pfd1
        on call enableCIBATransactions
      enrollment delete, DELETE /idp/myaccount/app-authenticators/pfd1
        on call delete
      enrollment deleteFromDevice, ask device.store
        on call deleteFromDevice
      enrollment retrieveMaintenanceToken, ask device.sign
        on call retrieveMaintenanceToken
      enrollment retrievePushChallenges, GET /pending
        on call retrievePushChallenges
      challenge push, challenge ft1, timer 600001 expiry, call 1 done
        on call receive
      call 1 internalError
        on call respond; call resolve; call provideConsent; call provideVerification
        on call retrySubmission; call no such call
      ended abandoned
        on release
      nothing on 49 others
    parsed:
      call 8 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 8 done
        on call receive
      consent ft1, call 8 done
        on call respond
      GET /.well-known/openid-configuration
        on call resolve
      step ft1, call 8 done
        on call provideConsent; call provideVerification
      challenge ft1, call 8 duplicateChallenge
        on call retrySubmission
      ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 48 others
    looking for the org's keys:
      call 12 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 12 done
        on call receive
      step ft1, call 12 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 12 duplicateChallenge
        on call resolve; call retrySubmission
      key https://org.example, challenge V5, call 8 securityError, ended rejected
        on answer 204; answer organization; answer policy; answer enrollment; answer keys; answer token
        on answer list; answer 401; answer 404 gone; answer 403 suspended; answer 410 device deleted
        on answer 500; answer 429; answer 429, wait 7 s; answer that is no object; answer lost
        on answer past the limit
      GET /oauth2/v1/keys
        on answer discovery
      GET /keys
        on answer discovery of elsewhere
      call 8 cancelled
        on give up what resolves or operates; give the last call up
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 27 others
    fetching the org's keys:
      call 14 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 14 done
        on call receive
      step ft1, call 14 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 14 duplicateChallenge
        on call resolve; call retrySubmission
      key https://org.example, challenge V5, call 8 securityError, ended rejected
        on answer 204; answer organization; answer policy; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer token; answer list; answer 401; answer 404 gone
        on answer 403 suspended; answer 410 device deleted; answer 500; answer 429; answer 429, wait 7 s
        on answer that is no object; answer lost; answer past the limit
      ask device.verifyToken
        on answer keys
      call 8 cancelled
        on give up what resolves or operates; give the last call up
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      GET /oauth2/v1/keys
        on a draw that nothing asked for
      nothing on 26 others
    checking the signature:
      call 16 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 16 done
        on call receive
      step ft1, call 16 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 16 duplicateChallenge
        on call resolve; call retrySubmission
      key https://org.example, challenge V5, call 8 securityError, ended rejected
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought no such key; brought a weak key
        on brought a person; brought a person who cancels; brought a lock; brought a JWT; brought keys
        on brought orphans; brought signals; brought a failure; brought a missing key
        on brought an invalidated key
      key https://org.example, challenge ft1, consent ft1
        on brought a right signature
      key https://org.example, challenge V6, call 8 securityError, ended rejected
        on brought a bad signature
      call 8 cancelled
        on give up what resolves or operates; give the last call up
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      ask device.verifyToken
        on a draw that nothing asked for
      nothing on 27 others
    asking the person:
      call 20 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 20 done
        on call receive
      step ft1, call 20 done
        on call respond; call provideVerification
      challenge ft1, call 20 duplicateChallenge
        on call resolve; call retrySubmission
      call 20 done, consent ft1, ask device.store
        on call provideConsent
      call 8 cancelled
        on give up what resolves or operates; give the last call up
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 46 others
    claiming:
      call 24 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 24 done
        on call receive
      step ft1, call 24 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 24 duplicateChallenge
        on call resolve; call retrySubmission
      challenge ft1, challenge ft1, call 8 duplicateChallenge, ended failed
        on brought done; brought claimed elsewhere; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
      signals ft1, verification ft1
        on brought claimed
      challenge H7, call 8 securityError, ended rejected
        on brought claimed for another challenge
      challenge ft1, call 8 securityError, ended failed
        on brought a failure; brought an invalidated key
      challenge ft1, call 8 genericError, ended failed
        on brought a missing key
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 29 others
    collecting signals:
      call 21 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 21 done
        on call receive
      step ft1, call 21 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 21 duplicateChallenge
        on call resolve; call retrySubmission
      signals ft1, verification ft1
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
      challenge ft1, call 11 cancelled, ended cancelled
        on give up what resolves or operates; give the last call up
      call 11 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 28 others
    wanting verification:
      call 28 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 28 done
        on call receive
      step ft1, call 28 done
        on call respond; call provideConsent
      challenge ft1, call 28 duplicateChallenge
        on call resolve; call retrySubmission
      call 28 done, ask device.verifyPerson
        on call provideVerification
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 47 others
    verifying:
      call 31 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 31 done
        on call receive
      step ft1, call 31 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 31 duplicateChallenge
        on call resolve; call retrySubmission
      verification ft1, key ft1, ask device.sign
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person who cancels; brought a lock
        on brought a JWT; brought keys; brought orphans; brought signals; brought a failure
        on brought a missing key; brought an invalidated key
      verification ft1, ask device.sign
        on brought a person
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      timer 600001 expiry
        on timer
      nothing on 29 others
    signing for a verified person:
      call 35 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 35 done
        on call receive
      step ft1, call 35 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 35 duplicateChallenge
        on call resolve; call retrySubmission
      challenge ft1, ask device.store
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought keys; brought orphans; brought signals
      response ft1, ask device.store
        on brought a JWT
      key ft1, ask device.sign
        on brought a failure; brought a missing key; brought an invalidated key
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      nothing on 30 others
    signing silently:
      call 36 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 36 done
        on call receive
      step ft1, call 36 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 36 duplicateChallenge
        on call resolve; call retrySubmission
      challenge ft1, ask device.store
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought keys; brought orphans; brought signals; brought a failure
        on brought a missing key; brought an invalidated key
      response ft1, ask device.store
        on brought a JWT
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      nothing on 30 others
    saving the answer:
      call 38 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 38 done
        on call receive
      step ft1, call 38 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 38 duplicateChallenge
        on call resolve; call retrySubmission
      POST /verify/ft1
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
      challenge ft1, call 8 cancelled, ended cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      nothing on 30 others
    sending the answer:
      call 40 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 40 done
        on call receive
      step ft1, call 40 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 40 duplicateChallenge
        on call resolve; call retrySubmission
      challenge ft1, ask device.store
        on answer 204; answer organization; answer policy; answer enrollment; answer discovery
        on answer discovery of elsewhere; answer keys; answer token; answer list; answer 401; answer 500
        on answer 429; answer 429, wait 7 s; answer that is no object
      enrollment pfd1, challenge ft1, ask device.store
        on answer 404 gone; answer 403 suspended; answer 410 device deleted
      call 8 cancelled
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      submission ft1, timer 301000 expiry, call 8 networkError
        on answer lost; answer past the limit
      nothing on 29 others
    not known whether it arrived:
      call 44 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 44 done
        on call receive
      step ft1, call 44 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 44 duplicateChallenge
        on call resolve
      submission ft1, POST /verify/ft1
        on call retrySubmission
      ended failed
        on release
      timer 301000 expiry
        on timer
      nothing on 48 others
    closing:
      call 43 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 43 done
        on call receive
      step ft1, call 43 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 43 duplicateChallenge
        on call resolve; call retrySubmission
      call 8 done, ended approved
        on brought done; brought claimed; brought claimed elsewhere
        on brought claimed for another challenge; brought a right signature; brought a bad signature
        on brought no such key; brought a weak key; brought a person; brought a person who cancels
        on brought a lock; brought a JWT; brought keys; brought orphans; brought signals
        on brought a failure; brought a missing key; brought an invalidated key
      call 8 cancelled, ended approved
        on give up what resolves or operates
      call 8 cancelled, ended abandoned
        on release
      nothing on 30 others
    ended:
      call 46 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 46 done
        on call receive
      step ft1, call 46 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 46 duplicateChallenge
        on call resolve; call retrySubmission
      ended abandoned
        on release
      nothing on 49 others
    answered in another flow:
      call 7 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 7 done
        on call receive
      step ft1, call 7 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 7 duplicateChallenge
        on call resolve; call retrySubmission
      ended abandoned
        on release
      nothing on 49 others
    signed in another flow:
      call 8 internalError
        on call downloadPolicy; call enroll; call updateDeviceToken; call setUserVerification
        on call enableCIBATransactions; call delete; call deleteFromDevice; call retrieveMaintenanceToken
        on call retrievePushChallenges; call no such call
      challenge ft1, call 8 done
        on call receive
      step ft1, call 8 done
        on call respond; call provideConsent; call provideVerification
      challenge ft1, call 8 duplicateChallenge
        on call resolve
      submission ft1, POST /verify/ft1
        on call retrySubmission
      ended abandoned
        on release
      timer 3601000 expiry
        on timer
      nothing on 48 others
    """
}
