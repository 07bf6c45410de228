import { createHash } from 'node:crypto'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { LIST_NAMES } from '@ti/core/query/query.ts'
import { SNAPSHOT_GROUP } from '@ti/core/query/snapshot.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import type { Node } from '@ti/service/service/node.ts'
import type { Market } from '../soak/market.ts'

/** Whom questions are asked about: base58. */
export interface Cast {
  readonly wallets: readonly string[]
}

/** Something that can be asked of a node; the same for every node that holds the same. */
export interface Question {
  readonly name: string
  /** the whole answer as text */
  readonly ask: () => string
}

const WALLETS = 60
const UNKNOWN = 5
const LOG_PIECE = 40
const FRAMES = 60

export function castOf({ store }: Node): Cast {
  const total = store.globals()!.nextWallet
  const wallets = Array.from({ length: WALLETS }, (_, i) => store.wallet(Math.floor((i * total) / WALLETS))!)
  return { wallets: wallets.map(({ address }) => keyToBase58(address)) }
}

/** What users ask, what followers of streams read, and what the decoding thread, the export and `explain` read. */
export function questionsOf(node: Node, market: Market, cast: Cast, end: number): Question[] {
  const { engine, store } = node
  const query = createQuery({ engine, store })
  const streams = createStreams({ engine, store })
  const groups = Object.keys(SNAPSHOT_GROUP) as (keyof typeof SNAPSHOT_GROUP)[]
  const questions: Question[] = []
  const add = (name: string, ask: () => unknown): void => {
    questions.push({ name, ask: () => textOf(ask()) })
  }
  for (const name of LIST_NAMES) add(`list ${name}`, () => query.list(name).bytes)
  const launched = market.launched(end - 1)
  for (let token = 0; token < launched + UNKNOWN; token++) {
    const mint = keyToBase58(market.mint(token))
    add(`snapshot ${token}`, () => query.snapshot(mint, groups)?.bytes)
    add(`trades ${token}`, () => query.trades(mint)?.bytes)
    add(`pool ${token}`, () => store.tokenIdByPool(market.curve(token)))
    if (token % 4 === 0) add(`positions ${token}`, () => store.positions(token))
  }
  for (const [i, address] of cast.wallets.entries()) {
    add(`trader ${i}`, () => query.trader(address)?.bytes)
    add(`deployer ${i}`, () => {
      const answer = query.deployer(address, 20, 0)
      return answer && [answer.data.bytes.toString(), answer.summary.toString(), answer.returned]
    })
  }
  for (let token = 0; token < launched; token += 5) {
    const id = (): number | undefined => store.tokenIdByMint(market.mint(token))
    add(`launches of the deployer of ${token}`, () => store.launches(store.token(id()!)!.deployer, 0, 50))
  }
  for (let after = 0; after < 600; after += 2 * FRAMES) {
    add(`frames after ${after}`, () => streams['frames:live'].read(after, FRAMES))
    add(`token events after ${after}`, () => streams['tokens:live'].read(after / 2, FRAMES))
  }
  for (let from = 0; from < end; from += LOG_PIECE) {
    add(`log from ${from}`, () =>
      store.log.bytes(from, Math.min(LOG_PIECE, end - from)).map((b) => b.toString('base64')),
    )
  }
  add('live tokens', () => [...store.liveTokenIds()])
  add('agents', () => store.agents())
  add('entries', () => store.entries())
  return questions
}

function textOf(answer: unknown): string {
  if (Buffer.isBuffer(answer)) return answer.toString()
  return JSON.stringify(answer, (_, value) => (value instanceof Map ? [...value] : value)) ?? 'nothing'
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
