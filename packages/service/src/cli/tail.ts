import { once } from 'node:events'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Frame, TokenEvent, Topic } from '@ti/core/contract/streams.ts'
import type { Given, Run } from './definition.ts'
import { followed } from './follow.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'
import { ask, serviceOf } from './service-address.ts'
import { frameLines, headOf, type LineOptions, showsFrame, showsToken, tokenLine } from './tail-lines.ts'
import { jsonLine } from './terminal-text.ts'

/** mints, and wallets, to filter by: each is compared by hash, the bound is for the command line */
const FILTERS_MAX = 1_000

/** symbols kept for the lines of trades: the newest tokens, some 100 bytes each */
const SYMBOLS_MAX = 20_000

export const tail: Run = async (given, io) => {
  const asked = readArguments(given, io)
  const symbols = createSymbols()
  // trades name tokens by mint only
  const learning = new AbortController()
  if (asked.topic === 'frames:live' && !asked.json) {
    await learnFromLists(symbols, given, io)
    void learnFromEvents(symbols, given, learning.signal)
  }
  try {
    await follow(asked, symbols, given, io)
  } finally {
    learning.abort()
  }
}

type Symbols = ReturnType<typeof createSymbols>

/** The oldest go first. */
function createSymbols() {
  const known = new Map<string, string>()
  return {
    learn({ mint, symbol }: { readonly mint: string; readonly symbol: string }): void {
      known.set(mint, symbol)
      if (known.size > SYMBOLS_MAX) known.delete(known.keys().next().value!)
    },
    of: (mint: string): string | undefined => known.get(mint),
  }
}

/** Without the lists, symbols appear as tokens have events. */
async function learnFromLists({ learn }: Symbols, given: Given, io: Io): Promise<void> {
  for (const name of ['new_tokens', 'pumps', 'graduated'] as const) {
    const cards = await ask(given, io, (client, how) => client[name](how)).catch(() => [])
    for (const card of cards) learn(card)
  }
}

async function learnFromEvents({ learn }: Symbols, given: Given, signal: AbortSignal): Promise<void> {
  try {
    for await (const { data } of serviceOf(given).client.tokenEvents({ signal })) learn(data)
  } catch {
    // what ends this stream ends the other one too, which says so
  }
}

interface Asked extends Omit<LineOptions, 'symbolOf'> {
  readonly topic: Topic
  readonly afterSeq: number | null
  readonly filter: string | null
  readonly count: number | null
  readonly json: boolean
}

const TOPIC_OF: Readonly<Record<string, Topic>> = {
  tokens: 'tokens:live',
  frames: 'frames:live',
  verdicts: 'verdicts:live',
}

const STREAM_OF = { 'tokens:live': 'tokenEvents', 'frames:live': 'frames', 'verdicts:live': 'verdicts' } as const

function readArguments(given: Given, { colours }: Io): Asked {
  const [word = ''] = given.operands
  const topic = Object.hasOwn(TOPIC_OF, word) ? TOPIC_OF[word] : undefined
  if (topic === undefined)
    throw wrongUsage(`there is no stream ${JSON.stringify(word)}: it is tokens, frames or verdicts`)
  const wallets = keySet('wallet', given.all('wallet'))
  if (topic !== 'frames:live' && wallets.size > 0) {
    throw wrongUsage('--wallet belongs to frames: events of tokens and verdicts name no wallets')
  }
  const count = given.whole('count') ?? null
  if (count === 0) throw wrongUsage('--count takes 1 or more')
  return {
    topic,
    mints: keySet('mint', given.all('mint')),
    wallets,
    afterSeq: given.whole('after-seq') ?? null,
    filter: given.text('filter') ?? null,
    count,
    json: given.has('json'),
    colours,
  }
}

function keySet(name: string, keys: readonly string[]): ReadonlySet<string> {
  if (keys.length > FILTERS_MAX) throw wrongUsage(`--${name} can be given ${FILTERS_MAX} times at most`)
  for (const key of keys) {
    if (keyFromBase58(key) === null) throw wrongUsage(`--${name} takes base58 of 32 bytes, not ${JSON.stringify(key)}`)
  }
  return new Set(keys)
}

async function follow(asked: Asked, symbols: Symbols, given: Given, io: Io): Promise<void> {
  const { topic, filter, afterSeq, json } = asked
  const render = createRenderer({ ...asked, symbolOf: symbols.of })
  const begin = { topic, ...(afterSeq !== null && { afterSeq }), ...(filter !== null && { filter }) }
  let left = asked.count ?? Number.POSITIVE_INFINITY
  let isFirst = !json
  for await (const payload of followed<object>(given, io, begin, (client, how) => client[STREAM_OF[topic]](how))) {
    const lines = render(payload).slice(0, left)
    if (lines.length === 0) continue
    io.result(`${[...(isFirst ? [headOf(topic)] : []), ...lines].join('\n')}\n`)
    isFirst = false
    left -= lines.length
    if (left <= 0) return
    // the reader of a pipe may be slow
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain', { signal: io.signal }).catch(() => {})
  }
}

/** Formats a message as lines; none if the filters exclude it. */
function createRenderer({ topic, json, ...options }: Asked & LineOptions): (payload: object) => string[] {
  const one = (payload: object, shown: boolean) => (shown ? [jsonLine(payload)] : [])
  if (topic === 'frames:live') {
    return (payload) =>
      json ? one(payload, showsFrame(payload as Frame, options)) : frameLines(payload as Frame, options)
  }
  return (payload) => {
    const event = payload as TokenEvent
    if (json) return one(event, showsToken(event, options))
    return showsToken(event, options) ? [tokenLine(event, options)] : []
  }
}
