import { keyFromBase58 } from '../base/base58.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { Frame, TokenEvent, type Topic } from '../contract/streams.ts'
import { type Command, parse, wholeNumber } from './command.ts'
import { createFollower } from './tail-follow.ts'
import { frameLines, type LineOptions, showsFrame, showsToken, tokenLine } from './tail-lines.ts'
import { jsonLine } from './tail-text.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'

const usage = `tail tokens|frames [--url ${DEFAULT_URL}] [--key KEY] [--mint M]... [--wallet W]... [--after-seq N] [--count N] [--json]
  follows a stream of a running service: frames is a line for every trade, tokens one for every event of a token. --mint
  and --wallet (frames only) show what has to do with one of those named. --after-seq first shows what came after that
  message, --count ends after so many lines, --json prints the messages as they came. After a break it resumes where it
  was. The key can be in TI_KEY instead, where no list of processes shows it.`

export const tail: Command = {
  usage,
  run: (args) => follow(readArguments(args, process.env)),
}

interface Asked extends Omit<LineOptions, 'colours'> {
  readonly topic: Topic
  readonly url: string
  readonly key: string
  readonly afterSeq: number | null
  readonly count: number | null
  readonly json: boolean
}

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  mint: { type: 'string', multiple: true },
  wallet: { type: 'string', multiple: true },
  'after-seq': { type: 'string' },
  count: { type: 'string' },
  json: { type: 'boolean' },
} as const

const TOPIC_OF: Readonly<Record<string, Topic>> = { tokens: 'tokens:live', frames: 'frames:live' }

function readArguments(args: readonly string[], { TI_KEY }: NodeJS.ProcessEnv): Asked {
  const { values, positionals } = parse(usage, args, OPTIONS, { min: 1, max: 1 })
  const [word = ''] = positionals
  const topic = Object.hasOwn(TOPIC_OF, word) ? TOPIC_OF[word] : undefined
  if (topic === undefined) throw wrong(`there is no stream ${JSON.stringify(word)}: it is tokens or frames\n\n${usage}`)
  const wallets = keySet('wallet', values.wallet)
  if (topic === 'tokens:live' && wallets.size > 0) {
    throw wrong('--wallet belongs to frames: the events of tokens name no wallets')
  }
  const count = wholeNumber('count', values.count) ?? null
  if (count === 0) throw wrong('--count takes 1 or more')
  return {
    topic,
    url: readUrl(values.url ?? DEFAULT_URL),
    key: readKey(values.key ?? TI_KEY),
    mints: keySet('mint', values.mint),
    wallets,
    afterSeq: wholeNumber('after-seq', values['after-seq']) ?? null,
    count,
    json: values.json === true,
  }
}

const wrong = (message: string): OperatorError => new OperatorError(message, { exitCode: EXIT.usage })

function keySet(name: string, keys: readonly string[] = []): ReadonlySet<string> {
  if (keys.length > LIMITS.tailFilters) throw wrong(`--${name} can be given ${LIMITS.tailFilters} times at most`)
  for (const key of keys) {
    if (keyFromBase58(key) === null) throw wrong(`--${name} takes base58 of 32 bytes, not ${JSON.stringify(key)}`)
  }
  return new Set(keys)
}

/** Neither is ever repeated: what is wrong with a key may still be most of one. */
function readKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw wrong(
      'a key is needed, in TI_KEY or --key. The first start of a service prints one; it makes more with\n' +
        '  npm run --silent cli -- keys create',
    )
  }
  if (!/^sk_live_[\w-]{43}$/.test(key)) throw wrong('that is no key: it is sk_live_ and 43 characters')
  return key
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw wrong('--url takes the http or https address of a service, without a name, a query or a fragment')
  }
  return url.href.replace(/\/+$/, '')
}

async function follow(asked: Asked): Promise<void> {
  const { topic, url, key, afterSeq, count } = asked
  const colours = process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === ''
  const render = createRenderer(asked, { ...asked, colours })
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

  const follower = createFollower({
    url,
    key,
    topic,
    afterSeq,
    seqOf: (payload) => seqOf(topic, payload),
    onMessage(payload) {
      const lines = render(payload).slice(0, left)
      left -= lines.length
      if (lines.length > 0) output.write(`${lines.join('\n')}\n`)
      if (left <= 0) finish()
    },
    onStatus: (line) => void process.stderr.write(`${line}\n`),
  })
  // once: a second Ctrl-C does not wait for anything
  process.once('SIGINT', finish).once('SIGTERM', finish)
  try {
    await Promise.race([finished, follower.failed, output.failed])
  } finally {
    await follower.leave()
    process.off('SIGINT', finish).off('SIGTERM', finish)
  }
}

/** Null where the message is not of its topic's shape. */
function seqOf(topic: Topic, payload: object): number | null {
  const parsed = (topic === 'frames:live' ? Frame : TokenEvent).safeParse(payload)
  return parsed.success ? parsed.data.data.seq : null
}

/** Lines of a message that has its topic's shape; none where the filters leave it out. */
function createRenderer({ topic, json }: Asked, options: LineOptions): (payload: object) => string[] {
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

/** What the reader of a pipe has not taken waits in memory, but only up to a bound. */
function createOutput(onFull: () => void, onRoom: () => void, onGone: () => void) {
  const { stdout } = process
  let isFull = false
  const failed = new Promise<never>((_resolve, reject) => {
    // stays for good: what was written last may fail after we have left
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
      if (isFull || stdout.writableLength <= LIMITS.tailOutputBytes) return
      isFull = true
      onFull()
      stdout.once('drain', () => {
        isFull = false
        onRoom()
      })
    },
  }
}
