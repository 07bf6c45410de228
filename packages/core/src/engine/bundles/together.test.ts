import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket, MARKET, type Market } from '../../../../../test/support/bundles-market.ts'
import { areTogether, buy, groupOf, LATER, play, sell, weightOf } from '../../../../../test/support/bundles-scenes.ts'
import { BUNDLES } from '../constants.ts'

/** One percent of supply, base units. */
const PERCENT = MARKET.supply / 100

/** Wallets 1… buy in one slot in transactions with these indexes; wallets in `tips` pay tips of their own. */
function side(txs: readonly number[], tips: readonly number[]): Market {
  const slot = LATER
  return play({}, ...txs.map((tx, i) => buy(i + 1, { slot, tx, tipper: tips.includes(i + 1) ? i + 1 : -1 })))
}

test('bundle: side by side with the tip in the last one', () => {
  assert.deepEqual([...groupOf(side([5, 6, 7], [3]), 3)!.members].sort(), [1, 2, 3])
  assert.equal(weightOf(side([5, 6, 7], [3]), 'jito', 2, 3), 0.95)
})

test('bundle: two may stand side by side by chance', () => {
  assert.equal(weightOf(side([5, 6], [2]), 'jito'), 0.5)
  assert.ok(!areTogether(side([5, 6], [2]), 1, 2))
})

/** The history of wallet `id` on other tokens: mints bought, and bundled trades out of ten. */
interface Known {
  readonly id: number
  readonly mintsBought: number
  readonly bundled: number
}

/**
 * A launch followed by wallets 2…, `apart` transactions from each other, of which the last pays a tip if `tips`.
 * Everyone buys `share` percent of supply.
 */
function sniped(
  { id, mintsBought, bundled }: Known,
  { wallets = 3, share = 0.1, tips = true, apart = 1, otherMints = MARKET.otherMints } = {},
): Market {
  const { createdSlot: slot } = MARKET
  const market = createMarket({ ...MARKET, deployer: 1, otherMints })
  market.apply({ kind: 'history', slot: 1, wallet: id, mintsBought, trades: 10, bundled })
  for (let wallet = 1; wallet <= wallets; wallet++) {
    const tipper = tips && wallet === wallets ? wallet : -1
    // distinct amounts, because similar ones are evidence
    const amounts = { tokens: share * PERCENT, paid: wallet * 1e9 + 1, lamports: wallet * 2e9 + 1 }
    market.apply(buy(wallet, { slot, tx: wallet * apart, ...amounts, tipper }))
  }
  return market
}

test('two snipers side by side behind a launch are strangers where one of them trades on its own, whoever tips', () => {
  const mintsBought = BUNDLES.ownMints - 1
  for (const id of [2, 3]) {
    for (const share of [0.1, 3]) {
      checkStrangers(sniped({ id, mintsBought, bundled: 2 }, { share }))
    }
    assert.equal(weightOf(sniped({ id, mintsBought, bundled: 2 }, { tips: false }), 'block_entry', 2, 3), 0)
  }
})

function checkStrangers(market: Market): void {
  assert.equal(weightOf(market, 'jito', 2, 3), 0.5)
  assert.equal(weightOf(market, 'block_entry', 2, 3), 0)
  for (const [a, b] of [[1, 2] as const, [1, 3] as const, [2, 3] as const]) assert.ok(!areTogether(market, a, b))
}

test('nobody is known where few tokens are', () => {
  const unknown = { id: 3, mintsBought: 0, bundled: 0 }
  checkStrangers(sniped(unknown, { otherMints: BUNDLES.ownTokens - 2 }))
  assert.equal(weightOf(sniped(unknown, { otherMints: BUNDLES.ownTokens - 1 }), 'jito', 2, 3), 0.95)
})

