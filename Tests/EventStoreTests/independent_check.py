#!/usr/bin/env python3
"""Checks a store without the program that wrote it.

    independent_check.py DIRECTORY

Decodes the segments with the `lz4` command, recomputes the RFC 6962 Merkle root over the lines, and compares it with
the C2SP checkpoint in checkpoints/latest, whose Ed25519 signature it checks with the public key in store.json. Prints
`records root`. Needs Python 3.9, `lz4`, and the `cryptography` package or `openssl` 3.
"""
import base64, glob, hashlib, json, os, subprocess, sys, tempfile


def lines(directory):
    data = b"".join(open(path, "rb").read() for path in sorted(glob.glob(directory + "/segments/*.ndjson.lz4")))
    done = subprocess.run(["lz4", "-dc"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert done.returncode in (0, 68), f"lz4 ended with {done.returncode}"
    assert done.stdout.endswith(b"\n") or not done.stdout
    return done.stdout.split(b"\n")[:-1]


def root(leaves):
    """RFC 6962 section 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + root(leaves[:k]) + root(leaves[k:])).digest()


def verify(public, signature, message):
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        return
    except ImportError:
        pass
    with tempfile.TemporaryDirectory() as folder:
        # An Ed25519 public key as DER is these twelve bytes and the key (RFC 8410).
        der = bytes.fromhex("302a300506032b6570032100") + public
        for name, content in (("key", der), ("sig", signature), ("msg", message)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", folder + "/key", "-rawin",
             "-in", folder + "/msg", "-sigfile", folder + "/sig"], check=True, stdout=subprocess.DEVNULL)


def main(directory):
    records = lines(directory)
    for position, line in enumerate(records):
        assert json.loads(line)["n"] == position, f"line {position} has another position"
    note = open(directory + "/checkpoints/latest", encoding="utf-8").read()
    body, signatures = note.split("\n\n")
    origin, size, claimed = body.split("\n")[:3]
    computed = base64.b64encode(root(records[: int(size)])).decode()
    assert int(size) <= len(records), "the log is smaller than its checkpoint"
    assert computed == claimed, f"root {computed}, the checkpoint says {claimed}"

    name, key_hash, key = json.load(open(directory + "/store.json"))["publicKey"].split("+", 2)
    key = base64.b64decode(key)
    assert name == origin and key[0] == 1
    assert hashlib.sha256(name.encode() + b"\n" + key).hexdigest()[:8] == key_hash
    mark, signer, signature = signatures.strip().split(" ")
    signature = base64.b64decode(signature)
    assert mark == "\u2014" and signer == name and signature[:4].hex() == key_hash
    verify(key[1:], signature[4:], (body + "\n").encode())
    print(len(records), base64.b64encode(root(records)).decode())


main(sys.argv[1])
