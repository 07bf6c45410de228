import type { AppCards } from '@ti/core/contract/app.ts'
import type { TokenCard, TokenSnapshot } from '@ti/core/contract/resources.ts'
import { useEffect, useRef, useState } from 'react'
import { pollWaitMs } from '../../api/budget.ts'
import { get } from '../../api/client.ts'
import type { Row } from './rows.ts'

/** watched tokens shown with numbers, the newest watches */
const CARDS_MAX = 24
/** one token per interval: 20 calls a minute beside the board's 63 of 120 */
const EVERY_MS = 3_000
/** interval while a token has never been requested */
const FIRST_MS = 250

type Held = ReadonlyMap<string, { readonly card: TokenCard; readonly at: number } | null>

/** Makes a list's card from a snapshot. */
export function cardOf({ meta, status, market, score, kols, signals, ratings }: TokenSnapshot): TokenCard {
  return {
    ...{ mint: meta.mint, symbol: meta.symbol ?? '', name: meta.name ?? '', description: meta.description },
    ...{ launchpad: meta.launchpad, deployed_at: meta.deployed_at, image_uri: meta.image_uri },
    ...{ telegram: meta.telegram, twitter: meta.twitter, website: meta.website },
    ...{ dex_paid: status.dex_paid, duplication: status.duplication, has_migrated: status.has_migrated },
    ...{ mcap: market.mcap, score: score.value, alpha_hands_pct: score.alpha_hands_pct, dirty_pct: score.dirty_pct },
    ...{ conviction_score: score.conviction_score, kols_in_count: kols.count, ratings },
    ...{ pump_conditions_met: signals.pump_conditions_met, dump_conditions_met: signals.dump_conditions_met },
    // no card shows these
    ...{ agent_bought_at: null, agent_buyer: null, chart_nukers_pct: 0, diamond_hands_pct: 0 },
  }
}

/** Returns the mint to request next: a new one, else the one requested longest ago. */
export function nextOf(mints: readonly string[], askedAt: ReadonlyMap<string, number>): string | null {
  let next: string | null = null
  for (const mint of mints) {
    if (next === null || (askedAt.get(mint) ?? 0) < (askedAt.get(next) ?? 0)) next = mint
  }
  return next
}

/** Rows of these mints in order; null: the mint is unknown. Makes no requests while `hidden`. */
export function useWatchedRows(
  mints: readonly string[],
  extras: AppCards,
  hidden: boolean,
): readonly { readonly mint: string; readonly row: Row | null | undefined }[] {
  const [held, setHeld] = useState<Held>(new Map())
  const askedAt = useRef(new Map<string, number>())
  const wanted = mints.slice(0, CARDS_MAX).join(' ')
  useEffect(() => {
    if (wanted === '' || hidden) return
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      const mint = nextOf(wanted.split(' '), askedAt.current)
      if (mint !== null && !document.hidden && pollWaitMs() === 0) {
        askedAt.current.set(mint, Date.now())
        const answer = await get<TokenSnapshot>(`/v1/tokens/${mint}`, gone.signal)
        if (gone.signal.aborted) return
        if (answer.ok) setHeld((before) => new Map(before).set(mint, { card: cardOf(answer.data), at: Date.now() }))
        else if (answer.status === 404) setHeld((before) => new Map(before).set(mint, null))
      }
      const isNew = wanted.split(' ').some((one) => !askedAt.current.has(one))
      timer = setTimeout(ask, isNew ? FIRST_MS : EVERY_MS)
    }
    void ask()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [wanted, hidden])
  return mints.map((mint) => {
    const known = held.get(mint)
    const row = known && { id: mint, card: known.card, more: extras[mint] ?? null, at: known.at, gone: false }
    return { mint, row }
  })
}