test('they are a group where nobody knows them, where the known one is mostly of groups, and where that is who launches', () => {
  const mintsBought = BUNDLES.ownMints - 1
  const groups = [
    { id: 3, mintsBought: mintsBought - 1, bundled: 0 },
    { id: 3, mintsBought, bundled: 3 },
    { id: 1, mintsBought: 50, bundled: 0 },
  ]
  for (const known of groups) {
    const market = sniped(known)
    assert.deepEqual([...groupOf(market, 3)!.members].sort(), [1, 2, 3])
    assert.equal(weightOf(market, 'jito', 2, 3), 0.95)
    assert.equal(weightOf(sniped(known, { tips: false }), 'block_entry', 2, 3), 0.95)
  }
})

test('four side by side, and a fifth of supply, are no chance whoever is among them', () => {
  const known = { id: 3, mintsBought: 50, bundled: 0 }
  assert.deepEqual([...groupOf(sniped(known, { wallets: 4 }), 4)!.members].sort(), [1, 2, 3, 4])
  assert.equal(weightOf(sniped(known, { share: 9.9 }), 'block_entry', 2, 3), 0)
  assert.equal(weightOf(sniped(known, { share: 10 }), 'block_entry', 2, 3), 0.95)
})

test('one-block entry: where a twentieth of supply is enough, who launches is none of the three', () => {
  const unknown = { id: 3, mintsBought: 0, bundled: 0 }
  const weight = (wallets: number, share: number): number =>
    weightOf(sniped(unknown, { wallets, share, apart: 2 }), 'block_entry', 2, 3)
  assert.equal(weight(3, 9.9), 0)
  assert.equal(weight(3, 10), 0.95)
  assert.equal(weightOf(sniped(unknown, { wallets: 4, share: 1.6, apart: 2 }), 'block_entry', 2, 4), 0)
  assert.equal(weightOf(sniped(unknown, { wallets: 4, share: 1.7, apart: 2 }), 'block_entry', 2, 4), 0.95)
})

test('bundle: where blocks are full of what is followed here, three stand side by side by chance too', () => {
  const three = [5, 6, 7].map((tx, i) => buy(i + 1, { slot: LATER, tx, tipper: i === 2 ? 3 : -1 }))
  assert.equal(weightOf(play({ sparse: false }, ...three), 'jito', 2, 3), 0.5)
})

test('bundle: it ends at a gap, at an earlier tip, and without a tip there is none', () => {
  assert.equal(weightOf(side([4, 6, 7], [3]), 'jito', 1, 3), 0)
  assert.equal(weightOf(side([5, 6, 7], [1, 3]), 'jito', 1, 3), 0)
  assert.equal(weightOf(side([5, 6, 7], [1, 3]), 'jito', 2, 3), 0.5)
  assert.equal(weightOf(side([5, 6, 7], []), 'jito', 2, 3), 0)
})

test('one-block entry: three wallets take a good part of supply a few transactions apart', () => {
  const take = (bags: readonly number[], txs: readonly number[], sparse = true): Market =>
    play({ sparse }, ...bags.map((bag, i) => buy(i + 1, { slot: LATER, tx: txs[i]!, tokens: bag * PERCENT })))
  assert.deepEqual([...groupOf(take([30, 5, 5], [1, 5, 9]), 3)!.members].sort(), [1, 2, 3])
  assert.equal(weightOf(take([30, 5, 5], [1, 5, 9]), 'block_entry', 1, 3), 0.95)
  assert.equal(weightOf(take([30, 2.5, 2.5], [1, 5, 9]), 'block_entry', 1, 3), 0.95)
  assert.equal(weightOf(take([30, 2.5, 2.4], [1, 5, 9]), 'block_entry', 1, 3), 0)
  assert.equal(weightOf(take([30, 10, 10], [1, 5, 9], false), 'block_entry', 1, 3), 0.95)
  assert.equal(weightOf(take([30, 10, 9.9], [1, 5, 9], false), 'block_entry', 1, 3), 0)
  assert.equal(weightOf(take([30, 5, 5], [1, 5, 10]), 'block_entry', 1, 3), 0)
  assert.equal(weightOf(take([30, 30], [1, 5]), 'block_entry'), 0)
})

