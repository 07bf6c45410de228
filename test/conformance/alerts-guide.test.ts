import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { createAccounts } from '../../src/access/accounts/accounts.ts'
import { createWatchBook } from '../../src/alerts/book.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { FILTER_BOUNDS, parseFilter, STREAM_FIELDS, TOKEN_FIELDS } from '../../src/contract/filter.ts'
import { readFilter, type Topic } from '../../src/contract/streams.ts'
import { emptyDatabase } from '../support/database.ts'
import { memoryAlerts } from '../support/memory-alerts.ts'
import { watchNow } from '../support/watchers.ts'

/** What docs/alerts.md shows: read, made and compared. */
const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/alerts.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].flatMap((one) =>
    one[1]!.trim().split('\n'),
  )

test('every watch on the page can be made', async (t) => {
  const database = await emptyDatabase(t)
  const { id } = await createAccounts(database, { now: watchNow }).ofWallet('w')
  const book = createWatchBook(database, { now: watchNow })
  const watches = blocks('json watch').map((line) => JSON.parse(line))
  assert.ok(watches.length > 1)
  for (const { min_sol = 0, ...asked } of watches) {
    assert.ok((await book.add(id, 'free', { ...asked, minLamports: min_sol * 1e9 })).ok, asked.target)
  }
})

test('the alert on the page has the fields of an alert', () => {
  const alerts = memoryAlerts()
  alerts.add('a', 1)
  const [shown] = blocks('json alert').map((line) => JSON.parse(line))
  return alerts.after('a', 0, 1).then(([alert]) => {
    const { account: _, ...own } = alert!
    assert.deepEqual(Object.keys(shown).sort(), Object.keys(own).sort())
    assert.equal(
      shown.text,
      `slot ${shown.slot}, ${Object.entries(shown.why)
        .map(([k, v]) => `${k} ${v}`)
        .join(', ')}`,
    )
  })
})

test('every filter on the page is one, and the table has every field with its type', () => {
  const filters = blocks('filter frames:live')
  assert.ok(filters.length > 2)
  for (const text of filters) assert.equal(typeof readFilter('frames:live', text), 'object', text)
  const row = (name: string): string => GUIDE.split('\n').find((line) => line.startsWith(`| ${name} |`))!
  const shown = (fields: object): string =>
    Object.entries(fields)
      .map(([name, type]) => `\`${name}\` ${type}`)
      .join(', ')
  assert.equal(row('conditions'), `| conditions | ${shown(TOKEN_FIELDS)} |`)
  for (const topic of Object.keys(STREAM_FIELDS) as Topic[]) {
    assert.equal(row(`\`${topic}\``), `| \`${topic}\` | ${shown(STREAM_FIELDS[topic])} |`)
  }
  assert.ok(parseFilter('launchpad == "pumpfun"', TOKEN_FIELDS).ok)
})

test('the bounds on the page are those of the program', () => {
  const { alerts, liveFilters } = LIMITS
  const number = (value: number): string => value.toLocaleString('en-US')
  for (const text of [
    `${alerts.watchesFree} on the free plan, ${number(alerts.watchesPro)} on Pro`,
    `${number(alerts.watches)}, of these ${number(alerts.conditions)} conditions`,
    `${liveFilters}; equal ones`,
    `Beyond ${alerts.perMinute} alerts`,
    `newest ${number(alerts.kept)} alerts`,
    `At most ${alerts.page}`,
    `${number(alerts.holders)}\nholders`,
    `At most ${number(FILTER_BOUNDS.length!)} characters, ${FILTER_BOUNDS.terms} comparisons and values, and ${FILTER_BOUNDS.depth} brackets`,
  ]) {
    assert.ok(GUIDE.includes(text), text)
  }
})
