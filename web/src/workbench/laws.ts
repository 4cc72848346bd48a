// The library's own laws in the page (web/laws): while a slider moves, nobody is asked.

import type { Numbers } from "../figure/types";
import type { Curves, CurvesRequest, Model } from "./api";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  room(count: number): number;
  curves(law: number, points: number, measured: number): number;
}

/// Nothing outside of the module is called, but for its last words when it gives up.
function start(module: WebAssembly.Module): Exports {
  const outside: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (outside[from] ??= {})[name] = () => { throw new Error(name); };
  const exports = new WebAssembly.Instance(module, outside).exports as unknown as Exports;
  exports._initialize();
  return exports;
}

/// Cuts a block of numbers into series, in the order in which they are asked for; NaN becomes null, as in JSON.
class Block {
  constructor(private readonly memory: WebAssembly.Memory, private at: number) {}

  series(count: number): Numbers {
    const values = Array.from(new Float64Array(this.memory.buffer, this.at, count), (value) => (Number.isNaN(value) ? null : value));
    this.at += 8 * count;
    return values;
  }
  one = (): number | null => this.series(1)[0];
}

export class Laws {
  private exports: Exports;

  private constructor(private readonly module: WebAssembly.Module, private readonly table: Model[]) {
    this.exports = start(module);
  }

  /// Nothing where the browser or this build has no such module: the server answers then.
  static async load(table: Model[]): Promise<Laws | undefined> {
    try {
      return new Laws(await WebAssembly.compileStreaming(fetch("/laws.wasm")), table);
    } catch {
      return undefined;
    }
  }

  /// As the server's answer; nothing where the library refuses the law: the server says why.
  curves(request: CurvesRequest): Curves | undefined {
    const law = this.table.findIndex((model) => model.name === request.model);
    const parameters = this.table[law].parameters.map((row) => request.parameters[row.name] ?? NaN);
    const { points, measured } = request, count = measured?.force.length ?? 0;
    const given = [request.amplitude, request.from, request.to, ...parameters, ...(measured?.force ?? []), ...(measured?.dissipation ?? [])];
    try {
      const room = this.exports.room(given.length);
      new Float64Array(this.exports.memory.buffer, room, given.length).set(given);
      const block = new Block(this.exports.memory, this.exports.curves(law, points, count));
      const curve = () => block.series(points), branch = () => block.series(2 * points + 1);
      const curves: Curves = {
        amplitude: curve(), monotonic_force: curve(), force: curve(), dissipation: curve(), secant_stiffness: curve(), slope: curve(), curvature: curve(),
        loop: { amplitude: request.amplitude, displacement: branch(), force: branch(), dissipation: block.one(), secant_stiffness: block.one() },
      };
      if (count > 0) curves.comparison = { dissipation: block.series(count), residual: block.one() };
      return curves;
    } catch {
      this.exports = start(this.module); // what was refused left the old instance in the middle of its work
      return undefined;
    }
  }
}
