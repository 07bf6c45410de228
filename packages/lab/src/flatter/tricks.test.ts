import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '@ti/core/model/entries.ts'
import { CREW, keyOf, plantedRug } from '../../../../test/support/planted-rug.ts'
import { createRandom } from '../evaluate/random.ts'
import { COMMON_TIP, type Script, scriptOf } from './script.ts'
import { play } from './stage.ts'
import { TRICK_NAMES, TRICKS, type TrickName } from './tricks.ts'

const CREATED = 5_000
const EXIT = CREATED + 400
const SOL = 1_000_000_000
const UNTIL = [EXIT - 1, EXIT + 100]

const MINT = keyOf('mint')
const rug = (): Block[] => plantedRug(MINT, CREATED, { crew: SOL, other: SOL / 10 })

const script = (): Script => {
  const made = scriptOf({ mint: MINT, blocks: rug(), facts: [] }, { slot: EXIT, wallets: CREW })
  assert.ok(made !== null)
  return made
}
const means = {
  ...{ name: 'x', random: createRandom(1, 'tricks') },
  image: { kind: 'image_hash', mint: keyOf('other-mint'), sha256: 'a'.repeat(64) } as const,
}
const playedWith = (trick: TrickName, budget: number) => {
  const changed = TRICKS[trick](script(), means)
  const until = [changed.exit - 1, changed.end + 100]
  const { entries, net } = play(changed, budget, until)
  const events = entries.flatMap((entry) =>
    entry.kind === 'block' ? entry.events.map((event) => ({ ...event, slot: entry.slot })) : [],
  )
  const trades = events.flatMap((event) => (event.kind === 'trade' ? [event] : []))
  return { changed, entries, net, events, trades, added: trades.filter(({ user }) => user.startsWith('x-')) }
}
const usual = play(script(), 0, UNTIL)

test('a script with nothing put between plays what happened', () => {
  const events = usual.entries.flatMap((entry) => (entry.kind === 'block' ? entry.events : []))
  assert.deepEqual(
    events,
    rug().flatMap((block) => block.events),
  )
  // the crew's payments and proceeds
  const own = rug().flatMap(({ events: all }) =>
    all.flatMap((event) => (event.kind === 'trade' && CREW.includes(event.user) ? [event] : [])),
  )
  assert.equal(
    usual.net,
    own.reduce((sum, { isBuy, userQuote }) => sum + (isBuy ? -userQuote : userQuote), 0),
  )
})

test('no trick has more out than its budget, and all leave the others’ purchases as they are', () => {
  for (const trick of TRICK_NAMES) {
    if (trick === 'whole_curve') continue
    for (const budget of [SOL / 10, SOL, 10 * SOL]) {
      const { trades } = playedWith(trick, budget)
      let out = 0
      for (const { user, isBuy, userQuote } of trades) {
        if (!user.startsWith('x-') && !(trick === 'sell_and_rebuy' && CREW.includes(user) && !isBuy)) continue
        out += isBuy ? userQuote : -userQuote
        assert.ok(out <= budget, `${trick}: ${out} of ${budget}`)
      }
      const others = trades.filter(({ user }) => user.startsWith('other-'))
      assert.deepEqual(
        others.map(({ quoteAmount }) => quoteAmount),
        Array.from({ length: 40 }, () => SOL / 10),
        trick,
      )
    }
  }
})

test('a longer purse buys more wallets: dust 48 with 0.1 SOL, holders that count 1, 17 and 170', () => {
  const wallets = (trick: TrickName, budget: number): number =>
    new Set(playedWith(trick, budget).added.map(({ user }) => user)).size
  assert.deepEqual([wallets('dust_holders', SOL / 10), wallets('dust_holders', SOL)], [48, 400])
  assert.deepEqual(
    [SOL / 10, SOL, 10 * SOL].map((budget) => wallets('counted_holders', budget)),
    [1, 17, 170],
  )
  for (const { slot } of playedWith('dust_holders', SOL).added) assert.ok(slot > CREATED && slot < EXIT)
})

