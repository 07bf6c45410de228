import type { Who } from '@ti/core/contract/who.ts'

/** The same answer with so many more holders: the map draws 500 at most. */
export function crowded(who: Who, bubbles: number): Who {
  const [one] = who.holders.top
  if (one === undefined) throw new Error('the token has no holder')
  // the map leaves out what is beyond its bound
  const more = Array.from({ length: bubbles }, (_, n) => {
    const share = 2 / (n + 4)
    const wallet = `W${String(n).padStart(4, '0').replaceAll('0', 'z')}${one.wallet.slice(5)}`
    return {
      ...{ ...one, wallet, name: null, tags: [], group: null, actor: null, funder: null },
      // a third bought at the launch, and half have sold some
      ...{ holds_pct: n % 2 === 0 ? share : share / 3, peak_pct: share, tags: n % 3 === 0 ? ['sniper' as const] : [] },
    }
  })
  return { ...who, holders: { ...who.holders, top: [...who.holders.top, ...more] } }
}
