import type { Trade } from '@ti/core/contract/resources.ts'
import { useEffect, useState } from 'react'
import { getV1 } from '../../api/client.ts'

interface Read {
  readonly trades: readonly Trade[]
  /** all were asked for, or one was refused */
  readonly done: boolean
}

/** The newest trades of some tokens, one question after the other, so that nothing else waits. */
export function useTrades(mints: readonly string[]): Read {
  const [read, setRead] = useState<Read>({ trades: [], done: false })
  const wanted = mints.join(' ')
  useEffect(() => {
    const gone = new AbortController()
    const ask = async (): Promise<void> => {
      const found: Trade[] = []
      for (const mint of wanted === '' ? [] : wanted.split(' ')) {
        const answer = await getV1<Trade[]>(`/v1/tokens/${mint}/trades`, gone.signal)
        if (gone.signal.aborted) return
        // what is refused now is not asked for again and again
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
