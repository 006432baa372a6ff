// The description in a bundle, for readers who do not know this project.

/// `HOW-TO-CHECK.md`.
enum HowToCheck {
  static let text = #"""
    # How to check this bundle

    It claims that certain records are in an audit log of sign-ins. You can check that without the program that wrote it.

        python3 check.py BUNDLE.zip PUBLIC-KEY-FILE

    Take the public key from a place that the maker of this bundle cannot change: who operates the log publishes it, or you
    noted it before. `keys.txt` in here is no such place. Take `check.py` from there too, or read it: it has 270 lines.
    Without it, any RFC 6962 and Ed25519 tools will do; this is what is proved, step by step.

    | file | is |
    | --- | --- |
    | `records.ndjson` | the records, byte for byte as they stand in the log, one a line, in the order of the log |
    | `proofs.json` | for each record its position and the path from it to the root of the log (RFC 6962) |
    | `checkpoint.txt` | "this log has N records and this root", signed with Ed25519 (C2SP tlog-checkpoint) |
    | `latest-checkpoint.txt`, `consistency.json` | if there: a later checkpoint, and the proof that the log only grew |
    | `keys.txt` | the public keys that the checkpoints name (C2SP signed-note). Anyone can put one there |
    | `evidence.json` | what was asked for (the maker's word), and the SHA-256 of the other files |
    | `time-line.html` | the same records for reading, made from them. What counts is `records.ndjson` |
    | `check.py` | does the steps below |

    1. The hash of a record is SHA-256 of a zero byte and its line without the line end:
       `(printf '\0'; head -n 1 records.ndjson | tr -d '\n') | sha256sum`
    2. With the hashes of its proof (base64) it leads to the root in line 3 of `checkpoint.txt`: a node is SHA-256 of a
       byte 1, the left hash, the right hash.
    3. The signature in the last lines of `checkpoint.txt` is over all lines before the empty one. After base64, its first
       four bytes are the key's hash, the rest is the Ed25519 signature, which `openssl pkeyutl -verify -rawin` checks. The
       key's name, which its text begins with, is the name of the log: line 1 of `checkpoint.txt`, byte for byte.
    4. Within each flow (`stream`), the revisions (`rev`) run from 0 without a gap: no record in between was left out.
    5. If there is a later checkpoint, your key has signed that too, or the first one hands the log over to a key
       (`next-key`) that has signed both. If not, the later one may be anybody's: `unanchored`.

    What this does not prove: that the flows went on after the last record that is in here, that no other flow belongs to
    the same person, and that what was recorded is true. It proves that these bytes were in the log when the checkpoint was
    signed, at these positions, and have not been changed since.

    """#
}