test('split_bags and transfer_before_sale: new wallets have the bags before the exit, and sell', () => {
  for (const [trick, least] of [
    ['split_bags', 300],
    ['transfer_before_sale', 4],
  ] as const) {
    const { events, added } = playedWith(trick, SOL)
    const receivers = new Set(
      events.flatMap((event) =>
        event.kind === 'balance' && event.slot < EXIT && event.after > event.before && event.owner.startsWith('x-')
          ? [event.owner]
          : [],
      ),
    )
    assert.ok(receivers.size >= least, `${trick}: ${receivers.size}`)
    assert.ok(added.length >= least && added.every(({ isBuy, slot }) => !isBuy && slot > EXIT))
  }
  const moved = playedWith('transfer_before_sale', SOL)
  assert.equal(moved.trades.filter(({ user, isBuy }) => CREW.includes(user) && !isBuy).length, 0)
  const { tokenAmount } = moved.added.find(({ user }) => user === keyOf('x-0'))!
  assert.equal(tokenAmount, rug()[0]!.events.flatMap((event) => (event.kind === 'trade' ? [event.tokenAmount] : []))[0])
})

test('wash_volume: one wallet goes round, and ends with nothing but less money', () => {
  const { added, net } = playedWith('wash_volume', SOL)
  assert.deepEqual(new Set(added.map(({ user }) => user)), new Set([keyOf('x-0')]))
  const bought = added.reduce((sum, { isBuy, tokenAmount }) => sum + (isBuy ? tokenAmount : -tokenAmount), 0)
  assert.equal(bought, 0)
  assert.ok(added.length > 50 && net < usual.net)
})

test('sell_and_rebuy: others hold what the crew had, and leave when it would have', () => {
  const { trades, added } = playedWith('sell_and_rebuy', SOL)
  const sold = trades.filter(({ user, isBuy }) => CREW.includes(user) && !isBuy)
  assert.ok(sold.length === CREW.length && sold.every(({ slot }) => slot < EXIT))
  assert.deepEqual([added.filter(({ isBuy }) => isBuy).length, added.filter(({ isBuy }) => !isBuy).length], [4, 4])
})

test('borrowed_payers and false_tips: somebody else pays the fee, everybody tips for himself', () => {
  const borrowed = playedWith('borrowed_payers', 0).trades.filter(({ user }) => CREW.includes(user))
  assert.ok(borrowed.every(({ payer }) => payer?.startsWith('other-')))
  const { trades, net } = playedWith('false_tips', 0)
  assert.ok(trades.filter(({ user }) => CREW.includes(user)).every(({ tipper, user }) => tipper === user))
  assert.equal(usual.net - net, 2 * CREW.length * COMMON_TIP)
})

test('copied_image: the hash is another token’s', () => {
  const facts = playedWith('copied_image', 0).entries.flatMap((entry) => (entry.kind === 'facts' ? entry.facts : []))
  assert.deepEqual(facts, [{ ...means.image, mint: MINT }])
})

test('waiting: the crew comes when the first 200 slots are over', () => {
  const { trades } = playedWith('waiting', 0)
  const bought = trades.filter(({ user, isBuy }) => CREW.includes(user) && isBuy)
  assert.ok(bought.length === CREW.length && bought.every(({ slot }) => slot >= CREATED + 200 && slot < EXIT))
})

test('whole_curve: five wallets have all of it in the slot of the launch, and nobody else trades', () => {
  const { trades, added } = playedWith('whole_curve', 0)
  assert.equal(added.length, 5)
  assert.ok(added.every(({ slot }) => slot === CREATED))
  assert.equal(added.at(-1)!.realToken, 0)
  assert.equal(trades.at(-1)!.slot, CREATED)
})

test('sleeping_wallets: the exit comes an hour later, and something is traded until then', () => {
  const { changed, trades } = playedWith('sleeping_wallets', SOL)
  assert.equal(changed.exit, EXIT + 9_100)
  const sold = trades.filter(({ user, isBuy }) => CREW.includes(user) && !isBuy)
  assert.ok(sold.length === CREW.length && sold.every(({ slot }) => slot === EXIT + 9_100))
  assert.equal(trades.filter(({ slot }) => slot > EXIT && slot < EXIT + 9_100).length, 3)
})
