import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../../../test/support/chance.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { Happening } from './events.ts'
import { foldStorms, type Reported } from './storm.ts'

const watch = (id: string): WatchRow => ({ id }) as WatchRow
const happening = (id: string, time: number): Happening => ({
  ...{ watch: watch(id), event: 'sold', key: `${time}`, token: null, wallet: null, why: {}, signature: null },
  ...{ slot: time * 2, time },
})
const NOTHING: Reported = { minute: 0, sent: 0, folded: 0 }

test('beyond so many in a minute the rest is one summary, once the minute is over', () => {
  const rows = Array.from({ length: 5 }, (_, n) => happening('a', 60 + n))
  const first = foldStorms(rows, () => NOTHING, [], { slot: 128, time: 64 }, 2)
  assert.deepEqual(
    first.passed.map(({ event, time }) => [event, time]),
    [
      ['sold', 60],
      ['sold', 61],
    ],
  )
  assert.deepEqual(first.changed.get('a'), { minute: 1, sent: 2, folded: 3 })
  const quiet = foldStorms([], (id) => first.changed.get(id)!, [watch('a')], { slot: 238, time: 119 }, 2)
  assert.deepEqual([quiet.passed, quiet.changed.size], [[], 0], 'the minute is not over')
  const over = foldStorms([], (id) => first.changed.get(id)!, [watch('a')], { slot: 240, time: 120 }, 2)
  assert.deepEqual(
    over.passed.map(({ event, key, why }) => [event, key, why]),
    [['summary', 'minute 1', { reported: 2, more: 3, minute_from: 60 }]],
  )
  assert.deepEqual(over.changed.get('a'), { minute: 2, sent: 0, folded: 0 })
})

test('wherever batches end, the same is reported', () => {
  const random = seededRandom(seed())
  let time = 60
  const rows = Array.from({ length: 400 }, () => {
    time += Math.floor(random() * 4)
    return happening(random() < 0.7 ? 'a' : 'b', time)
  })
  const play = (sizes: () => number): string[] => {
    const reported = new Map<string, Reported>()
    const said: string[] = []
    for (let at = 0; at < rows.length; ) {
      const batch = rows.slice(at, at + sizes())
      at += batch.length
      const open = [...reported].flatMap(([id, { folded }]) => (folded > 0 ? [watch(id)] : []))
      const newest = batch.at(-1)!
      const { passed, changed } = foldStorms(batch, (id) => reported.get(id) ?? NOTHING, open, newest, 3)
      for (const [id, one] of changed) reported.set(id, one)
      said.push(
        ...passed.map(
          ({ watch, event, key, why }) => `${watch.id} ${event} ${key} ${(why as { more?: number }).more ?? ''}`,
        ),
      )
    }
    return said.sort()
  }
  const whole = play(() => rows.length)
  assert.ok(whole.some((one) => one.includes('summary')))
  for (let n = 0; n < 20; n++) {
    const cut = play(() => 1 + Math.floor(random() * 30))
    // the summary of the minute that runs when the rows end may be open in either
    const over = (said: readonly string[]) => said.filter((one) => !one.includes(`minute ${Math.floor(time / 60)}`))
    assert.deepEqual(over(cut), over(whole))
  }
})
