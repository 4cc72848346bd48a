#!/usr/bin/env python3
"""Sends damaged HTTP to a workbench over its socket: sockets.py PROGRAM COUNT [SEED].

PROGRAM is started as `PROGRAM serve --no-browser`. It must answer whole requests all along, and end with status 0: under
the sanitizers a finding changes that. Same seed, same bytes.
"""
import random
import select
import signal
import socket
import subprocess
import sys

LOOP = b'{"model":"iwan4","parameters":{"slip_force":504,"stiffness":7e5,"chi":-0.5,"beta":1},"amplitude":1e-4,"points":9}'
PIECES = [b"\r\n", b"\n", b"\0", b":", b"%00", b"%", b"/../", b"Content-Length: 99999999999999999999\r\n", b"Transfer-Encoding: chunked\r\n",
          b"Expect: 100-continue\r\n", b"Range: bytes=0-,5-1,-99999999999999\r\n", b"Host: evil.example\r\n", b"HTTP/9.9", b" " * 500, b"A" * 9000, b"\xff\xfe",
          b"Content-Type: multipart/form-data; boundary=\r\n", b"Content-Encoding: br\r\n", b"Connection: keep-alive\r\n", b"?name=%zz&&=&a"]


def seeds(port):
    host = b"Host: 127.0.0.1:%d\r\n" % port
    yield b"GET / HTTP/1.1\r\n" + host + b"\r\n"
    yield b"GET /workbench.css HTTP/1.1\r\n" + host + b"Range: bytes=0-10\r\n\r\n"
    yield b"GET /api/v1/models HTTP/1.0\r\n" + host + b"\r\n"
    yield b"DELETE /api/v1/jobs/1 HTTP/1.1\r\n" + host + b"\r\n"
    yield b"POST /api/v1/loop HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(LOOP) + LOOP
    yield b"POST /api/v1/files?name=a.csv HTTP/1.1\r\n" + host + b"Content-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\na,b\n1,2\n\n"


def damaged(rng, data):
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            data = data[:at] + rng.choice(PIECES) + data[at:]
        elif kind == 1:
            data = data[:at] + data[at + rng.randrange(1, 20):]
        elif kind == 2 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1:]
        elif kind == 3:
            data = data[:at]
        else:
            data = data[:at] + data[rng.randrange(len(data) + 1):]
    return data


def ask(port, data, wait):
    """The beginning of the answer, if one comes within `wait` seconds. Then we hang up, whatever the server waits for."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as own:
        try:
            own.sendall(data)
            return own.recv(1 << 16) if select.select([own], [], [], wait)[0] else b""
        except OSError:  # it may hang up on us
            return b""


def main(program, count, seed=1):
    server = subprocess.Popen([program, "serve", "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rstrip("/\n").rsplit(":", 1)[1])
        rng = random.Random(int(seed))
        whole = list(seeds(port))
        answered = 0
        for i in range(int(count)):
            answered += ask(port, damaged(rng, rng.choice(whole)), 0.2).startswith(b"HTTP/1")
            if i % 50 == 0 and not ask(port, whole[4], 30).startswith(b"HTTP/1.1 200"):
                sys.exit(f"no answer to a whole request after {i} damaged ones")
    finally:
        server.send_signal(signal.SIGINT)
        status = server.wait(60)
    print(f"{count} damaged requests, {answered} answered, the server ended with {status}")
    return 1 if status else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
