import type { AppSearch } from '@ti/core/contract/app.ts'
import { useEffect, useState } from 'react'
import { getApp } from '../../api/client.ts'

export type Card = AppSearch['tokens'][number]

/** mints that are looked up; an answer names at most this many */
const CARDS_MAX = 20

/** What is known of some mints, one question after the other, so that nothing else waits; null = nothing was found. */
export function useCards(mints: readonly string[]): ReadonlyMap<string, Card | null> {
  const [cards, setCards] = useState<ReadonlyMap<string, Card | null>>(new Map())
  const wanted = mints.slice(0, CARDS_MAX).join(' ')
  useEffect(() => {
    const gone = new AbortController()
    const ask = async (): Promise<void> => {
      for (const mint of wanted.split(' ')) {
        if (mint === '') return
        const answer = await getApp<AppSearch>(`/app/search?q=${mint}`, gone.signal)
        // what is refused now is not asked for again and again: the mint alone is shown
        if (gone.signal.aborted || !answer.ok) return
        const card = answer.data.tokens.find((token) => token.mint === mint) ?? null
        setCards((held) => new Map(held).set(mint, card))
      }
    }
    void ask()
    return () => gone.abort()
  }, [wanted])
  return cards
}
