import { expect, test } from "@playwright/test";
import { request } from "node:http";
import { connect } from "node:net";
import { Server } from "./server";

let server: Server, port: number;
test.beforeAll(async () => {
  server = await Server.start();
  port = Number(new URL(server.address).port);
});
test.afterAll(async () => { expect(await server.stop()).toBe(0); });

interface Answer { status: number; headers: Record<string, unknown>; body: string }
const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ""): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    call.on("error", reject);
    call.end(body);
  });

/// The status that a request gets which is sent as these bytes, without an end of its body.
const statusOf = (head: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    socket.setTimeout(20_000, () => resolve("silence"));
    socket.on("data", (piece) => (resolve(piece.toString().split(" ")[1]), socket.destroy()));
    socket.on("error", () => resolve("error"));
  });
const json = { "Content-Type": "application/json" };

test("it listens on loopback and answers under its own names only", async () => {
  expect(new URL(server.address).hostname).toBe("127.0.0.1");
  expect((await ask("GET", "/api/v1")).status).toBe(200);
  expect((await ask("GET", "/api/v1", { Host: `localhost:${port}` })).status).toBe(200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, `localhost.evil.example:${port}`])
    expect((await ask("GET", "/api/v1", { Host: host })).status, host).toBe(403);
});

test("other pages are refused", async () => {
  for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`, "file://"])
    expect((await ask("GET", "/api/v1/models", { Origin: origin })).status, origin).toBe(403);
  expect((await ask("GET", "/api/v1/models", { Origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  expect((await ask("GET", "/", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  // What a foreign form could send without asking.
  expect((await ask("POST", "/api/v1/loop", { "Content-Type": "text/plain" }, "{}")).status).toBe(403);
  const answer = await ask("GET", "/");
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
});

test("no path leads out, and wrong requests get a reason", async () => {
  for (const path of ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/../../etc/passwd", "/api/v1/files/1", "/api/v2/models", "//etc/passwd"]) {
    const answer = await ask("GET", path);
    expect(answer.status, path).toBe(404);
    expect(answer.body).not.toContain("root:");
  }
  for (const [body, part] of [["", "request"], ["[]", "object"], ["{", "request"], ['{"model":1}', "model"], ['{"model":"iwan9","parameters":{},"amplitude":1}', "iwan4"],
    ['{"model":"iwan4","parameters":{},"amplitude":1,"history":"/etc/passwd"}', "history"], ["[".repeat(100000), "request"]]) {
    const answer = await ask("POST", "/api/v1/loop", json, body);
    expect(answer.status, body.slice(0, 60)).toBe(400);
    expect(JSON.parse(answer.body).error.message).toContain(part);
  }
  expect((await ask("GET", "/api/v1/loop")).status).toBe(405);
  expect((await ask("GET", "/api/v1/jobs/99")).status).toBe(404);
});

test("files are limited in size and known by number only", async () => {
  const octets = { "Content-Type": "application/octet-stream" };
  const sent = JSON.parse((await ask("POST", "/api/v1/files?name=..%2F..%2Fevil.csv", octets, "force,dissipation\n1,2\n")).body);
  expect(sent.file).toBe(1);
  expect((await ask("POST", "/api/v1/table", json, JSON.stringify({ file: sent.file }))).status).toBe(200);
  for (const file of ["/etc/passwd", -1, 0, 1e300, 99, null]) {
    const answer = await ask("POST", "/api/v1/table", json, JSON.stringify({ file }));
    expect(answer.status, String(file)).toBe(400);
    expect(answer.body).not.toContain("root:");
  }
  const post = `POST /api/v1/files?name=x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/octet-stream\r\n`;
  // Refused before anything is read.
  expect(await statusOf(`${post}Content-Length: ${65 << 20}\r\n\r\nabc`)).toBe("413");
  expect(await statusOf(`${post}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`)).toBe("411");
  expect(await statusOf(`${post}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`)).toBe("415");
  expect(await statusOf("GET /api/v1 HTTP/1.1\r\n\r\n")).toBe("403"); // no Host
  expect((await ask("GET", "/api/v1")).status).toBe(200); // and it is still there
});
