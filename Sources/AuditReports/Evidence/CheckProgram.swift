// The program included in a bundle. It is in Python, so that checking a bundle does not require this package.

/// `check.py`: the rules of `EvidenceCheck` in a language that auditors have available.
enum CheckProgram {
  /// Its source.
  static let text = #"""
    #!/usr/bin/env python3
    """Checks an evidence bundle: python3 check.py BUNDLE.zip [PUBLIC-KEY-FILE]

    Needs Python 3.8 and openssl 3, and nothing of the program that made the bundle. Prints the verdict, then why. Exit
    codes: 0 ok, 10 unanchored (all holds, but you gave no public key, or none that leads to the later checkpoint),
    20 altered, 22 forked, 23 badSignature, 65 malformed.
    """
    import base64, calendar, functools, hashlib, itertools, json, os, re
    import shutil, struct, subprocess, sys, tempfile, zlib

    CODES = {"ok": 0, "unanchored": 10, "altered": 20, "forked": 22, "badSignature": 23, "malformed": 65}
    FIXED = ["HOW-TO-CHECK.md", "check.py", "checkpoint.txt", "evidence.json", "keys.txt", "proofs.json",
             "records.ndjson", "time-line.html"]
    LATER = ["consistency.json", "latest-checkpoint.txt"]
    MEMBERS = ["schema", "bundle", "origin", "store", "selection", "flows", "records", "checkpoint", "latest", "files"]
    # The one form of a record's line: # is a number, @ a time, $ a name.
    RECORD = (rb'\{"n":#,"at":"@","stream":"$","rev":#(?:,"id":"$")?,"type":"$","v":#(?:,"cause":#)?,"data":(\{.*\})\}'
              .replace(b"@", rb"(\d{4})-(0[1-9]|1[0-2])-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z")
              .replace(b"$", rb'([^"\\\x00-\x1f]{1,1024})').replace(b"#", rb"(0|[1-9][0-9]*)"))


    def end(verdict, why):
        print(f"verdict: {verdict}\n{why}")
        sys.exit(CODES[verdict])


    def need(holds, verdict, why):
        if not holds:
            end(verdict, why)


    def sha256(data):
        return hashlib.sha256(data).digest()


    def parse(data):
        """JSON in UTF-8. NaN and the like, of which int() makes nothing, are none."""
        return json.loads(data.decode(), parse_constant=int)


    def written(value):
        """JSON as a bundle has it."""
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


    def encode(data):
        return base64.b64encode(data).decode()


    def decode(text, size=None):
        data = base64.b64decode(text, validate=True)
        need(encode(data) == text and size in (None, len(data)), "malformed", "a base64 text is not in its one form")
        return data


    def climb(index, last, hashes, early, late):
        """Follows a path up the tree (RFC 9162 2.1.3.2, 2.1.4.2): the roots that it leads to, early and late."""
        for hash in hashes:
            if last == 0:
                return None, None
            if index & 1 or index == last:
                early, late = sha256(b"\1" + hash + early), sha256(b"\1" + hash + late)
                while index and not index & 1:
                    index, last = index >> 1, last >> 1
            else:
                late = sha256(b"\1" + late + hash)
            index, last = index >> 1, last >> 1
        return (early, late) if last == 0 else (None, None)


    def consistent(first, second, root, later, hashes):
        """Whether a log of `first` records is the beginning of one of `second` (RFC 9162 2.1.4.2)."""
        if not 0 < first < second:
            return False
        index, last = first - 1, second - 1
        while index & 1:
            index, last = index >> 1, last >> 1
        start = root
        if first & (first - 1):
            if not hashes:
                return False
            start, hashes = hashes[0], hashes[1:]
        return climb(index, last, hashes, start, start) == (root, later)