test('one-block entry: it ends with a tip, and who tips for itself came alone', () => {
  /** Five wallets buy 5 % of supply each, four transactions apart; those in `tips` pay one. */
  const five = (
    tips: readonly number[],
    txs: readonly number[] = [1, 5, 9, 13, 17],
    by = (own: number) => own,
  ): Market =>
    play(
      {},
      ...txs.map((tx, i) =>
        buy(i + 1, { slot: LATER, tx, tokens: 5 * PERCENT, tipper: tips.includes(i) ? by(i + 1) : -1 }),
      ),
    )
  const weights = (market: Market, of: number): number[] =>
    [1, 2, 3, 4].map((wallet) => weightOf(market, 'block_entry', wallet, of))
  assert.deepEqual(weights(five([4]), 5), [0.95, 0.95, 0.95, 0.95])
  assert.deepEqual(weights(five([2]), 3).slice(0, 2), [0.95, 0.95], 'the tip of the last one')
  assert.deepEqual(weights(five([2]), 5), [0, 0, 0, 0], 'two behind it')
  assert.deepEqual(weights(five([0]), 5), [0, 0.95, 0.95, 0.95])
  assert.deepEqual(weights(five([3, 4]), 5), [0, 0, 0, 0])
  const all = [0, 1, 2, 3, 4]
  assert.deepEqual(weights(five(all), 5), [0, 0, 0, 0])
  assert.deepEqual(
    weights(
      five(all, [1, 5, 9, 13, 17], () => 2),
      5,
    ),
    [0.95, 0.95, 0.95, 0.95],
    'one pays for all',
  )
  const sameTransaction = five([2, 3, 4], [1, 5, 9, 9, 9])
  assert.deepEqual(weights(sameTransaction, 5).slice(0, 2), [0.95, 0.95], 'the tip is of its own transaction')
})

test('one-block entry: three wallets side by side in the slot of the creation, where strangers would stand between', () => {
  const three = (slot: number, txs: readonly number[], sparse = true, tipper = -1): Market =>
    play({ sparse }, ...txs.map((tx, i) => buy(i + 1, { slot, tx, tokens: PERCENT / 10, tipper: i < 2 ? tipper : -1 })))
  const { createdSlot } = MARKET
  assert.equal(weightOf(three(createdSlot, [1, 2, 3]), 'block_entry', 1, 3), 0.95)
  assert.equal(weightOf(three(createdSlot, [1, 2]), 'block_entry'), 0)
  assert.equal(weightOf(three(createdSlot, [1, 2, 4]), 'block_entry', 1, 3), 0)
  assert.equal(weightOf(three(createdSlot, [1, 2, 3], false), 'block_entry', 1, 3), 0)
  assert.equal(weightOf(three(createdSlot + 1, [1, 2, 3]), 'block_entry', 1, 3), 0)
  assert.equal(
    weightOf(three(createdSlot, [1, 2, 3], true, 9), 'block_entry', 1, 3),
    0,
    'who tips for itself came alone',
  )
})

/** Three wallets buy `apart` slots from each other; each sells `parts` of its bag (percent of supply) at its slot. */
function exit(bags: readonly number[], slots: readonly number[], parts = 1, apart = 2): Market {
  const came = bags.map((bag, i) => buy(i + 1, { slot: LATER + apart * i, tx: 99 * i, tokens: bag * PERCENT }))
  const market = play({}, ...came)
  for (const [i, bag] of bags.entries()) {
    market.apply(sell(i + 1, { slot: LATER + 1_000 + slots[i]!, tx: 9 * i, tokens: bag * PERCENT * parts }))
  }
  return market
}

test('one-block exit: three wallets sell all within two slots, a good part of supply beside the largest', () => {
  assert.deepEqual([...groupOf(exit([1, 1, 0.5], [0, 1, 2]), 3)!.members].sort(), [1, 2, 3])
  assert.equal(weightOf(exit([1, 1, 0.5], [0, 1, 2]), 'block_exit', 1, 3), 0.95)
  assert.equal(weightOf(exit([9, 0.25, 0.25], [0, 0, 0]), 'block_exit', 1, 3), 0.95)
  assert.equal(weightOf(exit([9, 0.25, 0.24], [0, 0, 0]), 'block_exit', 1, 3), 0, 'one wallet and its followers')
})

