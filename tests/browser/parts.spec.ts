// Parts of the pages that need no browser.
import { expect, test } from "@playwright/test";
import "./no_window";
import { followSystem, onTheme } from "../../web/src/theme";
import { Job } from "../../web/src/workbench/api";

test("a report that the server no longer has is a complaint, not a file", async () => {
  const answers = [new Response('{"job":7}', { status: 202 }), new Response("<!doctype html>", { status: 200 }),
    new Response('{"error":{"message":"there is no such job (any more)"}}', { status: 404 })];
  const asked: string[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = async (path) => (asked.push(String(path)), answers.shift()!);
  try {
    const job = await Job.start("beam", {});
    expect(await job.report()).toBe("<!doctype html>");
    await expect(job.report()).rejects.toThrow("there is no such job (any more)");
    expect(asked.slice(1)).toEqual(["/api/v1/jobs/7/report", "/api/v1/jobs/7/report"]);
  } finally {
    globalThis.fetch = before;
  }
});

test("who listens to the theme can stop listening", async () => {
  let told = 0;
  const stop = onTheme(() => ++told);
  followSystem();
  expect(told).toBe(1);
  stop();
  followSystem();
  expect(told).toBe(1);
});
