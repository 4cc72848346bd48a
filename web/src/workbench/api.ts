// The server's interface, version 1: docs/workbench.md.

import type { Numbers, Page } from "../figure/types";

export interface ParameterInfo {
  name: string;
  symbol: string;
  unit: string;
  lower: number | null;
  upper: number | null;
  lower_open: boolean;
  upper_open: boolean;
  default: number;
  required: boolean;
  meaning: string;
}

export interface Model {
  name: string;
  title: string;
  masing: boolean;
  parameters: ParameterInfo[];
}

export interface About {
  microslip: string;
  api: number;
  verbs: string[];
}

export interface CurvesRequest {
  model: string;
  parameters: Record<string, number>;
  amplitude: number;
  from: number;
  to: number;
  points: number;
  measured?: { force: number[]; dissipation: number[] };
}

export interface Curves {
  amplitude: Numbers;
  monotonic_force: Numbers;
  force: Numbers;
  dissipation: Numbers;
  secant_stiffness: Numbers;
  slope: Numbers;
  curvature: Numbers;
  loop: { amplitude: number; displacement: Numbers; force: Numbers; dissipation: number | null; secant_stiffness: number | null };
  comparison?: { dissipation: Numbers; residual: number | null };
}

export interface ReceivedFile {
  file: number;
  name: string;
  bytes: number;
}

export interface TableData {
  header: string[];
  units: string[];
  columns: Numbers[];
  warnings: string[];
}

/// The library's own line about what is wrong.
export class Refused extends Error {}

export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answer<T>(response: Response): Promise<T> {
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused(`the server answered ${response.status} without a reason`);
  }
  if (!response.ok) throw new Refused((value as { error?: { message?: string } }).error?.message ?? `the server answered ${response.status}`);
  return value as T;
}

const textOf = (response: Response): Promise<string> => (response.ok ? response.text() : answer(response));

const root = "/api/v1";
// Nothing to look up before a request leaves: there are no cookies, and nothing is kept.
const bare: RequestInit = { credentials: "omit", cache: "no-store" };
const json = { "Content-Type": "application/json" };

export const about = async (): Promise<About> => answer(await fetch(root));
export const models = async (): Promise<Model[]> => answer(await fetch(`${root}/models`));
export const call = async <T>(verb: string, request: object, signal?: AbortSignal): Promise<T> =>
  answer(await fetch(`${root}/${verb}`, { method: "POST", headers: json, body: JSON.stringify(request), signal, ...bare }));

export const send = async (file: File): Promise<ReceivedFile> =>
  answer(await fetch(`${root}/files?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file }));

export const reportOf = async (verb: string, request: object): Promise<string> => {
  const response = await fetch(`${root}/${verb}`, { method: "POST", headers: json, body: JSON.stringify({ ...request, form: "html" }) });
  return textOf(response);
};

export interface JobOutput {
  result: Record<string, unknown>;
  page?: Page;
  notes: string[];
}

interface JobStatus {
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  fraction: number;
  what: string;
  output?: JobOutput;
  error?: { message: string };
}

/// Long work on the server: follow it, cancel it, take what it made.
export class Job {
  private constructor(readonly id: number) {}

  static async start(verb: string, request: object): Promise<Job> {
    return new Job((await call<{ job: number }>(verb, request)).job);
  }

  /// Asks the server to stop the work. That it has stopped, or that the server is gone, `finished` tells.
  cancel = async (): Promise<void> => void (await fetch(`${root}/jobs/${this.id}`, { method: "DELETE" }).catch(() => undefined));
  report = async (): Promise<string> => textOf(await fetch(`${root}/jobs/${this.id}/report`));

  async finished(progress: (fraction: number, what: string) => void): Promise<JobOutput> {
    for (let wait = 20; ; wait = Math.min(300, wait * 1.5)) {
      const status = await answer<JobStatus>(await fetch(`${root}/jobs/${this.id}`));
      if (status.state === "done") return status.output!;
      if (status.state === "failed") throw new Refused(status.error!.message);
      if (status.state === "cancelled") throw new Refused("cancelled");
      progress(status.fraction, status.what || status.state);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
