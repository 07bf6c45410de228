import { text } from 'node:stream/consumers'
import { WebSocket as OfPackage } from 'ws'
import {
  ApiError,
  type ClientOptions,
  createClient,
  StreamGapError,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts'
import type { Fault } from './faults.ts'

/**
 * Meets every fault with both transports of the TypeScript client, in the runtime that it was started with. Reads the table
 * from stdin, and prints what came of each fault.
 */
export interface Outcome {
  readonly ends: string
  readonly seqs: readonly number[]
  readonly gaps: readonly (readonly [number, number])[]
  readonly warned: boolean
  /** Messages given out after the consumer has cancelled. */
  readonly late: number
}

interface Asked {
  readonly url: string
  readonly key: string
  readonly faults: readonly (Omit<Fault, 'written'> & { readonly ofEvents: boolean })[]
}

const { url, key, faults } = JSON.parse(await text(process.stdin)) as Asked
let warnings = 0
console.warn = () => {
  warnings++
}

// Bun's fetch itself repeats a GET whose kept connection was reset; what is judged here is the client
if ('Bun' in globalThis) {
  const plain = globalThis.fetch
  globalThis.fetch = ((input: string | URL | Request, init?: RequestInit) =>
    plain(input, { ...init, keepalive: false })) as typeof fetch
}

const isAlone = ({ expected }: Pick<Fault, 'expected'>): boolean => expected.warned !== undefined
/** Only what never ends has a short timeout: nothing else depends on how fast this machine is. */
const hangs = ({ replies = [] }: Pick<Fault, 'replies'>): boolean =>
  replies.includes('hang') || replies.includes('half')

const endOf = (error: unknown): string => {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof StreamGapError) return 'gap'
  return error instanceof TypeError || (error as Error).name === 'TimeoutError' ? 'lost' : 'error'
}

async function meet(fault: Asked['faults'][number], baseUrl: string, options: ClientOptions): Promise<Outcome> {
  const [seqs, gaps]: [number[], [number, number][]] = [[], []]
  const client = createClient({
    ...{
      baseUrl,
      apiKey: fault.key === false ? null : key,
      maxWaitMs: 200,
      timeoutMs: hangs(fault) ? 300 : 60_000,
      ...options,
    },
    ...(fault.ownHttp && { fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init) }),
  })
  const before = warnings
  let ends = 'ok'
  let late = 0
  const stop = new AbortController()
  try {
    if (fault.replies !== undefined) await client.new_tokens()
    else {
      const onGap = fault.skipGaps
        ? ({ after, seq }: { after: number; seq: number }) => void gaps.push([after, seq])
        : undefined
      const how = { afterSeq: fault.after!, signal: stop.signal, ...(onGap && { onGap }) }
      for await (const { data } of client.frames(how)) {
        if (stop.signal.aborted) late++
        seqs.push(data.seq)
        if (seqs.length === fault.cancelAfter) stop.abort()
        if (seqs.length === fault.take) break
      }
      ends = stop.signal.aborted ? 'cancelled' : 'left'
    }
  } catch (error) {
    ends = endOf(error)
  }
  return { ends, seqs, gaps, warned: isAlone(fault) && warnings === before + 1, late }
}

const outcomes: Record<string, Record<number, Outcome>> = {}
for (const [face, options] of [
  // Node 20 has none of its own
  ['websocket', { WebSocket: globalThis.WebSocket ?? (OfPackage as unknown as WebSocketClass) }],
  ['events', { transport: 'events' }],
] as const satisfies readonly (readonly [string, ClientOptions])[]) {
  const found: Record<number, Outcome> = {}
  const run = async (no: number): Promise<void> => {
    found[no] = await meet(faults[no]!, `${url}/${face}/${no}`, options)
  }
  const list = faults.flatMap(({ ofEvents }, no) => (ofEvents && face === 'websocket' ? [] : [no]))
  await Promise.all(list.filter((no) => !isAlone(faults[no]!)).map(run))
  for (const no of list.filter((one) => isAlone(faults[one]!))) await run(no)
  outcomes[face] = found
}
process.stdout.write(JSON.stringify(outcomes))
