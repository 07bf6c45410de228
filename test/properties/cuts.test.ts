import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { renderCard } from '@ti/core/query/card.ts'
import { type Cut, createCutScan } from '@ti/core/query/cut-scan.ts'
import type { Cuts } from '@ti/core/query/cuts.ts'
import { explain } from '@ti/core/query/explain.ts'
import { SNAPSHOT_GROUP } from '@ti/core/query/snapshot.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, type Step, shortSteps, steps, veteranSteps } from '../support/histories.ts'
import { createMemoryStore, type MemoryStore } from '../support/memory-store.ts'
import fc from '../support/property.ts'

/** A token read in slices, with entries folded between them, against the plain scan of the moment at which it began. */

const RUNS = runs(100)
/** wallets named per share */
const NAMED = 2

interface Service {
  engine: Engine
  readonly store: MemoryStore
}

/** `look`: called where a commit is about to be written. */
function feed(
  { engine, store }: Service,
  entry: LogEntry,
  look?: (changes: ReturnType<Engine['changes']>) => void,
): void {
  engine.apply(engine.globals.seq + 1, entry)
  const changes = engine.changes()
  look?.(changes)
  store.write(changes)
  engine.committed()
}

/** Everything that is told of a token, as text. */
const told = (view: TokenView): string =>
  JSON.stringify([
    view.slot,
    SNAPSHOT_GROUPS.map((group) => SNAPSHOT_GROUP[group](view)),
    renderCard(view),
    { ...view.reading(), kols: view.reading().kols.length },
    view.conditions(),
    (({ largestBalance, buyers5m, traders1h, bundledBuyers }) => [largestBalance, buyers5m, traders1h, bundledBuyers])(
      view.crowd(),
    ),
    explain(view, NAMED),
  ])

const plain = ({ engine, store }: Service, token: number): string => told(createViews(engine, store, 100).byId(token))

function viewOf({ engine, store }: Service, token: number, cut: Cut): TokenView {
  const cuts = { isLarge: () => true, find: () => cut, of: () => cut } as unknown as Cuts
  return createViews(engine, store, 100, cuts).byId(token)
}

interface Given {
  readonly list: readonly Step[]
  /** where of the history the reading begins, and of the tokens which */
  readonly at: number
  readonly token: number
  /** units of a slice, and entries folded between two */
  readonly units: number
  readonly between: number
  /** the engine is opened anew right before, so that it has met nobody */
  readonly restart: boolean
  readonly walletsCached: number
  readonly metMost: number
}

/** What came about, so that a comparison in which nothing happened is noticed. */
const seen = { slices: 0, changed: 0, fromStore: 0, compared: 0 }

function compare({ list, at, token, units, between, restart, walletsCached, metMost }: Given): void {
  const entries = buildHistory(list)
  const store = createMemoryStore()
  const service: Service = { engine: createEngine({ reader: store, walletsCached }), store }
  const begin = Math.min(entries.length, 1 + Math.floor(at * entries.length))
  for (const entry of entries.slice(0, begin)) feed(service, entry)
  const tokens = service.engine.globals.nextToken
  if (tokens === 0) return
  const id = Math.floor(token * tokens)
  const expected = plain(service, id)
  if (restart) service.engine = createEngine({ reader: store, walletsCached })
  const { engine } = service
  const scan = createCutScan({ engine, store, token: id, shares: NAMED, metMost })
  if (engine.tokens.peekId(id) === undefined) seen.fromStore++
  let next = begin
  const more = (count: number): void => {
    for (; count > 0 && next < entries.length; count--) feed(service, entries[next++]!, scan.beforeWrite)
  }
  more(between)
  while (!scan.slice(units)) {
    seen.slices++
    more(between)
  }
  // the end waits for a turn as well
  more(between)
  const cut = scan.finish()
  // what comes later changes nothing of it either
  more(entries.length)
  assert.equal(told(viewOf(service, id, cut)), expected)
  seen.compared++
  if (plain(service, id) !== expected) seen.changed++
}

