import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILTER_BOUNDS, parseFilter, TOKEN_FIELDS, type Values } from '@ti/core/contract/filter.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import { createFolder } from '../../../../test/properties/prefix.ts'
import { runs, seed } from '../../../../test/support/chance.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import { marketEntries } from '../../../../test/support/watchers.ts'
import { createConditionIndex } from './condition-index.ts'
import { CONDITION_WORK, createConditions } from './conditions.ts'
import { createAlertSource } from './source.ts'
import type { Watched } from './watch-index.ts'

const SEED = seed()
const watchedOf = (id: string, target: string, fromTrade = 0): Watched =>
  ({ row: { id, target }, fromTrade, fromEvent: 0, fromSlot: 0 }) as Watched

const TEXTS = ['a', 'b', 'pumpfun', '']
const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const FIELDS = Object.entries(TOKEN_FIELDS)

/** Comparisons with few values, so that edges are hit, in every notation that there is. */
function filterText(random: () => number, depth = 0): string {
  const kind = random()
  if (depth < 3 && kind < 0.3) return `(${filterText(random, depth + 1)} and ${filterText(random, depth + 1)})`
  if (depth < 3 && kind < 0.5) return `(${filterText(random, depth + 1)} or ${filterText(random, depth + 1)})`
  if (depth < 3 && kind < 0.65) return `not ${filterText(random, depth + 1)}`
  const [field, type] = pick(random, FIELDS)
  if (type === 'flag') return pick(random, [field, `${field} == false`, `${field} != true`])
  const texts = `["${pick(random, TEXTS)}", "${pick(random, TEXTS)}"]`
  if (type === 'text') return pick(random, [`${field} in ${texts}`, `${field} ${pick(random, ['==', '!='])} "a"`])
  return `${field} ${pick(random, ['==', '!=', '<', '<=', '>', '>='])} ${Math.floor(random() * 7) - 3}`
}

const NULLABLE = ['score', 'conviction', 'deployer', 'launchpad', 'mcap']

const valuesOf = (random: () => number): Values =>
  Object.fromEntries(
    FIELDS.map(([field, type]) => {
      if (NULLABLE.includes(field) && random() < 0.2) return [field, null]
      if (type === 'flag') return [field, random() < 0.5]
      return [field, type === 'text' ? pick(random, TEXTS) : Math.floor(random() * 13) / 2 - 3]
    }),
  )

test(`each condition is met by a token once, when every condition is tested on it (${runs(200)} runs)`, () => {
  const random = seededRandom(SEED)
  for (let run = 0; run < runs(200); run++) {
    const index = createConditionIndex()
    const all = new Map<string, Watched>()
    const known = new Map<number, Uint32Array>()
    const told = new Map<number, Set<string>>()
    for (let look = 0, made = 0; look < 40; look++) {
      for (let n = random() < 0.3 ? Math.floor(random() * 120) : 0; n > 0; n--) {
        const target = filterText(random)
        if (target.length > FILTER_BOUNDS.length) continue
        const watched = watchedOf(`${made++}`, target, look)
        all.set(watched.row.id, watched)
        index.add(watched)
      }
      for (const id of all.keys()) {
        if (random() > 0.05) continue
        all.delete(id)
        index.remove(id)
      }
      const [token, no, values] = [Math.floor(random() * 4), look - (random() < 0.2 ? 1 : 0), valuesOf(random)]
      const most = random() < 0.2 ? 3 : 1e9
      const found = index.met(known.get(token) ?? new Uint32Array(0), values, no, most)
      known.set(token, found.known)
      const before = told.get(token) ?? new Set()
      const expected = [...all.values()].filter(({ row, fromTrade }) => {
        const parsed = parseFilter(row.target, TOKEN_FIELDS)
        return parsed.ok && fromTrade <= no && !before.has(row.id) && parsed.filter.test(values)
      })
      const ids = found.met.map(({ watched }) => watched.row.id)
      const allowed = new Set(expected.map(({ row }) => row.id))
      assert.equal(ids.length, Math.min(expected.length, most), `seed ${SEED}, run ${run}`)
      assert.ok(new Set(ids).size === ids.length && ids.every((id) => allowed.has(id)))
      told.set(token, new Set([...before, ...ids]))
      assert.equal(index.size, all.size)
    }
  }
})

/** Conditions whose thresholds lie where the tokens of a market are. */
const MARKET = [
  ...[
    'mcap > 6000 and bundled_pct <= 10',
    'holders >= 12',
    'score > 3 or kols >= 1',
    'conviction >= 40 and not drained',
  ],
  ...[
    'age_slots > 20 and trades < 30',
    'dirty_pct > 20 and dumpers_pct > 20',
    'alpha_hands_pct > 0',
    'rugged or dex_paid',
  ],
]

test('a market: every watch is evaluated on every token at every block, within the time and beyond it', async (t) => {
  const entries = await marketEntries(7, 600, 60)
  for (const msPerLook of [0, 1]) {
    const folder = createFolder()
    t.after(() => folder.remove())
    let ms = 0
    const source = createAlertSource(folder.engine, folder.store)
    const conditions = createConditions({ source, now: () => (ms += msPerLook) })
    const filters = MARKET.map((text) => parseFilter(text, TOKEN_FIELDS))
    for (const [n, text] of MARKET.entries()) conditions.add(watchedOf(`${n}`, text))
    const met = new Set<string>()
    /** Tokens that wait, with what holds of them now: the slow implementation, without an index. */
    const expected = new Set<string>()
    const waiting = new Set<number>()
    const evaluate = (tokens: Iterable<number>): void => {
      for (const id of tokens) {
        const values = source.values(id)!
        for (const [i, one] of filters.entries())
          if (source.token(id).createdKnown && one.ok && one.filter.test(values)) expected.add(`${i} ${id}`)
      }
    }
    const work = (): void => {
      const before = [...waiting]
      const turn = conditions.work()
      assert.ok(turn.length <= CONDITION_WORK.metPerTurn)
      for (const { watch, key } of turn) {
        assert.ok(!met.has(`${watch.id} ${key.slice('token '.length)}`), 'once')
        met.add(`${watch.id} ${key.slice('token '.length)}`)
      }
      // the oldest go first
      const done = before.slice(0, before.length - conditions.waiting)
      evaluate(done)
      for (const id of done) waiting.delete(id)
      assert.equal(waiting.size, conditions.waiting)
    }
    let waited = 0
    for (const entry of entries) {
      const from = folder.engine.globals.nextTrade
      folder.fold([entry], 1)
      for (const row of folder.store.trades(from) as Iterable<TradeRow>) {
        conditions.traded(row)
        waiting.add(row.token)
      }
      conditions.earn(1)
      work()
      waited = Math.max(waited, conditions.waiting)
    }
    assert.equal(waited > 0, msPerLook > 0)
    for (; conditions.waiting > 0; conditions.earn(1)) work()
    assert.equal(conditions.from, null)
    assert.deepEqual([...met].sort(), [...expected].sort())
    assert.ok(met.size > 10, `${met.size} met`)
  }
})
