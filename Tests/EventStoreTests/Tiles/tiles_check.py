#!/usr/bin/env python3
"""Checks an export in the layout of C2SP tlog-tiles without the program that wrote it.

    tiles_check.py DIRECTORY VKEY [MINIMUM]

Recomputes the RFC 6962 Merkle root from the entry bundles, and once more from the tiles, level by level; looks that each
tile is there, of the right width, and that there are no others, and no entries before MINIMUM, whose hashes it takes from
the tiles; compares the root with the checkpoint and checks its
Ed25519 signature. Prints `size root`. Needs Python 3.9, and the `cryptography` package or `openssl` 3.
"""
import base64, hashlib, os, subprocess, sys, tempfile


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root(hashes):
    """RFC 6962 section 2.1 over leaf hashes."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    k = 1
    while k * 2 < len(hashes):
        k *= 2
    return node(root(hashes[:k]), root(hashes[k:]))


def place(level, index, width):
    parts = ["%03d" % (index % 1000)]
    while index >= 1000:
        index //= 1000
        parts.insert(0, "x%03d" % (index % 1000))
    return "tile/%s/%s" % (level, "/".join(parts)) + ("" if width == 256 else ".p/%d" % width)


def verify(public, signature, message):
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        return
    except ImportError:
        pass
    with tempfile.TemporaryDirectory() as folder:
        der = bytes.fromhex("302a300506032b6570032100") + public
        for name, content in (("key", der), ("sig", signature), ("msg", message)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", folder + "/key", "-rawin",
             "-in", folder + "/msg", "-sigfile", folder + "/sig"], check=True, stdout=subprocess.DEVNULL)


def main(directory, vkey, minimum=0):
    note = open(directory + "/checkpoint", encoding="utf-8").read()
    body, signatures = note.rsplit("\n\n", 1)
    origin, size, claimed = body.split("\n")[:3]
    size = int(size)
    name, key_hash, key = vkey.split("+", 2)
    key = base64.b64decode(key)
    assert name == origin and key[0] == 1
    assert hashlib.sha256(name.encode() + b"\n" + key).hexdigest()[:8] == key_hash
    held = 0
    for line in signatures.strip().split("\n"):
        mark, signer, signature = line.split(" ")
        signature = base64.b64decode(signature)
        assert mark == "\u2014"
        if signer == name and signature[:4].hex() == key_hash:
            verify(key[1:], signature[4:], (body + "\n").encode())
            held += 1
    assert held, "not signed by that key"

    seen = {"checkpoint"}

    def read(level, index, width):
        path = place(level, index, width)
        seen.add(path)
        return open(os.path.join(directory, path), "rb").read()

    leaves, position = [], 0
    for index in range((size + 255) // 256):
        width = min(256, size - index * 256)
        if index * 256 < minimum:
            data = read(0, index, width)
            assert len(data) == 32 * 256
            leaves += [data[32 * i:32 * i + 32] for i in range(256)]
            position += 256
            continue
        data, start = read("entries", index, width), 0
        for _ in range(width):
            length = int.from_bytes(data[start:start + 2], "big")
            entry = data[start + 2:start + 2 + length]
            assert len(entry) == length and entry.startswith(b'{"n":%d,' % position)
            leaves.append(hashlib.sha256(b"\0" + entry).digest())
            start += 2 + length
            position += 1
        assert start == len(data)

    level, hashes = 0, leaves
    while hashes:
        for index in range((len(hashes) + 255) // 256):
            part = hashes[index * 256:(index + 1) * 256]
            assert read(level, index, len(part)) == b"".join(part), f"tile {level} {index}"
        hashes = [root(hashes[i:i + 256]) for i in range(0, len(hashes) - 255, 256)]
        level += 1

    found = {
        os.path.relpath(os.path.join(folder, file), directory)
        for folder, _, files in os.walk(directory) for file in files
    }
    assert found == seen, found ^ seen
    computed = base64.b64encode(root(leaves)).decode()
    assert computed == claimed, f"root {computed}, the checkpoint says {claimed}"
    print(size, computed)


main(sys.argv[1], sys.argv[2], int((sys.argv + ["0"])[3]))
