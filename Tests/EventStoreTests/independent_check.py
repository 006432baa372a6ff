#!/usr/bin/env python3
"""Checks a store without the program that wrote it.

    independent_check.py DIRECTORY

Decodes the segments with the `lz4` command, recomputes the RFC 6962 Merkle root over the lines and over the hashes of
pruned ones, checks what footers of closed segments say, and compares the root with the C2SP checkpoint in
checkpoints/latest, whose Ed25519 signature it checks with the public key in store.json. Prints `records root`, and
`pruned N` where the first N records are gone. Needs Python 3.9, `lz4`, and the `cryptography` package or `openssl` 3.
"""
import base64, glob, hashlib, json, os, struct, subprocess, sys, tempfile


CRC_TABLE = []
for value in range(256):
    for _ in range(8):
        value = value >> 1 ^ 0x82F63B78 if value & 1 else value >> 1
    CRC_TABLE.append(value)


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = CRC_TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def skippables(data):
    """The frames of ours in a segment, in order: (kind, body, offset). Hops over the frames of records."""
    found, at = [], 0
    while at + 8 <= len(data):
        magic, size = struct.unpack_from("<II", data, at)
        if magic == 0x184D2A50:
            payload = data[at + 8 : at + 8 + size]
            if len(payload) < size:
                break
            assert struct.unpack("<II", payload[-8:]) == (size, crc32c(payload[:-4])), f"a bad frame at {at}"
            found.append((payload[:4].decode(), payload[4:-8], at))
            at += 8 + size
        else:
            assert magic == 0x184D2204, f"no frame at {at}"
            checksums = data[at + 4] & 0x10
            at += 7
            while at + 4 <= len(data):
                size = struct.unpack_from("<I", data, at)[0]
                at += 4
                if size == 0:
                    break
                at += (size & 0x7FFFFFFF) + (4 if checksums else 0)
    return found


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def check_footer(body, first, leaves, records):
    """Section 10 of FORMAT.md: what a footer says of its segment."""
    version, flags, start, count, raw, source, mark = struct.unpack_from("<IIQQQQI", body)
    assert flags in (0, 1, 2) and (source, mark) == (0, 0)
    streams, begun, frames, pages, words, nodes, crc = struct.unpack_from("<7I", body, 44)
    assert (version, start, count, crc) == (1, first, len(leaves), crc32c(body[:68]))
    at = 72 + 32 * bin(first + count).count("1")
    places = [struct.unpack_from("<QQII", body, at + 24 * i) for i in range(frames)]
    assert [p[1] for p in places] == [first + sum(q[3] for q in places[:i]) for i in range(frames)]
    table = at + 24 * frames
    filters = table + 24 * pages
    end = filters + 8 * words
    assert struct.unpack_from("<I", body, end)[0] == crc32c(body[72:end])
    hashes, base = end + 4, end + 4 + 32 * nodes
    expected = {}
    for record in records or []:
        expected.setdefault(record["stream"], []).append(record)
    seen = total = fresh = 0
    before = b""
    for i in range(pages):
        key, offset, length = struct.unpack_from("<16sII", body, table + 24 * i)
        page = body[base + offset : base + offset + length]
        assert struct.unpack("<I", page[-4:])[0] == crc32c(page[:-4]) and page[:16] == key
        at = 0
        while at < len(page) - 4:
            key, at = page[at : at + 16], at + 16
            size, at = varint(page, at)
            name, at = page[at : at + size].decode(), at + size
            revision, at = varint(page, at)
            number, at = varint(page, at)
            positions, last = [], first
            for _ in range(number if name else 0):
                step, at = varint(page, at)
                last += step
                positions.append(last)
            assert key > before
            before, seen, total, fresh = key, seen + 1, total + number, fresh + (revision == 0)
            high, low = struct.unpack(">QQ", key)
            for probe in range(6):
                bit = (high + probe * (low | 1)) % 2**64 % (64 * words)
                assert body[filters + bit // 8] >> bit % 8 & 1, "the filter lacks a stream"
            if flags != 1:
                assert hashlib.sha256(name.encode()).digest()[:16] == key
                assert [(r["n"], r["rev"]) for r in expected[name]] == [
                    (n, revision + j) for j, n in enumerate(positions)]
    assert (seen, fresh, total) == (streams, begun, count)
    assert records is None or raw == sum(r["bytes"] for r in records)
    # The hashes that are kept: the edges, then all subtrees of 256 leaves, of 512, ...
    def cover(a, b):
        if a == b:
            return []
        w = max(2**k for k in range(62) if a % 2**k == 0 and a + 2**k <= b)
        return [(a, a + w)] + cover(a + w, b)

    if flags == 2:  # closed: its directories say what the tree is
        assert nodes == 0
        return
    left = min(-(-first // 256) * 256, first + count)
    right = max((first + count) // 256 * 256, left)
    kept = cover(first, left) + cover(right, first + count)
    width = 256
    while -(-first // width) < (first + count) // width:
        kept += [(k * width, (k + 1) * width) for k in range(-(-first // width), (first + count) // width)]
        width *= 2
    assert len(kept) == nodes
    for i, (a, b) in enumerate(kept):
        assert body[hashes + 32 * i : hashes + 32 * i + 32] == root(leaves[a - first : b - first]), "a subtree hash"


def leaf_hashes(directory):
    """The leaf hash of each record, pruned ones included, and how many were pruned."""
    paths = sorted(glob.glob(directory + "/segments/*.ndjson.lz4"))
    heads = []
    for path in paths:
        data = open(path, "rb").read()
        kinds = skippables(data)
        heads.append((json.loads(kinds[0][1]), kinds, data))
    leaves, pruned, told = [], 0, 0
    for i, (head, kinds, data) in enumerate(heads):
        limit = heads[i + 1][0]["supersedes"] if i + 1 < len(heads) else None
        assert head["first"] == len(leaves) and head["root"] == base64.b64encode(root(leaves)).decode()
        done = subprocess.run(["lz4", "-dc"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert done.returncode in (0, 68), f"lz4 ended with {done.returncode}"
        assert done.stdout.endswith(b"\n") or not done.stdout
        records = []
        for line in done.stdout.split(b"\n")[:-1]:
            record = json.loads(line)
            if limit is not None and record["n"] >= limit:
                break
            assert record["n"] == len(leaves), f"line {len(leaves)} has another position"
            record["bytes"] = len(line) + 1
            records.append(record)
            leaves.append(hashlib.sha256(b"\0" + line).digest())
            if record["type"] == "log.pruned" and record["stream"] == "log" and record["data"]["before"] <= record["n"]:
                told = max(told, record["data"]["before"])
        for kind, body, _ in kinds:
            if kind == "LEAF":
                assert not records and struct.unpack_from("<Q", body)[0] == len(leaves)
                leaves += [body[k : k + 32] for k in range(8, len(body), 32)]
                pruned = len(leaves)
        for kind, body, at in kinds:
            if kind == "FOOT" and limit is None:
                assert at == kinds[-1][2] and at + len(body) + 20 == len(data), "something stands behind a footer"
                check_footer(body, head["first"], leaves[head["first"] :], None if any(k == "LEAF" for k, _, _ in kinds) else records)
            if kind == "NOTE":
                size, claimed = body.decode().split("\n")[1:3]
                assert base64.b64encode(root(leaves[: int(size)])).decode() == claimed
    assert pruned <= told, "records are gone, and no log.pruned record says so"
    return leaves, pruned


def root(leaves):
    """RFC 6962 section 2.1, word for word, over leaf hashes."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
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
    records, pruned = leaf_hashes(directory)
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
    print(len(records), base64.b64encode(root(records)).decode(), *([f"pruned {pruned}"] if pruned else []))


main(sys.argv[1])
