import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CREW, keyOf, OTHERS, plantedRug } from '../../../../test/support/planted-rug.ts'
import type { GriefMove } from '../simulator/truth.ts'
import { GRIEF_NAMES, GRIEFS } from './griefing.ts'
import { scriptOf } from './script.ts'
import { play } from './stage.ts'

/** Each trick on a launch whose four first buyers leave in one block; the moment is 20 slots later. */
const SOL = 1_000_000_000
const CREATED = 1_000
const MOMENT = CREATED + 420
const MINT = keyOf('mint')
const RUGGER = keyOf('rugger')
const RUGGED = keyOf('rugged')

function played(trick: GriefMove, budget = SOL) {
  const metadata = { kind: 'metadata' as const, mint: MINT, description: 'x', image: 'i' }
  const links = {
    twitter: null,
    telegram: null,
    website: null,
    twitterNorm: null,
    telegramNorm: null,
    websiteNorm: null,
  }
  const facts = [{ slot: CREATED + 9, fact: { ...metadata, ...links } }]
  const blocks = plantedRug(MINT, CREATED, { crew: SOL, other: SOL / 10 })
  const script = scriptOf({ mint: MINT, blocks, facts }, { slot: MOMENT, wallets: [] })!
  const griefer = { name: 'grief', rugger: RUGGER, rugged: RUGGED, isKnown: (wallet: string) => wallet === OTHERS[0] }
  const { entries, net, held } = play(GRIEFS[trick](script, griefer), budget, [MOMENT - 1, MOMENT + 300])
  const events = entries.flatMap((entry) =>
    entry.kind === 'block' ? entry.events.map((event) => ({ ...event, slot: entry.slot })) : [],
  )
  const added = events.flatMap((event) =>
    event.kind === 'trade' && (event.user.startsWith('grief') || event.user === RUGGER) ? [event] : [],
  )
  const known = entries.flatMap((entry) => (entry.kind === 'facts' ? [...entry.facts] : []))
  return { entries, events, added, known, net, held }
}

test('no trick changes what honest people do, and all keep the order of transactions', () => {
  for (const trick of GRIEF_NAMES) {
    const { entries, events } = played(trick, 10 * SOL)
    const honest = events.filter((event) => event.kind === 'trade' && [...OTHERS, ...CREW].includes(event.user))
    assert.equal(honest.length, OTHERS.length + 2 * CREW.length, trick)
    for (const entry of entries) {
      if (entry.kind !== 'block') continue
      const places = entry.events.map(({ txIndex }) => txIndex)
      assert.deepEqual(
        places,
        [...places].sort((a, b) => a - b),
        trick,
      )
    }
  }
})

test('dust costs dust: less than 0.2 SOL lost with any trick but a purchase that leaves', () => {
  for (const trick of GRIEF_NAMES) {
    const { net, held } = played(trick)
    assert.ok(net < 0 && net > -0.2 * SOL && held.every((tokens) => tokens < 1e13), `${trick}: ${net}`)
  }
})

test('shadows are in the transaction behind: purchases, with a gift in the same one, with a tip; sales', () => {
  for (const trick of ['shadow_buys', 'shadow_gifts', 'shadow_tips'] as const) {
    const { added, events } = played(trick)
    assert.equal(added.length, 12, trick)
    for (const { slot, txIndex, tipper, user, sig } of added) {
      const before = events.find((event) => event.slot === slot && event.txIndex === txIndex - 1)!
      assert.ok(before.kind === 'trade' && before.isBuy && !before.user.startsWith('grief'))
      assert.equal(tipper, trick === 'shadow_tips' ? user : null)
      const gift = events.find((event) => event.kind === 'balance' && event.sig === sig && event.owner === before.user)
      assert.equal(gift !== undefined, trick === 'shadow_gifts')
    }
  }
  const { added, events } = played('shadow_sales')
  const sales = added.filter(({ isBuy }) => !isBuy)
  assert.ok(sales.length >= 1)
  for (const { slot, txIndex } of sales) {
    const before = events.find((event) => event.slot === slot && event.txIndex === txIndex - 1)!
    assert.ok(before.kind === 'trade' && !before.isBuy)
  }
})

test('the rugger buys dust himself; and gives the largest buyer a token, of his own rug too', () => {
  assert.deepEqual(
    played('rugger_dust').added.map(({ user }) => user),
    [RUGGER],
  )
  const given = played('whale_tokens').events.flatMap((event) =>
    event.kind === 'balance' && event.owner === CREW[0] && event.after > event.before ? [event.mint] : [],
  )
  assert.deepEqual(given, [MINT, RUGGED])
})

test('the rugger is the funder of a crowd, or of every new buyer', () => {
  const fundersIn = (trick: GriefMove) => played(trick).known.flatMap((fact) => (fact.kind === 'funding' ? [fact] : []))
  const crowd = fundersIn('dust_crowd')
  assert.equal(crowd.length, 40)
  assert.ok(crowd.every(({ funder, wallet }) => funder === RUGGER && wallet.startsWith('grief')))
  const first = fundersIn('first_sol')
  assert.ok(first.every(({ wallet }) => wallet !== OTHERS[0] && !wallet.startsWith('grief')))
  assert.equal(first.length, 40)
})

test('a copy is created after the original, and its metadata is known before', () => {
  const { known, events } = played('copied_first')
  const created = events.filter(({ kind }) => kind === 'create').map(({ mint }) => mint)
  assert.equal(created.length, 2)
  assert.equal(created[0], MINT)
  const mints = known.flatMap((fact) => (fact.kind === 'metadata' ? [fact.mint] : []))
  assert.deepEqual(mints, [created[1], MINT])
})

test('three wallets in a row buy some 6 % and leave', () => {
  const { added, held } = played('buy_and_leave', 10 * SOL)
  assert.deepEqual(
    added.map(({ isBuy }) => isBuy),
    [true, true, true, false, false, false],
  )
  const [a, b, c] = added
  assert.deepEqual([b!.txIndex - a!.txIndex, c!.txIndex - b!.txIndex], [1, 1])
  const bought = added.slice(0, 3).reduce((sum, { tokenAmount }) => sum + tokenAmount, 0) / 1e15
  assert.ok(bought > 0.04 && bought < 0.08, `${bought}`)
  assert.equal(held[1], 0)
})
