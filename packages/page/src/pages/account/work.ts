import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import { type Answer, failed } from '../../api/ask.ts'
import { send } from '../../api/client.ts'
import type { NewKey } from './account.ts'
import { createPrefix } from './sha256.ts'

/** Answer of `POST /account/work`. */
type Owed =
  | { readonly required: false }
  | {
      readonly required: true
      readonly nonce: string
      readonly parts: number
      /** zero bits at the start of each hash */
      readonly bits: number
    }

interface Work {
  readonly nonce: string
  readonly counters: readonly number[]
}

export interface WorkOptions {
  /** reports finished parts */
  tell(done: number, parts: number): void
  readonly signal: AbortSignal
}

/** milliseconds of work before the page gets a turn, and hashes between two checks of the clock */
const SLICE_MS = 8
const LOOK_EVERY = 500
/** largest counter; no task is that hard */
const COUNTER_MAX = 0xffff_ffff

/** Finds a number for each part whose hash begins with the zero bits; null if cancelled. */
export async function solve(
  { nonce, parts, bits }: Extract<Owed, { required: true }>,
  { tell, signal }: WorkOptions,
): Promise<Work | null> {
  const counters: number[] = []
  let until = performance.now() + SLICE_MS
  for (let part = 0; part < parts; part++) {
    tell(part, parts)
    const { hash } = createPrefix(`${nonce}.${part}.`)
    let counter = 0
    while (Math.clz32(hash(String(counter))[0]!) < bits) {
      if (++counter > COUNTER_MAX) return null
      if (counter % LOOK_EVERY !== 0 || performance.now() < until) continue
      await turn()
      if (signal.aborted) return null
      until = performance.now() + SLICE_MS
    }
    counters.push(counter)
  }
  return signal.aborted ? null : { nonce, counters }
}

/** Lets the event loop run once. A timer would wait 4 ms, or a second in a hidden tab. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close()
      done()
    }
    port2.postMessage(null)
  })
}

/** Another request of this address used the task, or it expired; a new one will do. */
const isStale = (answer: Answer<unknown>): boolean => !answer.ok && STALE.has(answer.error.reason)

const STALE: ReadonlySet<RefusalReason | undefined> = new Set(['work_unknown', 'work_expired', 'work_too_little'])

/** Makes a key; accounts that have paid nothing do the proof of work first. */
export async function requestKey(
  body: { readonly name: string; readonly expires_in_days?: number },
  options: WorkOptions,
  post: typeof send = send,
): Promise<Answer<NewKey>> {
  for (let tries = 1; ; tries++) {
    const owed = await post<Owed>('POST', '/account/work', {})
    if (!owed.ok) return owed
    const work = owed.data.required ? await solve(owed.data, options) : undefined
    if (work === null) return failed(0, 'aborted', 'No longer needed.')
    const answer = await post<NewKey>('POST', '/account/keys', { ...body, ...(work === undefined ? {} : { work }) })
    if (tries > 1 || !isStale(answer)) return answer
  }
}
