import type { AppSearch } from '@ti/core/contract/app.ts'
import { useEffect, useState } from 'react'
import { get } from '../../api/client.ts'

export type Card = AppSearch['tokens'][number]

/** most tokens in one answer of the service */
const CARDS_MAX = 20

/** Looks up mints one after the other, so that other requests do not wait; null: nothing was found. */
export function useCards(mints: readonly string[]): ReadonlyMap<string, Card | null> {
  const [cards, setCards] = useState<ReadonlyMap<string, Card | null>>(new Map())
  const wanted = mints.slice(0, CARDS_MAX).join(' ')
  useEffect(() => {
    const gone = new AbortController()
    const ask = async (): Promise<void> => {
      for (const mint of wanted.split(' ')) {
        if (mint === '') return
        const answer = await get<AppSearch>(`/app/search?q=${mint}`, gone.signal)
        // after a refusal, the remaining rows show their mints only
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
