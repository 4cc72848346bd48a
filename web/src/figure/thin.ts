import type { Numbers } from "./types";

/// The indices of [begin, end) whose points make the picture of the curve: ends, extremes in x and y, and gaps of
/// short intervals. The same as src/microslip/report/thin.cpp.
export function thin(x: Numbers, y: Numbers, limit: number, begin = 0, end = x.length): number[] {
  const n = end - begin;
  if (n <= limit) return Array.from({ length: n }, (_, i) => begin + i);
  const intervals = Math.max(1, Math.floor(limit / 5));
  const kept: number[] = [];
  for (let k = 0; k < intervals; ++k) {
    const from = begin + Math.floor((k * n) / intervals);
    const to = begin + Math.floor(((k + 1) * n) / intervals);
    let gap = -1, lowX = -1, highX = -1, lowY = -1, highY = -1;
    for (let i = from; i < to; ++i) {
      const u = x[i], v = y[i];
      if (u === null || v === null) {
        if (gap < 0) gap = i;
        continue;
      }
      if (lowX < 0 || u < x[lowX]!) lowX = i;
      if (highX < 0 || u > x[highX]!) highX = i;
      if (lowY < 0 || v < y[lowY]!) lowY = i;
      if (highY < 0 || v > y[highY]!) highY = i;
    }
    const own = [...new Set([gap, lowX, highX, lowY, highY])].filter((i) => i >= 0);
    kept.push(...own.sort((a, b) => a - b));
  }
  return kept;
}

/// The interval of indices that covers x in [low, high] and one point either side; all of them where x turns back.
export function visibleIndices(x: Numbers, low: number, high: number): [number, number] {
  let begin = 0, end = x.length, last = -Infinity, begun = false;
  for (let i = 0; i < x.length; ++i) {
    const u = x[i];
    if (u === null) continue;
    if (u < last) return [0, x.length];
    last = u;
    if (!begun && u < low) begin = i;
    else begun = true;
    if (u > high && end === x.length) end = i + 1;
  }
  return [begin, end];
}
