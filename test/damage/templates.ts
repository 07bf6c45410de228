import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, openNode } from '@ti/service/service/node.ts'
import { STATE_CHECKPOINT } from '@ti/service/store/commits.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket, type Market } from '../soak/market.ts'
import { useSmallBounds } from './bounds.ts'
import { type Cast, castOf, digestOf, questionsOf } from './questions.ts'

/** Entries of the directories that are damaged, of their older copies, and of what is fed after the damage. */
export const ENTRIES = { older: 150, closed: 200, whole: 300, grown: 320 } as const
export const MARKET = { seed: 17, pattern: 'live' } as const
const OTHER_SEED = 18
const ONLY_IN_WAL = 20

/** What an undamaged node answers at an entry. */
export interface Expected {
  readonly hash: string
  /** digest of each answer by its question's name */
  readonly answers: Readonly<Record<string, string>>
}

export interface Expectations {
  readonly cast: Cast
  readonly whole: Expected
  readonly grown: Expected
}

/**
 * Data directories below `base`:
 *   whole    at entry 299 as a killed process leaves it: half of the state is in the write-ahead log
 *   closed   the same, closed
 *   older    at entry 149 as a killed process leaves it, and `olderClosed` at 199, closed: both once were `whole`
 *   other    another log, as a killed process leaves it
 *   refolded the state folded anew from the same log: another store
 */
export async function makeTemplates(base: string): Promise<void> {
  const market = createMarket(MARKET.seed, MARKET.pattern)
  const at = (name: string): string => join(base, name)
  const growing = at('growing')
  const copy = (name: string): void =>
    cpSync(growing, at(name), { recursive: true, filter: (path) => !path.endsWith('.sock') })
  let node = await openNode(growing)
  await feedBehindCheckpoints(node, market, ENTRIES.older)
  copy('older')
  await feedMarket(node, market, { end: ENTRIES.closed })
  await node.close()
  copy('olderClosed')
  node = await openNode(growing)
  await feedBehindCheckpoints(node, market, ENTRIES.whole)
  copy('whole')
  await node.close()
  copy('closed')

  cpSync(at('closed'), at('refolded'), { recursive: true })
  rmSync(join(at('refolded'), 'state'), { recursive: true })
  await (await openNode(at('refolded'))).close()

  const other = await openNode(at('other-growing'))
  await feedBehindCheckpoints(other, createMarket(OTHER_SEED, MARKET.pattern), ENTRIES.whole)
  cpSync(at('other-growing'), at('other'), { recursive: true, filter: (path) => !path.endsWith('.sock') })
  await other.close()

  mkdirSync(at('twin'))
  const twin = await openNode(at('twin'))
  await feedMarket(twin, market, { end: ENTRIES.whole, commitEvents: 10_000 })
  const cast = castOf(twin)
  const whole = expectedOf(twin, cast, ENTRIES.whole)
  await feedMarket(twin, market, { end: ENTRIES.grown, commitEvents: 10_000 })
  const grown = expectedOf(twin, cast, ENTRIES.grown)
  await twin.close()
  writeFileSync(at('expected.json'), JSON.stringify({ cast, whole, grown } satisfies Expectations))
}

/** The last entries stay in the write-ahead log alone: otherwise damage of it would damage nothing. */
async function feedBehindCheckpoints(node: Node, market: Market, end: number): Promise<void> {
  await feedMarket(node, market, { end: end - ONLY_IN_WAL })
  Object.assign(STATE_CHECKPOINT, { bytes: Number.POSITIVE_INFINITY })
  await feedMarket(node, market, { end })
  useSmallBounds()
}

function expectedOf(node: Node, cast: Cast, end: number): Expected {
  const market = createMarket(MARKET.seed, MARKET.pattern)
  const asked = questionsOf(node, market, cast, end).map(({ name, ask }) => [name, digestOf(ask())])
  return { hash: node.store.stateHash(), answers: Object.fromEntries(asked) }
}

export const readExpectations = (base: string): Expectations =>
  JSON.parse(readFileSync(join(base, 'expected.json'), 'utf8')) as Expectations
