import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import {
  ApiError,
  type ClientOptions,
  createClient,
  StreamGapError,
  type WebSocketClass,
} from '../../clients/typescript/src/index.ts'
import { FAULTS, type Fault, serveFaults } from './faults.ts'
import { inPython, PYTHON } from './tools.ts'

/** Every client against the same table of faults. */
const KEY = `sk_live_${'k'.repeat(43)}`

interface Outcome {
  readonly ends: string
  readonly seqs: readonly number[]
  readonly gaps: readonly (readonly [number, number])[]
  readonly warned: boolean
  /** Messages given out after the consumer has cancelled. */
  readonly late: number
}

const isAlone = ({ expected }: Fault): boolean => expected.warned !== undefined
/** Only what never ends has a short timeout: nothing else depends on how fast this machine is. */
const hangs = ({ replies = [] }: Fault): boolean => replies.includes('hang') || replies.includes('half')
const isFor = (face: string, { written }: Fault): boolean => written === undefined || face !== 'websocket'

/** Compares what came of every fault with what is expected, and with the requests that the server has seen. */
function compare(
  t: TestContext,
  face: string,
  outcomes: ReadonlyMap<number, Outcome>,
  requests: (id: string) => number,
) {
  let cells = 0
  for (const [no, outcome] of outcomes) {
    const { name, expected } = FAULTS[no]!
    const about = `${face}: ${name}: ${JSON.stringify(outcome)}`
    assert.equal(outcome.ends, expected.ends ?? (expected.lateMost === undefined ? 'left' : 'cancelled'), about)
    if (expected.requests !== undefined) assert.equal(requests(`${face}/${no}`), expected.requests, about)
    if (expected.seqs !== undefined) assert.deepEqual(outcome.seqs, expected.seqs, about)
    assert.deepEqual(outcome.gaps, expected.gaps ?? [], about)
    if (expected.warned !== undefined) assert.equal(outcome.warned, expected.warned, about)
    if (expected.lateMost !== undefined) assert.ok(outcome.late <= expected.lateMost, about)
    cells++
  }
  assert.ok(cells >= 35)
  t.diagnostic(`${face}: ${cells} faults`)
}

const endOf = (error: unknown): string => {
  if (error instanceof ApiError) return String(error.status)
  if (error instanceof StreamGapError) return 'gap'
  return error instanceof TypeError || (error as Error).name === 'TimeoutError' ? 'lost' : 'error'
}

async function meet(fault: Fault, baseUrl: string, options: ClientOptions): Promise<Outcome> {
  const [seqs, gaps]: [number[], [number, number][]] = [[], []]
  const client = createClient({
    ...{
      baseUrl,
      apiKey: fault.key === false ? null : KEY,
      maxWaitMs: 200,
      timeoutMs: hangs(fault) ? 300 : 60_000,
      ...options,
    },
    ...(fault.ownHttp && { fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init) }),
  })
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
  return { ends, seqs, gaps, warned: false, late }
}

for (const [face, options] of [
  ['websocket', { WebSocket: WebSocket as unknown as WebSocketClass }],
  ['events', { transport: 'events' }],
] as const satisfies readonly (readonly [string, ClientOptions])[]) {
  test(`TypeScript, ${face}`, async (t) => {
    const server = await serveFaults(FAULTS)
    t.after(server.close)
    const outcomes = new Map<number, Outcome>()
    const run = async (no: number) => {
      outcomes.set(no, await meet(FAULTS[no]!, `${server.url}/${face}/${no}`, options))
    }
    const list = FAULTS.flatMap((fault, no) => (isFor(face, fault) ? [no] : []))
    await Promise.all(list.filter((no) => !isAlone(FAULTS[no]!)).map(run))
    const warn = t.mock.method(console, 'warn', () => {})
    for (const no of list.filter((one) => isAlone(FAULTS[one]!))) {
      warn.mock.resetCalls()
      await run(no)
      outcomes.set(no, { ...outcomes.get(no)!, warned: warn.mock.callCount() === 1 })
    }
    compare(t, face, outcomes, server.requests)
  })
}

test('Python, both clients', inPython, async (t) => {
  const server = await serveFaults(FAULTS)
  t.after(server.close)
  const driver = resolve(import.meta.dirname, 'faults.py')
  const env = { ...process.env, PYTHONPATH: resolve(import.meta.dirname, '../../clients/python') }
  const python = spawn(PYTHON!, ['-B', '-W', 'default', driver], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  python.stdout.on('data', (part) => (out += part))
  python.stderr.on('data', (part) => (err += part))
  python.stdin.end(
    JSON.stringify({
      url: server.url,
      key: KEY,
      faults: FAULTS.map((fault) => ({ ...fault, ofEvents: fault.written !== undefined })),
    }),
  )
  const [status] = await once(python, 'close')
  assert.equal(status, 0, err)
  assert.equal(err, '', 'no warning, with all of them on')
  for (const [face, found] of Object.entries(JSON.parse(out) as Record<string, Record<string, Outcome>>)) {
    const list = Object.entries(found).map(([no, outcome]) => [Number(no), outcome] as const)
    compare(t, face, new Map(list), server.requests)
  }
})