/** whole numbers: floating ones are mostly drawn from close to nothing */
const percent = fc.integer({ min: 0, max: 99 }).map((n) => n / 100)

const given = (list: fc.Arbitrary<Step[]>): fc.Arbitrary<Given> =>
  fc.record({
    list,
    at: percent,
    token: percent,
    units: fc.integer({ min: 1, max: 12 }),
    between: fc.integer({ min: 0, max: 4 }),
    restart: fc.boolean(),
    walletsCached: fc.constantFrom(2, 1_000),
    metMost: fc.constantFrom(0, 4, 1_000),
  })

test('a reading in slices is the plain one of the moment at which it began, whatever is folded meanwhile', () => {
  fc.assert(fc.property(given(shortSteps), compare), { numRuns: runs(3) * RUNS })
  fc.assert(fc.property(given(steps), compare), { numRuns: RUNS })
  fc.assert(fc.property(given(veteranSteps), compare), { numRuns: Math.ceil(RUNS / 2) })
})

test('much was folded between slices', { skip: RUNS < 100 && 'too few histories to expect it' }, () => {
  const { compared, slices, changed, fromStore } = seen
  assert.ok(compared > RUNS && slices > compared && changed > compared / 2 && fromStore > 5, JSON.stringify(seen))
})

const step = (action: Step['action'], wallet: number, size = 100, more: Partial<Step> = {}): Step => ({
  ...{ gap: 1, token: 0, wallet, action, size },
  ...more,
})

function launched(): Service {
  const store = createMemoryStore()
  const service: Service = { store, engine: createEngine({ reader: store, walletsCached: 100 }) }
  for (const entry of buildHistory([step('create', 0), step('buy', 1), step('buy', 2), step('buy', 3)])) {
    feed(service, entry)
  }
  return service
}

test('an influencer who is named anew after having been read keeps the name of before', () => {
  const service = launched()
  const { engine, store } = service
  const [wallet] = [...engine.tokens.peekId(0)!.positions.values()].map((position) => position.wallet)
  const named = (name: string): LogEntry => ({
    ...{ kind: 'facts', time: 2, byOperator: false },
    facts: [{ kind: 'kol', wallet: store.wallet(wallet!)!.address, name }],
  })
  feed(service, named('before'))
  const expected = plain(service, 0)
  assert.ok(expected.includes('before'))
  const scan = createCutScan({ engine, store, token: 0, shares: NAMED, metMost: 100 })
  while (!scan.slice(100));
  feed(service, named('after'), scan.beforeWrite)
  assert.equal(told(viewOf(service, 0, scan.finish())), expected)
})

test('a wallet found meanwhile to have been funded by the deployer makes nobody an insider of before', () => {
  const service = launched()
  const { engine, store } = service
  const address = (id: number) => store.wallet(id)!.address
  const { deployer, createdSlot: slot } = store.token(0)!
  const holders = [...engine.tokens.peekId(0)!.positions.values()].flatMap(({ wallet: id }) =>
    id === deployer ? [] : [id],
  )
  const [first, second] = [holders[0]!, holders[1]!]
  const funds = (wallet: number, funder: number): LogEntry => ({
    ...{ kind: 'facts', time: 2, byOperator: false },
    facts: [
      { kind: 'funding', wallet: address(wallet), funder: address(funder), slot, exchange: false, lamports: 1e9 },
    ],
  })
  feed(service, funds(second, first))
  const expected = plain(service, 0)
  const scan = createCutScan({ engine, store, token: 0, shares: NAMED, metMost: 100 })
  feed(service, funds(first, deployer), scan.beforeWrite)
  while (!scan.slice(1));
  assert.equal(told(viewOf(service, 0, scan.finish())), expected)
  assert.notEqual(plain(service, 0), expected, 'both are insiders now')
})
