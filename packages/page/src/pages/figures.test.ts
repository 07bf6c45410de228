import assert from 'node:assert/strict'
import { test } from 'node:test'
import { URL_LENGTH as DESTINATION_URL_LENGTH, MIN_SOL_MAX, NAME_LENGTH } from '@ti/core/contract/account.ts'
import { PRICE } from '@ti/core/contract/endpoints.ts'
import { FILTER_BOUNDS, parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import { CLASSES, SIGNALS } from '@ti/core/engine/constants.ts'
import { KEY_COUNTS } from '@ti/service/access/accounts/accounts.ts'
import { SUBSCRIPTION } from '@ti/service/access/accounts/subscription.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { TRIALS } from '@ti/service/access/trials.ts'
import { PAGE_ROWS } from '@ti/service/alerts/delivery/deliveries.ts'
import { GIVEN, NAME_MAX } from './account/account.ts'
import { DELIVERIES_PAGE, URL_LENGTH } from './account/destination.ts'
import { FILTER_EXAMPLES, FILTER_FIELDS, FILTER_LENGTH } from './account/filter-fields.ts'
import { MOST_SOL } from './account/watch-form.ts'
import { RATED } from './token/metrics.ts'
import { impactInWords } from './trader/words.ts'

/** Numbers in the page's texts equal the service's limits and thresholds. */

const EDGES = {
  bundle: SIGNALS.bundle,
  dirty: SIGNALS.dirty,
  dumpers: SIGNALS.dumpers,
  jeets: SIGNALS.jeets,
  alpha_hands: SIGNALS.alphaHands,
  in_profit: SIGNALS.inProfit,
  conviction: SIGNALS.conviction,
  cooktimer: SIGNALS.cooktimer,
  pump_dump: [-SIGNALS.lead, SIGNALS.lead],
} as const

/** texts use minutes, thresholds slots of 0.4 s */
const inSlots = (text: string): string =>
  text.replace(/(\d+) min(?: (\d+) s)?/g, (_, min, s = 0) => String((60 * Number(min) + Number(s)) / 0.4))

const numbersIn = (text: string): number[] =>
  [
    ...inSlots(text)
      .replaceAll(',', '')
      .replaceAll('−', '-')
      .matchAll(/-?\d+(?:\.\d+)?/g),
  ].map(([number]) => Number(number))

test('the words of each colour have the figures of the signals', () => {
  for (const { rating, rule } of RATED) {
    if (rating === 'score') continue
    const inOrder = [...EDGES[rating]].sort((a, b) => a - b)
    // pump v dump uses one number on both sides
    const shown = [...new Set(numbersIn(rule))].sort((a, b) => a - b)
    assert.deepEqual(shown, rating === 'pump_dump' ? [SIGNALS.lead] : inOrder, rule)
  }
})

test('dumpers and chart nukers begin where the classes of holders do', () => {
  for (const [value, word] of [
    [CLASSES.nukerImpact - 0.01, 'nukes charts'],
    [CLASSES.nukerImpact, 'dumps'],
    [CLASSES.dumperImpact - 0.01, 'dumps'],
    [CLASSES.dumperImpact, 'prices hold'],
  ] as const)
    assert.equal(impactInWords(value), word, `${value}`)
})

test('an account is told what it is given', () => {
  assert.deepEqual(GIVEN, {
    keys: KEY_COUNTS.perAccount,
    freeCalls: RATES.free,
    proCalls: RATES.pro,
    trialS: TRIALS.ms / 1000,
    watches: { free: SHARED.watches.share.free, pro: SHARED.watches.share.pro },
    destinations: { free: SHARED.destinations.share.free, pro: SHARED.destinations.share.pro },
    pro: { sol: SUBSCRIPTION.lamports / 1e9, days: SUBSCRIPTION.days },
    callUsd: PRICE.other / 1e6,
    snapshotUsd: PRICE.snapshot / 1e6,
  })
  assert.deepEqual(NAME_MAX, NAME_LENGTH)
  assert.deepEqual([URL_LENGTH, DELIVERIES_PAGE], [DESTINATION_URL_LENGTH, PAGE_ROWS])
  assert.deepEqual([FILTER_LENGTH, MOST_SOL], [FILTER_BOUNDS.length, MIN_SOL_MAX])
})

test('conditions are explained with the fields there are, by examples that are taken', () => {
  const types = Object.fromEntries(Object.entries(FILTER_FIELDS).map(([name, [type]]) => [name, type]))
  assert.deepEqual(types, TOKEN_FIELDS)
  for (const text of FILTER_EXAMPLES) assert.equal(parseFilter(text, TOKEN_FIELDS).ok, true, text)
})
