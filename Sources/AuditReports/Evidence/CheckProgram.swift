// The program that a bundle brings with it. It is Python, so that a checker needs nothing of this package.

/// `check.py`: the rules of `EvidenceCheck` once more, in a language that an auditor has.
enum CheckProgram {
  /// Its source.
  static let text = #"""
    #!/usr/bin/env python3
    """Checks an evidence bundle: python3 check.py BUNDLE.zip [PUBLIC-KEY-FILE]

    Needs Python 3.8 and openssl 3, and nothing of the program that made the bundle. Prints the verdict, then why. Exit
    codes: 0 ok, 10 unanchored (all holds, but you gave no public key), 20 altered, 22 forked, 23 badSignature,
    65 malformed.
    """
    import base64, hashlib, json, os, shutil, subprocess, sys, tempfile, zipfile

    CODES = {"ok": 0, "unanchored": 10, "altered": 20, "forked": 22, "badSignature": 23, "malformed": 65}
    FIXED = ["HOW-TO-CHECK.md", "check.py", "checkpoint.txt", "evidence.json", "keys.txt", "proofs.json",
             "records.ndjson", "time-line.html"]
    LATER = ["consistency.json", "latest-checkpoint.txt"]


    def end(verdict, why):
        print(f"verdict: {verdict}\n{why}")
        sys.exit(CODES[verdict])


    def need(holds, verdict, why):
        if not holds:
            end(verdict, why)


    def sha256(data):
        return hashlib.sha256(data).digest()


    def constant(word):
        raise ValueError(f"{word} is no JSON")


    def parse(data):
        """JSON in UTF-8. Records may hold other bytes in their data, and numbers of any length."""
        return json.loads(data.decode("utf-8", "surrogateescape"), parse_constant=constant)


    def decode(text):
        data = base64.b64decode(text, validate=True)
        need(base64.b64encode(data).decode() == text, "malformed", "a base64 text is not in its one form")
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


    def key_of(text):
        """A C2SP vkey: name, the hash in hexadecimal digits, the 32 bytes."""
        name, hash, data = text.strip().split("+", 2)
        data = decode(data)
        need(len(data) == 33 and data[0] == 1, "malformed", "a public key is none of Ed25519")
        need(sha256(name.encode() + b"\n" + data)[:4].hex() == hash, "malformed", "a public key's hash is wrong")
        return name, hash, data[1:]


    def note_of(data):
        """A C2SP checkpoint: origin, size, root, the bytes that are signed, the signatures."""
        text = data.decode()
        need(text.endswith("\n"), "malformed", "a checkpoint does not end with a line end")
        body, lines = text[: text.rindex("\n\n") + 1], text[text.rindex("\n\n") + 2 : -1].split("\n")
        need(all(line.split(" ")[0] == "\u2014" and len(line.split(" ")) == 3 for line in lines), "malformed",
             "a checkpoint has a line that is no signature")
        origin, size, root = body.split("\n")[:3]
        need(str(int(size)) == size, "malformed", "a checkpoint has no size")
        return origin, int(size), decode(root), body.encode(), [line.split(" ") for line in lines]


    def has_signed(key, note):
        """Whether all signatures of the note that claim to be the key's are, and there is one."""
        made = [decode(line[2]) for line in note[4] if line[1] == key[0] and decode(line[2])[:4].hex() == key[1]]
        return bool(made) and all(signed(key[2], note[3], data[4:]) for data in made)


    def read(path):
        with zipfile.ZipFile(path) as bundle:
            infos = bundle.infolist()
            names = [info.filename for info in infos]
            with open(path, "rb") as file:
                data = file.read()
            whole = data[:4] == b"PK\3\4" and data[-22:-18] == b"PK\5\6" and infos and infos[0].header_offset == 0
            need(whole, "malformed", "the file has more than the bundle in it")
            known = sorted(names) in (FIXED, sorted(FIXED + LATER))
            need(known, "malformed", "the bundle has not the files that one has")
            need(all(info.compress_type == 0 for info in infos), "malformed", "a file of the bundle is compressed")
            return {name: bundle.read(name) for name in names}


