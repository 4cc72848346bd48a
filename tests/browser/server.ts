import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";

export const program = join(process.env.MICROSLIP_BIN!, "microslip");


/// A workbench on a port of its own.
export class Server {
  private constructor(private readonly process: ChildProcess, readonly address: string) {}

  static start(): Promise<Server> {
    const child = spawn(program, ["serve", "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
    return new Promise((resolve, reject) => {
      child.once("exit", (status) => reject(new Error(`serve ended with ${status}`)));
      child.stdout!.once("data", (line: Buffer) => resolve(new Server(child, line.toString().trim())));
    });
  }

  /// Ctrl-C; resolves to the exit status.
  stop(): Promise<number | null> {
    return new Promise((resolve) => {
      this.process.removeAllListeners("exit");
      this.process.once("exit", resolve);
      this.process.kill("SIGINT");
    });
  }
}

export const run = (...words: string[]): any => JSON.parse(execFileSync(program, [...words, "--json"], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 }).toString());