    @functools.lru_cache(None)
    def signed(key, body, signature):
        """Whether an Ed25519 signature holds, by openssl."""
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("key.der", "body", "signature")]
            for name, data in zip(names, (bytes.fromhex("302a300506032b6570032100") + key, body, signature)):
                with open(name, "wb") as file:
                    file.write(data)
            command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names[0], "-rawin", "-in",
                       names[1], "-sigfile", names[2]]
            return subprocess.run(command, capture_output=True).returncode == 0


    def is_name(text):
        return bool(text) and not any(sign.isspace() or sign < " " or sign in "+\x7f" for sign in text)


    def key_of(text):
        """A C2SP vkey: name, the hash in hexadecimal digits, the 32 bytes, and the text itself."""
        name, hash, data = text.split("+", 2)
        data = decode(data, 33)
        need(is_name(name) and data[0] == 1, "malformed", "a public key is none of Ed25519")
        need(sha256(name.encode() + b"\n" + data)[:4].hex() == hash, "malformed", "a public key's hash is wrong")
        return name, hash, data[1:], text


    def note_of(data):
        """A C2SP checkpoint: origin, size, root, the bytes that are signed, the signatures by name and hash of their key,
        the keys it hands over to."""
        text = data.decode()
        need(text.endswith("\n") and len(data) <= 65536 and not re.search("[\0-\x09\x0b-\x1f]", text), "malformed",
             "a checkpoint is too long, has control characters, or does not end with a line end")
        body, _, lines = text[:-1].rpartition("\n\n")
        made = {}
        for line in lines.split("\n"):
            mark, name, data = line.split(" ")
            data = decode(data)
            need(mark == "\u2014" and is_name(name) and len(data) > 4, "malformed",
                 "a checkpoint has a line that is no signature")
            made.setdefault((name, data[:4].hex()), []).append(data[4:])
        origin, size, root, *more = body.split("\n")
        need(all([origin, *more]) and str(int(size)) == size and 0 <= int(size) <= 1 << 62, "malformed",
             "a checkpoint has an empty line or no size")
        heirs = [line[9:] for line in more if line.startswith("next-key ")]
        return origin, int(size), decode(root, 32), body.encode() + b"\n", made, heirs


    def has_signed(key, note):
        """Whether all signatures of the note that claim to be the key's are, and there is one."""
        made = note[4].get(key[:2], [])
        return bool(made) and all(signed(key[2], note[3], data) for data in made)


    def heir_of(note):
        """The key that the checkpoint hands the log over to: the one that it names, if that has signed it too."""
        try:
            [text] = note[5]
            name, hash, rest = text.split("+", 2)
            data = base64.b64decode(rest, validate=True)
        except ValueError:
            return None
        fits = len(data) == 33 and data[0] == 1 and encode(data) == rest and is_name(name)
        fits = fits and sha256(name.encode() + b"\n" + data)[:4].hex() == hash
        key = name, hash, data[1:], text
        return key if fits and has_signed(key, note) else None


    def record_of(line):
        """Position, stream and revision as a record's line says them; None if it has not the form of one."""
        match = re.fullmatch(RECORD, line, re.DOTALL)
        if not match or len(line) > 65535:
            return None
        position, year, month, day, stream, revision, _, _, version, cause, data = match.groups()
        # Outside of strings, the brackets of the data close at its end and not before.
        bare = re.sub(rb'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"', b"", data, flags=re.DOTALL)
        depths = list(itertools.accumulate(1 if sign in b"[{" else -1 for sign in re.sub(rb"[^][{}]", b"", bare)))
        holds = (0 < int(day) <= calendar.monthrange(int(year), int(month))[1] and int(version) < 1 << 63
                 and (cause is None or int(cause) < int(position)) and not re.search(rb'["\x00-\x1f]', bare)
                 and 0 not in depths[:-1] and depths[-1] == 0)
        return (int(position), stream.decode("utf-8", "replace"), int(revision)) if holds else None


    def read(path):
        """The files of a ZIP file that has them as they are, one behind the other from its first byte, and nothing else:
        no extra fields and no comments, in which other programs find other files."""
        with open(path, "rb") as file:
            data = file.read()
        last = len(data) - 22
        mark, disks, here, count, size, start, comment = struct.unpack("<4sI2H2IH", data[max(last, 0) :])
        need((mark, disks, here, start + size, comment) == (b"PK\5\6", 0, count, last, 0) and data[:4] == b"PK\3\4"
             and data[max(last - 20, 0) :][:4] != b"PK\6\7", "malformed", "the file has more than the bundle in it")
        files, at, entry = {}, 0, start
        for _ in range(count):
            shared = data[entry + 6 : entry + 32]
            version, flags, method, _, crc, packed, size, length, extra = struct.unpack("<3HI3I2H", shared)
            note, disk, kind, _, place = struct.unpack("<3H2I", data[entry + 32 : entry + 46])
            name, begin = data[entry + 46 : entry + 46 + length], at + 30 + length
            content = data[begin : begin + size]
            need(method == 0, "malformed", "a file of the bundle is compressed")
            need(data[entry : entry + 4] == b"PK\1\2" and data[at:begin] == b"PK\3\4" + shared + name and version <= 20
                 and (flags & ~0x800, packed, extra, note, disk, place) == (0, size, 0, 0, 0, at) and kind <= 1
                 and (len(content), zlib.crc32(content)) == (size, crc), "malformed",
                 "the file has more than the bundle in it, or was changed")
            files[name.decode()] = content
            entry, at = entry + 46 + length, begin + size
        known = len(files) == count and sorted(files) in (FIXED, sorted(FIXED + LATER))
        need((entry, at) == (last, start) and known, "malformed", "the bundle has not the files that one has")
        return files


    def check(path, pinned):
        files = read(path)
        has_later = LATER[1] in files
        about = parse(files["evidence.json"])
        need(isinstance(about, dict) and list(about) == [name for name in MEMBERS if name != "latest" or has_later]
             and (written(about) + "\n").encode("utf-8", "surrogatepass") == files["evidence.json"], "altered",
             "evidence.json has other members than a bundle's, or is written otherwise")
        found = [{"name": name, "size": len(data), "sha256": sha256(data).hex()} for name, data in files.items()
                 if name != "evidence.json"]
        listed = about["files"] if isinstance(about["files"], list) else []
        need(sorted(map(written, listed)) == sorted(map(written, found)), "altered",
             "a file is not the one that evidence.json lists")
        lines = files["keys.txt"].decode().split("\n")
        need(lines.pop() == "", "malformed", "keys.txt does not end with a line end")
        need(len(lines) <= 16, "malformed", "keys.txt has more keys than sign two checkpoints")
        keys = list(dict.fromkeys(map(key_of, lines)))
        note = note_of(files["checkpoint.txt"])
        notes = [note] + ([note_of(files[LATER[1]])] if has_later else [])
        for one in notes:
            need(one[0] == about["origin"], "altered", "a checkpoint is one of another log")
            need(all(key[0] == one[0] for key in keys), "badSignature", "keys.txt has the key of another log")
            need(any(has_signed(key, one) for key in keys), "badSignature", "a checkpoint's signature does not hold")
        if has_later:
            hashes = [decode(text, 32) for text in parse(files["consistency.json"])["hashes"]]
            need(consistent(note[1], notes[1][1], note[2], notes[1][2], hashes), "forked",
                 "the later checkpoint is not one of the same log")
            proof = {"schema": 1, "first": note[1], "second": notes[1][1], "hashes": list(map(encode, hashes))}
            need(files["consistency.json"] == (written(proof) + "\n").encode(), "altered",
                 "consistency.json has more than the proof, or is written otherwise")
        lines = files["records.ndjson"].split(b"\n")
        need(lines.pop() == b"" and lines, "altered", "records.ndjson does not end with a record")
        proofs = parse(files["proofs.json"])["proofs"]
        need(len(proofs) == len(lines), "altered", f"{len(lines)} records have {len(proofs)} proofs")
        before, revisions, proved = -1, {}, []
        for line, proof in zip(lines, proofs):
            position, leaf = proof["position"], sha256(b"\0" + line)
            need(type(position) is int, "malformed", "a proof has no position")
            need(before < position < note[1], "altered", f"position {position} is out of order")
            hashes = [decode(text, 32) for text in proof["hashes"]]
            record = record_of(line)
            need(record and climb(position, note[1] - 1, hashes, leaf, leaf)[1] == note[2], "altered",
                 f"the record at position {position} is not in the log")
            stream = record[1]
            need(record[0] == position, "altered", f"position {position} holds the record of another")
            need(record[2] == revisions.get(stream, 0), "altered",
                 f"a record of {stream} is missing before position {position}")
            before, revisions[stream] = position, record[2] + 1
            proved.append(written({"position": position, "leafHash": encode(leaf), "hashes": list(map(encode, hashes))}))
        made = written({"schema": 1, "treeSize": note[1], "root": encode(note[2]), "proofs": []})
        made = made[:-2] + "\n" + ",\n".join(proved) + "\n]}\n"
        need(files["proofs.json"] == made.encode(), "altered",
             "proofs.json has more than the proofs, or is written otherwise")
        named = about["flows"] if isinstance(about["flows"], list) else []
        need(sorted(revisions) == sorted(named, key=str), "altered", "the flows are not those that evidence.json names")
        stated = [1, "flowrecorder-evidence-1", len(lines)] + [{"size": one[1], "root": encode(one[2])} for one in notes]
        said = [about[name] for name in ("schema", "bundle", "records", "checkpoint", "latest") if name in about]
        asked = about["selection"] if isinstance(about["selection"], dict) else {"": 0}
        texts = list(asked) == [name for name in ("user", "since", "until") if name in asked]
        texts = texts and all(type(text) is str for text in [about["store"], *asked.values()])
        need(texts and written(said) == written(stated), "altered", "evidence.json says of the bundle what is not so")
        records, flows = (f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in
                          ((len(lines), "record"), (len(revisions), "flow")))
        said = f"{records} of {flows} {'is' if len(lines) == 1 else 'are'} in the log of {note[1]} records of {note[0]}"
        need(pinned, "unanchored", f"{said}, as the keys in the bundle say. Give the public key that you trust")
        need(pinned[0] == note[0], "badSignature",
             f"the public key that you gave is that of {pinned[0]}, and the bundle is of {note[0]}")
        # The key that yours hands the log over to, by a checkpoint that both have signed, counts as yours from there on.
        first = has_signed(pinned, note)
        heirs = [key for key in [heir_of(note)] if key and first and key != pinned]
        held = [one for one, key in zip(notes, [pinned] + (heirs or [pinned])) if has_signed(key, one)]
        need(held, "badSignature", "no checkpoint of the bundle was signed by the public key that you gave")
        said += (f"; the public key that you gave{', or the one that it hands over to,' if heirs else ''} has signed "
                 + " and ".join(f"the checkpoint of {one[1]} records" for one in held))
        # What is in the later log from its beginning is proved by that alone; the other way round nothing is.
        need(held[-1] is notes[-1], "unanchored", f"{said}, and not the later one: do not count on that one")
        end("ok", said)


    if __name__ == "__main__":
        if hasattr(sys, "set_int_max_str_digits"):
            sys.set_int_max_str_digits(0)
        if len(sys.argv) not in (2, 3):
            sys.exit(__doc__)
        if not shutil.which("openssl"):
            sys.exit("openssl 3 is needed, and is not installed")
        try:
            check(sys.argv[1], key_of(open(sys.argv[2]).read().strip()) if len(sys.argv) == 3 else None)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError, struct.error) as error:
            end("malformed", f"the bundle cannot be read: {type(error).__name__}: {error}")

    """#
}
