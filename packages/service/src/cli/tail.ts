import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { Frame, TokenEvent, type Topic } from '@ti/core/contract/streams.ts'
import type { TokenCard } from '@ti/core/contract/token.ts'
import { OperatorError } from '../base/errors.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'
import { wrongUsage } from './parse.ts'
import { addressOf, ask, keyOf } from './service-address.ts'
import { createFollower } from './tail-follow.ts'
import { frameLines, headOf, type LineOptions, showsFrame, showsToken, tokenLine } from './tail-lines.ts'
import { jsonLine } from './terminal-text.ts'

/** bytes of output that wait for their reader; beyond them the connection is closed, and resumed later */
export const OUTPUT_BYTES = 1 << 20
/** mints, and wallets, to filter by: each is compared by hash, the bound is for the command line */
const FILTERS_MAX = 1_000

/** symbols kept for the lines of trades: the newest tokens, some 100 bytes each */
const SYMBOLS_MAX = 20_000

export const tail: Run = async (given, io) => {
  const asked = readArguments(given, io)
  const symbols = createSymbols()
  // trades name tokens by mint only
  if (asked.topic === 'frames:live' && !asked.json) await learnFromLists(symbols, given, io)
  await follow(asked, symbols, io)
}

interface Symbols {
  learn(token: { readonly mint: string; readonly symbol: string }): void
  of(mint: string): string | undefined
}

/** The oldest go first. */
function createSymbols(): Symbols {
  const known = new Map<string, string>()
  return {
    learn({ mint, symbol }) {
      known.set(mint, symbol)
      if (known.size > SYMBOLS_MAX) known.delete(known.keys().next().value!)
    },
    of: (mint) => known.get(mint),
  }
}

/** Without the lists, symbols appear as tokens have events. */
async function learnFromLists({ learn }: Symbols, given: Given, io: Io): Promise<void> {
  for (const name of ['new', 'pumps', 'graduated']) {
    const cards = (await ask(given, io, `/v1/tokens/${name}`).catch(() => [])) as readonly TokenCard[]
    for (const card of cards) learn(card)
  }
}

interface Asked extends Omit<LineOptions, 'symbolOf'> {
  readonly topic: Topic
  readonly url: string
  readonly key: string
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
    url: addressOf(given),
    key: keyOf(given),
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

async function follow(asked: Asked, symbols: Symbols, io: Io): Promise<void> {
  const { topic, url, key, afterSeq, filter, count } = asked
  const render = createRenderer({ ...asked, symbolOf: symbols.of })
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const output = createOutput(
    () => follower.hold(),
    () => follower.goOn(),
    finish,
  )
  let left = count ?? Number.POSITIVE_INFINITY
  let isFirst = true
  const onToken = (payload: object): void => {
    const event = TokenEvent.safeParse(payload)
    if (event.success) symbols.learn(event.data.data)
  }

  const follower = createFollower({
    url,
    key,
    topic,
    afterSeq,
    filter,
    seqOf: (payload) => seqOf(topic, payload),
    onMessage(payload) {
      const lines = render(payload).slice(0, left)
      left -= lines.length
      const head = isFirst && lines.length > 0 && !asked.json ? [headOf(topic)] : []
      isFirst &&= lines.length === 0
      if (lines.length > 0) output.write(`${[...head, ...lines].join('\n')}\n`)
      if (left <= 0) finish()
    },
    onToken: topic === 'frames:live' && !asked.json ? onToken : null,
    onStatus: io.note,
  })
  io.signal.addEventListener('abort', finish)
  if (io.signal.aborted) finish()
  try {
    await Promise.race([finished, follower.failed, output.failed])
  } finally {
    await follower.leave()
    io.signal.removeEventListener('abort', finish)
  }
}

/** Null if the message does not have its topic's format. */
function seqOf(topic: Topic, payload: object): number | null {
  const parsed = (topic === 'frames:live' ? Frame : TokenEvent).safeParse(payload)
  return parsed.success ? parsed.data.data.seq : null
}

/** Formats a valid message as lines; none if the filters exclude it. */
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

/** Buffers unread output of a pipe up to a bound. */
function createOutput(onFull: () => void, onRoom: () => void, onGone: () => void) {
  const { stdout } = process
  let isFull = false
  const failed = new Promise<never>((_resolve, reject) => {
    // never removed: the last write may fail after the connection was left
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') onGone()
      else reject(new OperatorError(`the output cannot be written: ${error.message}`, { cause: error }))
    })
  })
  failed.catch(() => {})
  return {
    failed,
    write(text: string) {
      stdout.write(text)
      if (isFull || stdout.writableLength <= OUTPUT_BYTES) return
      isFull = true
      onFull()
      stdout.once('drain', () => {
        isFull = false
        onRoom()
      })
    },
  }
}