    def check(path, pinned):
        files = read(path)
        names = []
        about = json.loads(files["evidence.json"].decode("utf-8", "surrogateescape"), parse_constant=constant,
                           object_pairs_hook=lambda pairs: (names.append([n for n, _ in pairs]), dict(pairs))[1])
        known = ["schema", "bundle", "origin", "store", "selection", "flows", "records", "checkpoint", "latest", "files"]
        need(isinstance(about, dict) and names[-1] == [n for n in known if n in about], "altered",
             "evidence.json has other members than a bundle's")
        listed = {entry["name"]: (entry["size"], entry["sha256"]) for entry in about["files"]}
        found = {name: (len(data), sha256(data).hex()) for name, data in files.items() if name != "evidence.json"}
        need(listed == found, "altered", "a file is not the one that evidence.json lists")
        lines = files["keys.txt"].decode().split("\n")
        need(lines.pop() == "", "malformed", "keys.txt does not end with a line end")
        keys = [key_of(line) for line in lines]
        note = note_of(files["checkpoint.txt"])
        notes = [note] + ([note_of(files[LATER[1]])] if LATER[1] in files else [])
        for one in notes:
            need(one[0] == about["origin"], "altered", "a checkpoint is one of another log")
            need(any(has_signed(key, one) for key in keys), "badSignature", "a checkpoint's signature does not hold")
        if len(notes) == 2:
            proof = parse(files["consistency.json"])
            hashes = [decode(text) for text in proof["hashes"]]
            need(consistent(note[1], notes[1][1], note[2], notes[1][2], hashes), "forked",
                 "the later checkpoint is not one of the same log")
        lines = files["records.ndjson"].split(b"\n")
        need(lines.pop() == b"" and lines, "altered", "records.ndjson does not end with a record")
        proofs = parse(files["proofs.json"])["proofs"]
        need(len(proofs) == len(lines), "altered", f"{len(lines)} records have {len(proofs)} proofs")
        before, revisions = -1, {}
        for line, proof in zip(lines, proofs):
            position, leaf = proof["position"], sha256(b"\0" + line)
            need(type(position) is int, "malformed", "a proof has no position")
            need(before < position < note[1], "altered", f"position {position} is out of order")
            hashes = [decode(text) for text in proof["hashes"]]
            need(climb(position, note[1] - 1, hashes, leaf, leaf)[1] == note[2], "altered",
                 f"the record at position {position} is not in the log")
            record = parse(line)
            need(record["n"] == position, "altered", f"position {position} holds the record of another")
            need(record["rev"] == revisions.get(record["stream"], 0), "altered",
                 f"a record of {record['stream']} is missing before position {position}")
            before, revisions[record["stream"]] = position, record["rev"] + 1
        need(sorted(revisions) == sorted(about["flows"], key=str), "altered", "the flows are not those that evidence.json names")
        named = [about.get("checkpoint"), about.get("latest")][: len(notes)]
        stated = [{"size": one[1], "root": base64.b64encode(one[2]).decode()} for one in notes]
        need(about.get("records") == len(lines) and named == stated, "altered",
             "evidence.json says of the bundle what is not so")
        records, flows = (f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in
                          ((len(lines), "record"), (len(revisions), "flow")))
        said = f"{records} of {flows} {'is' if len(lines) == 1 else 'are'} in the log of {note[1]} records of {note[0]}"
        need(pinned, "unanchored", f"{said}, as the keys in the bundle say. Give the public key that you trust")
        need(any(has_signed(key_of(pinned), one) for one in notes), "badSignature",
             "no checkpoint of the bundle was signed by the public key that you gave")
        end("ok", f"{said}, which the public key that you gave has signed")


    if __name__ == "__main__":
        if hasattr(sys, "set_int_max_str_digits"):
            sys.set_int_max_str_digits(0)
        if len(sys.argv) not in (2, 3):
            sys.exit(__doc__)
        if not shutil.which("openssl"):
            sys.exit("openssl 3 is needed, and is not installed")
        try:
            text = open(sys.argv[2]).read() if len(sys.argv) == 3 else None
            check(sys.argv[1], text)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, zipfile.BadZipFile, OSError,
                EOFError) as error:
            end("malformed", f"the bundle cannot be read: {type(error).__name__}: {error}")

    """#
}
