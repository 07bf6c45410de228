import type { Trade } from '@ti/core/contract/resources.ts'
import { useEffect, useState } from 'react'
import { get } from '../../api/client.ts'

interface Read {
  readonly trades: readonly Trade[]
  /** all requests have finished, or one was refused */
  readonly done: boolean
}

/** Reads the newest trades of some tokens one after the other, so that other requests do not wait. */
export function useTrades(mints: readonly string[]): Read {
  const [read, setRead] = useState<Read>({ trades: [], done: false })
  const wanted = mints.join(' ')
  useEffect(() => {
    const gone = new AbortController()
    const ask = async (): Promise<void> => {
      const found: Trade[] = []
      for (const mint of wanted === '' ? [] : wanted.split(' ')) {
        const answer = await get<Trade[]>(`/v1/tokens/${mint}/trades`, gone.signal)
        if (gone.signal.aborted) return
        // a refusal is not retried
        if (!answer.ok) break
        found.push(...answer.data)
      }
      setRead({ trades: found, done: true })
    }
    void ask()
    return () => gone.abort()
  }, [wanted])
  return read
}
