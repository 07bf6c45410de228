/** - single: fewer than two sources
 *  - disagree: no two of them agree
 *  - jump: too far from the last price, and not yet seen often enough */
type BandVerdict =
  | { readonly accepted: true; readonly usd: number }
  | { readonly accepted: false; readonly reason: 'single' | 'disagree' | 'jump' }

/** shares: how far two sources may differ and still agree; how far a price may move between rounds */
const AGREE = 0.02
const JUMP = 0.2
/** rounds in a row in which a jump has to be seen, each near the one before */
const JUMP_LOOKS = 3

const apart = (a: number, b: number): number => Math.abs(a - b) / Math.min(a, b)

/**
 * One price from several sources that may lie, break or be stale. Two have to agree before any is believed; a jump has to be
 * seen several times.
 */
export function createBand() {
  let last: number | null = null
  let jumps: { usd: number; looks: number } | null = null

  function accept(usd: number): BandVerdict {
    last = usd
    jumps = null
    return { accepted: true, usd }
  }
  function refuse(reason: 'single' | 'disagree'): BandVerdict {
    jumps = null
    return { accepted: false, reason }
  }
  return {
    /** takes the prices of one round, one from each source that answered */
    look(prices: readonly number[]): BandVerdict {
      if (prices.length < 2) return refuse('single')
      const sorted = [...prices].sort((a, b) => a - b)
      if (!sorted.some((usd, i) => i > 0 && apart(usd, sorted[i - 1]!) <= AGREE)) return refuse('disagree')
      const usd = median(sorted)
      if (last === null || apart(usd, last) <= JUMP) return accept(usd)
      const again = jumps !== null && apart(usd, jumps.usd) <= JUMP
      jumps = { usd, looks: again ? jumps!.looks + 1 : 1 }
      return jumps.looks >= JUMP_LOOKS ? accept(usd) : { accepted: false, reason: 'jump' }
    },
    /** last price that was accepted, null none yet */
    get last(): number | null {
      return last
    },
  }
}

/** With two sources, their mean: they agree. */
function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
