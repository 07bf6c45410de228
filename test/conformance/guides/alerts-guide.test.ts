import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FILTER_BOUNDS, parseFilter, STREAM_FIELDS, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { HOLDERS_MAX } from '@ti/service/alerts/source.ts'
import { ALERTS_PAGE } from '@ti/service/alerts/watches.ts'
import { ALERT_WORK } from '@ti/service/alerts/worker-store.ts'
import { codeOf, ROOT } from '../../support/guides.ts'

/** What docs/alerts.md shows: its filters parsed, its fields and numbers compared. */
const PAGE = 'docs/alerts.md'
const GUIDE = readFileSync(join(ROOT, PAGE), 'utf8')

test('every filter on the page is one', () => {
  const filters = codeOf(PAGE, 'filter').flatMap((code) => code.trim().split('\n'))
  assert.equal(filters.length, 3)
  for (const text of filters) assert.equal(parseFilter(text, TOKEN_FIELDS).ok, true, text)
  const [, joined] = /`\{"filter": "([^"]+)"\}`/.exec(GUIDE)!
  assert.equal(parseFilter(joined!, STREAM_FIELDS['frames:live']).ok, true)
})

test('the tables name every field', () => {
  const named = (over: string): string[] => {
    const row = GUIDE.split('\n').find((line) => line.startsWith(`| ${over} |`))!
    return [...row.slice(over.length + 4).matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  }
  assert.deepEqual(named('tokens (conditions)'), Object.keys(TOKEN_FIELDS))
  for (const [topic, fields] of Object.entries(STREAM_FIELDS))
    assert.deepEqual(named(`\`${topic}\``), Object.keys(fields))
})

test('the numbers on the page are the limits', () => {
  const { perMinute } = ALERT_WORK
  const { share, pool } = SHARED.alerts
  const said = (text: string): void => assert.ok(GUIDE.replaceAll('\n', ' ').includes(text), text)
  const { watches, filters } = SHARED
  said(`The free plan has ${watches.share.free} watches, Pro ${watches.share.pro.toLocaleString('en')}`)
  said(`at most ${perMinute} alerts a minute`)
  said(`the newest ${ALERTS_PAGE}`)
  const figure = (n: number): string => n.toLocaleString('en')
  said(`The newest ${figure(share.pro)} alerts of an account on Pro are kept, ${figure(share.free)} on the free plan`)
  said(`${figure(pool.pro)} and ${figure(pool.free)} of all accounts`)
  said(`more than ${HOLDERS_MAX.toLocaleString('en')} holders`)
  said(`at most ${filters.share.pro} filters, a free account ${filters.share.free}`)
  const { length = 0, terms, depth } = FILTER_BOUNDS
  said(`${length.toLocaleString('en')} characters, ${terms} comparisons and values, and ${depth} nested brackets`)
})