test('one-block exit: not over three slots, not by two, not where a fifth is kept', () => {
  assert.equal(weightOf(exit([1, 1, 1], [0, 1, 3]), 'block_exit', 1, 3), 0)
  assert.equal(weightOf(exit([1, 1, 1], [0, 1, 3]), 'block_exit', 2, 3), 0)
  assert.equal(weightOf(exit([2, 2], [0, 0]), 'block_exit'), 0)
  assert.equal(weightOf(exit([1, 1, 1], [0, 0, 0], 0.8), 'block_exit', 1, 3), 0)
  assert.equal(weightOf(exit([1, 1, 1], [0, 0, 0], 0.9), 'block_exit', 1, 3), 0.95)
})

test('one-block exit: in a crash everybody leaves; those who came together are one group', () => {
  assert.equal(weightOf(exit([1, 1, 1], [0, 1, 1], 1, 15), 'block_exit', 1, 3), 0.95)
  const late = '32 slots between the first and the last'
  assert.equal(weightOf(exit([1, 1, 1], [0, 1, 1], 1, 16), 'block_exit', 1, 3), 0, late)
  assert.equal(weightOf(exit([1, 1, 1], [0, 1, 1], 1, 100), 'block_exit', 2, 3), 0)
  assert.equal(weightOf(exit([1, 1, 0.099], [0, 0, 0]), 'block_exit', 1, 3), 0, 'dust')
  assert.equal(weightOf(exit([1, 1, 0.1], [0, 0, 0]), 'block_exit', 1, 3), 0.95)
})

test('one-block exit: those who leave before anybody could have seen it are one group, wherever they came from', () => {
  assert.equal(weightOf(exit([1, 1, 1], [0, 0, 0], 1, 100), 'block_exit', 1, 3), 0.95)
  assert.equal(weightOf(exit([9, 1, 1, 1], [0, 1, 1, 1], 1, 100), 'block_exit', 2, 4), 0, 'they saw the first go')
})

test('one-block exit: those who were given what they sell are alike, and unlike who bought', () => {
  const ids = [1, 2, 3]
  /** Wallets that were given tokens leave `apart` slots after each other. */
  const given = (buyers: readonly number[], apart: number): Market => {
    const market = createMarket()
    market.apply(buy(9, { slot: LATER, tokens: 10 * PERCENT }))
    for (const id of ids) {
      const at = { slot: LATER + 100 * id, tx: 1 }
      if (buyers.includes(id)) market.apply(buy(id, { ...at, tokens: PERCENT }))
      else market.apply({ kind: 'transfer', mint: 0, ...at, from: 9, to: id, tokens: PERCENT })
    }
    for (const id of ids) market.apply(sell(id, { slot: LATER + 1_000 + apart * id, tx: 9 * id, tokens: PERCENT }))
    return market
  }
  assert.equal(weightOf(given([], 1), 'block_exit', 1, 3), 0.95)
  assert.equal(weightOf(given([2], 1), 'block_exit', 1, 3), 0)
})

test('one-block exit: who came a moment ago leaves by what all see', () => {
  const after = (slots: number): Market => {
    const ids = [1, 2, 3]
    const came = ids.map((id) => buy(id, { slot: LATER, tx: 9 * id, tokens: PERCENT }))
    return play({}, ...came, ...ids.map((id) => sell(id, { slot: LATER + slots, tx: 9 * id, tokens: PERCENT })))
  }
  assert.equal(weightOf(after(24), 'block_exit', 1, 3), 0)
  assert.equal(weightOf(after(25), 'block_exit', 1, 3), 0.95)
})

