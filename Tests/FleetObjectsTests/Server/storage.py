"""A server of S3 for tests, on loopback: moto, which recomputes each request's signature and asks IAM what its user may do.
Before it stands a gate, which the tests close. A command a line on standard input, an answer in JSON a line on standard output;
it ends with its input.

  limit N        lets N bytes of requests pass, then cuts all connections and takes no others
  open           lets all pass
  keys           the keys of the bucket, with the count of their bytes
  flip KEY       changes a bit in the middle of an object
  writes         how many objects were put or removed
"""

import json
import os
import socket
import sys
import threading

os.environ.update(INITIAL_NO_AUTH_ACTION_COUNT="1000", AWS_EC2_METADATA_DISABLED="true")

import boto3  # noqa: E402
import moto.settings  # noqa: E402
import werkzeug.serving  # noqa: E402
import moto.moto_server.threaded_moto_server as threaded  # noqa: E402

REGION = "eu-central-1"
BUCKET = "audit-archive"
writes = 0


class Gate:
    """Carries bytes between clients and the server."""

    def __init__(self, target):
        self.target = target
        self.lock = threading.Lock()
        self.left = None
        self.connections = set()
        self.listener = None
        self.port = 0
        self.listen()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self.target)
            with self.lock:
                self.connections |= {client, server}
            threading.Thread(target=self.carry, args=(client, server, listener), daemon=True).start()
            threading.Thread(target=self.carry, args=(server, client, None), daemon=True).start()

    def carry(self, source, sink, listener):
        """Carries one direction; that of requests names the listener they came by."""
        try:
            while data := source.recv(65536):
                if listener and not self.may_pass(len(data)):
                    self.close(listener)
                    return
                sink.sendall(data)
        except OSError:
            pass
        finally:
            # The other direction ends with this one.
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def may_pass(self, count):
        with self.lock:
            if self.left is None:
                return True
            self.left -= count
            return self.left >= 0

    def close(self, listener):
        with self.lock:
            ends, self.connections = self.connections, set()
        try:
            listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        listener.close()
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def set(self, left):
        with self.lock:
            is_open = self.listener.fileno() >= 0
            self.left = left
        if not is_open:
            self.listen()


class Handler(werkzeug.serving.WSGIRequestHandler):
    """Keeps connections open, as storages do, and counts what is written."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        global writes
        if self.command in ("PUT", "DELETE") and str(code).startswith("2"):
            writes += 1

    def log(self, kind, message, *args):
        pass


def main():
    class Request(Handler, threaded.MotoRequestHandler):
        pass

    threaded.MotoRequestHandler = Request
    server = threaded.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"

    def client(service, key="test", secret="test"):
        return boto3.client(
            service,
            region_name=REGION,
            endpoint_url=address,
            aws_access_key_id=key,
            aws_secret_access_key=secret,
        )

    iam = client("iam")

    def user(name, actions):
        iam.create_user(UserName=name)
        rights = {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": actions, "Resource": "*"}],
        }
        iam.put_user_policy(UserName=name, PolicyName="rights", PolicyDocument=json.dumps(rights))
        key = iam.create_access_key(UserName=name)["AccessKey"]
        return {"id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}

    read = ["s3:ListBucket", "s3:GetObject"]
    users = {
        "archiver": user("archiver", read + ["s3:PutObject", "s3:DeleteObject"]),
        "reader": user("reader", read),
        "owner": user("owner", ["s3:*"]),
    }
    s3 = client("s3", users["owner"]["id"], users["owner"]["secret"])
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    # From now on each request is checked.
    moto.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    gate = Gate((host, port))

    def say(answer):
        print(json.dumps(answer), flush=True)

    say({"endpoint": f"http://127.0.0.1:{gate.port}", "region": REGION, "bucket": BUCKET, "users": users})
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "limit":
            gate.set(int(rest[0]))
            say({})
        elif command == "open":
            gate.set(None)
            say({})
        elif command == "writes":
            say({"writes": writes})
        elif command == "keys":
            pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
            say({o["Key"]: o["Size"] for page in pages for o in page.get("Contents", [])})
        elif command == "flip":
            data = bytearray(s3.get_object(Bucket=BUCKET, Key=rest[0])["Body"].read())
            data[len(data) // 2] ^= 4
            s3.put_object(Bucket=BUCKET, Key=rest[0], Body=bytes(data))
            say({})
        else:
            say({"error": "unknown command"})


main()
