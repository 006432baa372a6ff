// Keys and signatures that were created once for the trials of ID tokens. The private keys were discarded; these keys
// protect nothing.

/// Fixed public keys, and texts signed with them.
enum SignedTexts {
  /// Claims with everything that is compared.
  static let claims =
    #"{"iss":"https://acme.example","sub":"00u-1","aud":"client-1","exp":1768471241,"iat":1768467641"#
    + #","nonce":"nonce-1","auth_time":1768467581,"acr":"two","at_hash":"9MKET0Y7WpOlF96BtnoJyA","#
    + #""ds_hash":"AyBN6S4R_IxSgTm-QZBlkg"}"#

  /// The minimal claims of a token.
  static let plainClaims =
    #"{"iss":"https://acme.example","sub":"00u-1","aud":"client-1","exp":1768471241,"iat":1768467641}"#

  /// A point on the curve of `ES256`.
  static let es256 = (
    x: "NuONIMNew-x84wpMw8HOP_A-6CLl8siEM8WRC1KnRVg",
    y: "I5J9cfnSM8ckUVFhNJkyd1U0nsjsoFD4aMibZ6VUrhU"
  )
  /// A point on the curve of `ES384`.
  static let es384 = (
    x: "HirYUMEyh91JBcY5Al4AK0aax7uebWpcs2O8lOavP2Fc7--wU7w-hKivi_nNlCYD",
    y: "fW6XZgrs_TvGozDzFRJ7pkoCXF3gZHQ3WisMR8NngOrORUl2wEFaZ3ZyE6oQLx9U"
  )
  /// A point on the curve of `ES512`.
  static let es512 = (
    x: "AItbigWJWgYt05L3fXKbzAVZp1EciAGWJvF-FCF95ryC6gFqUbtQyWCnnbF_kQgsVXwIsajF8YiikIstU4OYzft6",
    y: "AcqFwf0SsBwfd8JyKNPZlY8lH8xuka4GvoFHbyaOEzrHcI5t2On_6Svbu6LkddZFJcy_t5zasRtZoz-h7iwT3lZp"
  )

  /// The modulus of an RSA key of 2048 bits; its exponent is 65537.
  static let modulus = """
    pj4n8lidy8i06bJ5sGYuL3wAL-Q-79eP9FkYgScScRwQsA79rQ6P2jBLGl5e5PH16wSMaCRy0kiQpEhG7Gsi_podCbHpb9_AzhN8CVGInq20O-Q\
    OaYu_unJfM1AATFvQIDbYpahM7ZEzt7-Cd4YLZ3du5xMvftGFQs-eMjQBL-ojiEwmPp0evWoDdlP8qPbHD28J8obHD4mt1ccr_CmouqPyxwfEHJ\
    b5420l6aoPMoIdJ5-QGAMnNOWvP7NFCC6xE1SqUt-ZuLXNTCbTAEQV6CEOZ9q_yheqeG6fRRwvk8W67QEL3CxzeCqwqkzbOtznTQgagpyR3M5WO\
    xYns1U50Q
    """

  /// The signature over `claims` with `ES256` and the key ID `key-1`.
  static let ofClaims = "kZLtIoWgrqa15kiAOy1zTX52v5Y8CTY2C-vNQvor-i39N_kRSpA0bfaDm8BMrQd_NaXAc2HdwZvwZ9T_wmmoGw"
  /// The signature over `plainClaims` with `ES256` and no key ID.
  static let withoutID = "e4mv35Jkpx-ikxdNXhR_eZNtNk_vUsbOoHeZz8EHc41Wx3of8akRlmKxu9H0GjjeGFC0_0VJhGbGLnYZyNsQEQ"

  /// The signatures over `plainClaims` with the key ID `key-1`, keyed by algorithm.
  static let signatures: [String: String] = [
    "ES256": "fYmnELGnqaGR3vNnYzwLMPjoqBwoq2KmfCMiDEvwMOI-V9Qo7VvFaJKfWvJEFEVYNw2C6RmojpY2504HMm8GzA",
    "ES384": """
    UuzGHeEfxJ5tSprGxCP6tMmZZUgK15i376lMxqtEux8yzeCi8N0f1LN0Mr3C33xeGu20E-qB3tHNdJdXpCsylCvowGZ0chSfoppXdlbMsUiTn\
    G8D_3x5cJvlsLzEP9Pr
    """,
    "ES512": """
    ACoZaiGog5GSxfv5fJT3oeK_3aJIo-hfFwviUPUPhxReyfNLNfZR_n3HZawOX-rmzL5C6vm4D3bl7Sie1yYqKa3pAeiCXoecnFZAcyX5SkwxE\
    jbh_SiV5aiTMG8EbKAMGR6zVMvlIP8F1fkSxx-8OgvaSFUsLUCyPAEQ9NQhoBdvA-UI
    """,
    "RS256": """
    FKWW0ZcvwtDZ3oloDRLvhxISo98ud2AaZZgKQY4kWi6bN-OGRC58knSdT93_ceMutE-bmpk6liyzw6CUz9QaCWYmJK0YPjMxJVhRROxkrSlDg\
    b1GG0SGsEzON7Mu8rJIxgVdmWXz6FJe42CKn2wq9_hbxhpUBVEZb3dbWNldw88uo7XO8p6DG9rgotit9TO_jtKhxbZi4mNaqQ2rzyaeCa3Yb4\
    kl5wHhY-I26KI4Vxd_-FRSjz1_khfuI9Ruu9_wLyiwvEKY4gD8YV6BW989iZkz0k6LOLZp87ZdFSAVTvbLQPBsaojJ7GvL9sajyLnIcYh4S9M\
    RC6q-_Fs_wj0bcQ
    """,
    "RS384": """
    Y-n5kBd3m5zoOgF8mOBPGLH-NcpakCYcM_6yZfXgXKeaVL35owdDYapj98_YYcYGaXymm7ikqFVohF1Uw2M5KaWBjefjCxGepyRmUYu0zvhFL\
    9lMLc0I1YQy0i3ORPhwcicBh_QiEWsiUl3_kNDy4kmorXvRrSBQkOxoZLguyXwQl2yFR2XWgnLN6nj8FD8pj6msBZje6ZaApmGmzwr6oMkMqr\
    QdXuJayA22w_ZSJKLD70QBr7f4L0XtnA08NBBYtM2uLDW_rgFyjSreNcfScy5l5sEVID1WwMLGX54OIXpiw-KS_mpdEjUxQJyT0SABxNDJ1Yc\
    IdAZwslS02U202w
    """,
    "RS512": """
    OMDmpls74hgShkQ5_1DUHaq11n7G3jtCTflbMagyaG-dtsh5oWDc7HUKsyvE94dMNhDoiFby467FnxWfiqYtw6DwquReMG8SjymFnbAgkUd2T\
    OIxKBgX0IAMuRsbY6jU9mLWLaX3zh1EOPnot1srsoUUEXbKSrzQLmNdm4MJDvuJZIkEskz0Fcsy7peox8QUwRUPI3sIv1OUtinQnit40vvche\
    Frg17rLoepryPyweG-p6u_ar6yDli0yEcpqNr_XFPqKfhGdWvqjdN5EBeVnO3DGhO3PyAQME6L4mjg8Hqk6d6cI15C3Oz3pT3gCSBSy5kdK4K\
    7_Sq01yNRHkPgBg
    """,
  ]
}