test('one-block exit: who came half a minute ago may follow what it sees, and leaves with its own slot alone', () => {
  const after = (slots: readonly number[]): Market => {
    const came = slots.map((_, i) => buy(i + 1, { slot: LATER, tx: 9 * i, tokens: PERCENT }))
    const left = slots.map((slot, i) => sell(i + 1, { slot: LATER + slot, tx: 9 * i, tokens: PERCENT }))
    return play({}, ...came, ...left)
  }
  assert.equal(weightOf(after([73, 73, 74]), 'block_exit', 1, 3), 0)
  assert.equal(weightOf(after([73, 73, 73]), 'block_exit', 1, 3), 0.95)
  assert.equal(weightOf(after([73, 74, 75]), 'block_exit', 1, 3), 0.95)
})

/** Three wallets of two percent each leave at once; the third has sold `before` thousandths of its bag earlier. */
function inParts(before: number): Market {
  const [ids, bag, part] = [[1, 2, 3], 2 * PERCENT, (2 * PERCENT * before) / 1_000]
  return play(
    {},
    ...ids.map((id) => buy(id, { slot: LATER, tx: 9 * id, tokens: bag })),
    ...(before > 0 ? [sell(3, { slot: LATER + 500, tokens: part })] : []),
    ...ids.map((id) => sell(id, { slot: LATER + 1_000, tx: 9 * id, tokens: id === 3 ? bag - part : bag })),
  )
}

test('one-block exit: who sells in parts goes by a plan of its own', () => {
  for (const [before, weight] of [
    [0, 0.95],
    [100, 0.95],
    [101, 0],
    [500, 0],
  ] as const)
    assert.equal(weightOf(inParts(before), 'block_exit', 1, 3), weight, `${before} thousandths before`)
})

/** Five wallets enter `apart` slots after each other, and leave at the same intervals later. */
function exodus(apart: number, held: number, wallets = 5): Market {
  const ids = Array.from({ length: wallets }, (_, i) => i)
  return play(
    {},
    ...ids.map((i) => buy(i + 1, { slot: LATER + apart * i, tokens: PERCENT })),
    ...ids.map((i) => sell(i + 1, { slot: LATER + held + apart * i, tokens: PERCENT })),
  )
}

test('exodus: five that came together are out within a minute, and stayed until then', () => {
  assert.deepEqual([...groupOf(exodus(7, 300), 5)!.members].sort(), [1, 2, 3, 4, 5])
  assert.equal(groupOf(exodus(7, 149), 5), null, 'a minute is no stay')
  assert.equal(groupOf(exodus(8, 300), 5), null, 'they did not come together')
  assert.equal(groupOf(exodus(7, 300, 4), 4), null)
})

test('exodus: who sold most of it before is not out with the others', () => {
  /** The first of five sells `before` thousandths of its bag 100 slots before the others leave. */
  const after = (before: number): Market => {
    const ids = [1, 2, 3, 4, 5]
    const part = (PERCENT * before) / 1_000
    return play(
      {},
      ...ids.map((id) => buy(id, { slot: LATER, tx: 9 * id, tokens: PERCENT })),
      ...(before > 0 ? [sell(1, { slot: LATER + 200, tokens: part })] : []),
      ...ids.map((id) => sell(id, { slot: LATER + 300 + 4 * id, tokens: id === 1 ? PERCENT - part : PERCENT })),
    )
  }
  assert.equal(weightOf(after(0), 'exodus', 1, 5), 0.95)
  assert.equal(weightOf(after(100), 'exodus', 1, 5), 0.95)
  assert.equal(weightOf(after(101), 'exodus', 1, 5), 0)
  assert.equal(weightOf(after(101), 'exodus', 2, 5), 0, 'four are few')
})

test('consolidation: three bags sent whole to one wallet', () => {
  const market = createMarket()
  for (const [i, part] of [0.89, 0.9, 1, 1].entries()) {
    market.apply(buy(i + 1, { slot: LATER + 100 * i, tokens: PERCENT }))
    const at = { slot: LATER + 100 * i + 50, tx: 1, from: i + 1, to: 9, tokens: part * PERCENT }
    market.apply({ kind: 'transfer', mint: 0, ...at })
    assert.equal(groupOf(market, 9) === null, i < 3)
  }
  assert.deepEqual([...groupOf(market, 9)!.members].sort(), [2, 3, 4, 9])
})

