import { ApiError, type Client, type ClientOptions, createClient } from '../../clients/typescript/src/index.ts'

/** What a client does in every runtime it is for, against a service whose streams are at `from` and longer. */
export interface Exercise {
  readonly baseUrl: string
  readonly apiKey: string
  readonly mint: string
  /** seq of the last message before, and how many come */
  readonly after: number
  readonly count: number
}

export interface Exercised {
  readonly symbol: string | null | undefined
  readonly cards: number
  readonly refused: readonly [number, string]
  readonly websocket: readonly number[]
  readonly events: readonly number[]
  readonly closedDoor: readonly [number, string]
}

export async function exercise(asked: Exercise, options: ClientOptions = {}): Promise<Exercised> {
  const { baseUrl, apiKey, mint } = asked
  const client = createClient({ ...options, baseUrl, apiKey })
  const overHttp = createClient({ ...options, baseUrl, apiKey, transport: 'events' })
  const stranger = createClient({ ...options, baseUrl, apiKey: `sk_live_${'x'.repeat(43)}` })
  return {
    symbol: (await client.snapshot(mint, { fields: ['meta', 'score'] })).data.meta?.symbol,
    cards: (await client.new_tokens()).data.length,
    refused: await refusalOf(client.trades('not a mint')),
    websocket: await seqsOf(client, asked),
    events: await seqsOf(overHttp, asked),
    closedDoor: await refusalOf(stranger.frames().next()),
  }
}

async function seqsOf(client: Client, { after, count }: Exercise): Promise<number[]> {
  const seqs: number[] = []
  for await (const { data } of client.frames({ afterSeq: after })) {
    seqs.push(data.seq)
    if (seqs.length === count) break
  }
  return seqs
}

async function refusalOf(call: Promise<unknown>): Promise<readonly [number, string]> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.code]
    throw error
  }
  throw new Error('it was let in')
}
