// The tables of answers.

extension AnswerMatrixTests {
  static let withoutVerification = """
      consent | proofOfPossession [] APPROVED_CONSENT_PROMPT
        on yes, good key; yes, no key; yes, key lost; yes, key locked
      no step | proofOfPossession [] APPROVED_CONSENT_PROMPT
        on yes by button, good key; yes by button, no key; yes by button, key lost
        on yes by button, key locked; yes before, good key; yes before, no key; yes before, key lost
        on yes before, key locked
      consent | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no, good key; no, no key; no, key lost; no, key locked; no answer, good key; no answer, no key
        on no answer, key lost; no answer, key locked
      no step | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no by button, good key; no by button, no key; no by button, key lost; no by button, key locked
        on no before, good key; no before, no key; no before, key lost; no before, key locked
    """

  static let preferred = """
      consent, verification | userVerification [pin] APPROVED_USER_VERIFICATION
        on yes, good key, verified by pin
      consent, verification | userVerification [fpt] APPROVED_USER_VERIFICATION
        on yes, good key, verified by fingerprint
      consent, verification | userVerification [face] APPROVED_USER_VERIFICATION
        on yes, good key, verified by face
      consent, verification | userVerification [none] APPROVED_USER_VERIFICATION
        on yes, good key, verified by none
      consent, verification, message userVerificationCancelledByUser | proofOfPossession [] CANCELLED_USER_VERIFICATION
        on yes, good key, cancelled; yes, good key, signature cancelled
      consent, verification, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes, good key, failed; yes, good key, notSetUp; yes, good key, lockedOut
        on yes, good key, timedOut; yes, good key, unheard of; yes, good key, no verifier: failed
        on yes, good key, no verifier: missing; yes, good key, signature lockedOut
        on yes, good key, signature failed
      consent, verification, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes, good key, signature missing; yes, good key, signature invalidated
      consent, message userVerificationKeyNotEnrolled | proofOfPossession [] APPROVED_CONSENT_PROMPT
        on yes, no key
      consent, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes, key lost
      consent, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes, key locked
      verification | userVerification [pin] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by pin; yes before, good key, verified by pin
      verification | userVerification [fpt] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by fingerprint
        on yes before, good key, verified by fingerprint
      verification | userVerification [face] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by face; yes before, good key, verified by face
      verification | userVerification [none] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by none; yes before, good key, verified by none
      verification, message userVerificationCancelledByUser | proofOfPossession [] CANCELLED_USER_VERIFICATION
        on yes by button, good key, cancelled; yes by button, good key, signature cancelled
        on yes before, good key, cancelled; yes before, good key, signature cancelled
      verification, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes by button, good key, failed; yes by button, good key, notSetUp
        on yes by button, good key, lockedOut; yes by button, good key, timedOut
        on yes by button, good key, unheard of; yes by button, good key, no verifier: failed
        on yes by button, good key, no verifier: missing; yes by button, good key, signature lockedOut
        on yes by button, good key, signature failed; yes before, good key, failed
        on yes before, good key, notSetUp; yes before, good key, lockedOut
        on yes before, good key, timedOut; yes before, good key, unheard of
        on yes before, good key, no verifier: failed; yes before, good key, no verifier: missing
        on yes before, good key, signature lockedOut; yes before, good key, signature failed
      verification, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes by button, good key, signature missing; yes by button, good key, signature invalidated
        on yes before, good key, signature missing; yes before, good key, signature invalidated
      message userVerificationKeyNotEnrolled | proofOfPossession [] APPROVED_CONSENT_PROMPT
        on yes by button, no key; yes before, no key
      message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes by button, key lost; yes before, key lost
      message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes by button, key locked; yes before, key locked
      consent | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no, good key; no, no key; no, key lost; no, key locked; no answer, good key; no answer, no key
        on no answer, key lost; no answer, key locked
      no step | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no by button, good key; no by button, no key; no by button, key lost; no by button, key locked
        on no before, good key; no before, no key; no before, key lost; no before, key locked
    """

  static let required = """
      consent, verification | userVerification [pin] APPROVED_USER_VERIFICATION
        on yes, good key, verified by pin
      consent, verification | userVerification [fpt] APPROVED_USER_VERIFICATION
        on yes, good key, verified by fingerprint
      consent, verification | userVerification [face] APPROVED_USER_VERIFICATION
        on yes, good key, verified by face
      consent, verification | userVerification [none] APPROVED_USER_VERIFICATION
        on yes, good key, verified by none
      consent, verification, message userVerificationCancelledByUser | proofOfPossession [] CANCELLED_USER_VERIFICATION
        on yes, good key, cancelled; yes, good key, signature cancelled
      consent, verification, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes, good key, failed; yes, good key, notSetUp; yes, good key, lockedOut
        on yes, good key, timedOut; yes, good key, unheard of; yes, good key, no verifier: failed
        on yes, good key, no verifier: missing; yes, good key, signature lockedOut
        on yes, good key, signature failed
      consent, verification, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes, good key, signature missing; yes, good key, signature invalidated
      consent, message userVerificationKeyNotEnrolled | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes, no key
      consent, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes, key lost
      consent, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes, key locked
      verification | userVerification [pin] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by pin; yes before, good key, verified by pin
      verification | userVerification [fpt] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by fingerprint
        on yes before, good key, verified by fingerprint
      verification | userVerification [face] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by face; yes before, good key, verified by face
      verification | userVerification [none] APPROVED_USER_VERIFICATION
        on yes by button, good key, verified by none; yes before, good key, verified by none
      verification, message userVerificationCancelledByUser | proofOfPossession [] CANCELLED_USER_VERIFICATION
        on yes by button, good key, cancelled; yes by button, good key, signature cancelled
        on yes before, good key, cancelled; yes before, good key, signature cancelled
      verification, message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes by button, good key, failed; yes by button, good key, notSetUp
        on yes by button, good key, lockedOut; yes by button, good key, timedOut
        on yes by button, good key, unheard of; yes by button, good key, no verifier: failed
        on yes by button, good key, no verifier: missing; yes by button, good key, signature lockedOut
        on yes by button, good key, signature failed; yes before, good key, failed
        on yes before, good key, notSetUp; yes before, good key, lockedOut
        on yes before, good key, timedOut; yes before, good key, unheard of
        on yes before, good key, no verifier: failed; yes before, good key, no verifier: missing
        on yes before, good key, signature lockedOut; yes before, good key, signature failed
      verification, message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes by button, good key, signature missing; yes by button, good key, signature invalidated
        on yes before, good key, signature missing; yes before, good key, signature invalidated
      message userVerificationKeyNotEnrolled | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes by button, no key; yes before, no key
      message userVerificationKeyCorruptedOrMissing | proofOfPossession [] UV_PERMANENTLY_UNAVAILABLE
        on yes by button, key lost; yes before, key lost
      message userVerificationFailed | proofOfPossession [] UV_TEMPORARILY_UNAVAILABLE
        on yes by button, key locked; yes before, key locked
      consent | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no, good key; no, no key; no, key lost; no, key locked; no answer, good key; no answer, no key
        on no answer, key lost; no answer, key locked
      no step | proofOfPossession [] DENIED_CONSENT_PROMPT
        on no by button, good key; no by button, no key; no by button, key lost; no by button, key locked
        on no before, good key; no before, no key; no before, key lost; no before, key locked
    """
}