/** Wallets 1… buy these base units and hold; wallet 9 buys `own` and sells that and `sold` more, in two parts. */
function gathered(bags: readonly number[], sold: number, own = 0): Market {
  const came = bags.map((tokens, i) => buy(i + 1, { slot: LATER + 100 * i, tokens }))
  const market = play({}, ...came)
  if (own > 0) market.apply(buy(9, { slot: LATER + 900, tokens: own }))
  for (const [i, tokens] of [PERCENT / 10, own + sold - PERCENT / 10].entries()) {
    market.apply(sell(9, { slot: LATER + 1_000 + 100 * i, tokens }))
  }
  return market
}

test('consolidation nobody saw: what one sold beyond what it had is to the unit what three others had', () => {
  const bags = [PERCENT + 1, 2 * PERCENT + 3, 4 * PERCENT + 7, 3 * PERCENT + 11]
  const three = 7 * PERCENT + 11
  assert.deepEqual([...groupOf(gathered(bags, three), 9)!.members].sort(), [1, 2, 3, 9])
  assert.deepEqual([...groupOf(gathered(bags, three, PERCENT + 5), 9)!.members].sort(), [1, 2, 3, 9], 'it also bought')
  assert.equal(weightOf(gathered(bags, three), 'consolidation', 1, 9), 0.95)
  assert.equal(groupOf(gathered(bags, three + 1), 9), null, 'one unit more is nobody’s sum')
  assert.equal(groupOf(gathered(bags, 3 * PERCENT + 4), 9), null, 'two are few')
})

test('consolidation nobody saw: bags that many may have prove nothing, nor do traces', () => {
  assert.equal(groupOf(gathered([PERCENT, 2 * PERCENT, 4 * PERCENT], 7 * PERCENT), 9), null, 'round')
  const twins = [PERCENT + 1, PERCENT + 1, 2 * PERCENT + 3, 4 * PERCENT + 7]
  assert.equal(groupOf(gathered(twins, 7 * PERCENT + 11), 9), null, 'which of the two was it?')
  const traces = [PERCENT / 10 + 1, PERCENT / 10 + 2, PERCENT / 10 + 4]
  assert.equal(groupOf(gathered(traces, (3 * PERCENT) / 10 + 7), 9), null, 'less than half a percent')
})

test('consolidation nobody saw: of many bags the largest are tried', () => {
  const bags = Array.from({ length: 30 }, (_, i) => PERCENT - 7 * i * i * i - 1)
  const sold = (places: readonly number[]): Market => {
    const market = play({}, ...bags.map((tokens, i) => buy(i + 20, { slot: LATER + i, tokens })))
    const tokens = places.reduce((sum, at) => sum + bags[at]!, 0)
    market.apply(sell(9, { slot: LATER + 900, tokens }))
    return market
  }
  assert.deepEqual([...groupOf(sold([0, 10, 23]), 9)!.members].sort(), [20, 30, 43, 9])
  assert.equal(groupOf(sold([0, 10, 24]), 9), null)
})

/** Of 10,000 counted budgets `times` were 77; wallets 1… buy with it, far apart. */
function budgeted(wallets: number, times: number, all = 10_000): Market {
  const budgets = { all, common: new Map([[77, times]]) }
  return play(
    { budgets },
    ...Array.from({ length: wallets }, (_, i) => buy(i + 1, { slot: LATER + 100 * i, budget: 77 })),
  )
}

test('budget: an uncommon one ties, three wallets decisively', () => {
  assert.equal(weightOf(budgeted(2, 3), 'budget'), 0.6)
  assert.equal(weightOf(budgeted(3, 3), 'budget', 1, 3), 0.95)
  assert.ok(areTogether(budgeted(3, 3), 1, 3))
})

test('budget: what many use tells nothing, nor anything before enough were counted', () => {
  assert.equal(weightOf(budgeted(3, 30), 'budget'), 0.6)
  assert.equal(weightOf(budgeted(3, 31), 'budget'), 0)
  assert.equal(weightOf(budgeted(3, 0, 2_998), 'budget', 1, 3), 0)
})
