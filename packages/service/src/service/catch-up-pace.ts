/** milliseconds over which the pace is measured: shorter ones swing with single commits */
const OVER_MS = 10_000

/** Estimates how long catching up will take, from how the distance to the clock has shrunk lately. */
export function createCatchUpPace() {
  /** oldest first, those of the last OVER_MS and one older */
  const seen: { readonly nowMs: number; readonly blockMs: number }[] = []
  return {
    /** Both are Unix milliseconds: the clock, and the time of the newest block. Called about once a second. */
    see(nowMs: number, blockMs: number): void {
      seen.push({ nowMs, blockMs })
      while (seen.length > 2 && seen[1]!.nowMs <= nowMs - OVER_MS) seen.shift()
    },
    /** Seconds left; null while that is not known, or if it does not come closer. */
    leftS(): number | null {
      const [first, last] = [seen[0], seen.at(-1)]
      if (first === undefined || first === last) return null
      const ranMs = last!.nowMs - first.nowMs
      const gainedMs = last!.blockMs - first.blockMs - ranMs
      const leftMs = ((last!.nowMs - last!.blockMs) * ranMs) / gainedMs
      return gainedMs > 0 && leftMs > 0 ? Math.ceil(leftMs / 1_000) : null
    },
  }
}
