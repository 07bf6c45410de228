import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { key, keyFromBase58, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Trade } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import type { Rendered } from '@ti/core/query/query.ts'
import { command } from '../../simulation/service.ts'
import { isProgramsOwn, type NodeTransaction, signersOf } from '../../support/accounts.ts'
import { programsAmongPeople } from '../../support/ledger-judge.ts'
import { type Folded, foldMaterial } from './fold.ts'
import { DATA, listData, NO_DATA, readData } from './idl.ts'
import { judgeLife, lifeOf } from './lives.ts'

/** Inputs on which the reader was once wrong, through `capture import`, the fold and the answers of a user; each has the right answer. */
const CASES = 'real3/cases'

interface Case<Right> {
  readonly right: Right
  readonly cases: readonly NodeTransaction[]
}

const read = <Right>(name: string): Case<Right> => JSON.parse(readData(`${CASES}/${name}.json`)) as Case<Right>

async function fold<Right>(name: string): Promise<{ right: Right; folded: Folded; cases: readonly NodeTransaction[] }> {
  const { right, cases } = read<Right>(name)
  const folded = await foldMaterial([cases])
  assert.deepEqual(
    folded.report!.files.map(({ records, problem }) => ({ records, problem })),
    [{ records: cases.length, problem: null }],
  )
  return { right, folded, cases }
}

/** The files of a case that is a folder. */
const folder = (name: string): Map<string, string> =>
  new Map(listData(`${CASES}/${name}`).map((file) => [file, readData(`${CASES}/${name}/${file}`)]))

const parsed = <T>(answer: Rendered | null, what: string): T => {
  assert.ok(answer !== null, `${what} is not known`)
  return JSON.parse(answer.bytes.toString()) as T
}
const whoOf = ({ query }: Folded, mint: string) => parsed<Who>(query.who(mint), `who ${mint}`)
const tradesOf = ({ query }: Folded, mint: string) => parsed<readonly Trade[]>(query.trades(mint), `trades of ${mint}`)
const holdersOf = ({ holders }: Folded, mint: string) => Object.fromEntries(holders(key(mint)))

/** Launches in the record of a deployer; 0 if the address is none. */
const launchesOf = ({ query }: Folded, wallet: string): number => {
  const answer = query.deployer(wallet, 100, 0)
  return answer === null ? 0 : (JSON.parse(answer.summary.toString()) as { total_deployed: number }).total_deployed
}

/** Who the answers name as deployer of a token. */
const deployersOf = (folded: Folded, mint: string) => ({
  snapshot: folded.snapshot(key(mint)).meta!.deployer,
  who: whoOf(folded, mint).deployer?.wallet ?? null,
})

/** Whether any answer treats an address as a wallet: a trader, deployer or holder. */
const isPerson = (folded: Folded, address: string): boolean =>
  folded.store.walletIdByAddress(keyFromBase58(address)!) !== undefined

const tradeEvents = ({ events }: Folded): TradeEvent[] =>
  events.filter((event): event is TradeEvent => event.kind === 'trade')

describe('cases with a right answer', { skip: NO_DATA }, () => {
  test('named_creator: who signed the launch is its deployer, not whom it names', async () => {
    const { right, folded } = await fold<{ mint: string; deployer: string; named: string }>('named_creator')
    const { mint, deployer, named } = right
    assert.deepEqual(deployersOf(folded, mint), { snapshot: deployer, who: deployer })
    assert.equal(launchesOf(folded, deployer), 1)
    assert.equal(launchesOf(folded, named), 2, 'the two launches that the named one signed, and no third')
    assert.ok(JSON.stringify(whoOf(folded, mint)).includes(named), 'who names the creator beside the deployer')
  })

  test('holder_rewards: the address that collects for holders is nobody', async () => {
    const { right, folded } = await fold<{ mint: string; deployer: string; not: string; launches: number }>(
      'holder_rewards',
    )
    const { mint, deployer, launches } = right
    assert.deepEqual(deployersOf(folded, mint), { snapshot: deployer, who: deployer })
    assert.equal(launchesOf(folded, deployer), launches)
    assert.ok(isProgramsOwn(right.not))
    assert.equal(isPerson(folded, right.not), false, `${right.not} is a wallet`)
  })

  test('fee_sharing_first_sight: a trade does not say who launched', async () => {
    const { right, folded } = await fold<{ mint: string; deployer: null; not: string }>('fee_sharing_first_sight')
    assert.deepEqual(deployersOf(folded, right.mint), { snapshot: null, who: null })
    assert.ok(isProgramsOwn(right.not))
    assert.equal(isPerson(folded, right.not), false, `${right.not} is a wallet`)
  })

  test('multi_hop_exact: the coin in the middle moves in its market, not in the wallet', async () => {
    interface Right {
      readonly user: string
      readonly A: string
      readonly B: string
      readonly A_held_before_and_after: number
      readonly B_held: number
      readonly A_bought_by_hop: number
      readonly sol_spent_in_hop: number
    }
    const { right, folded, cases } = await fold<Right>('multi_hop_exact')
    const { user, A, B } = right
    assert.deepEqual(holdersOf(folded, A), { [user]: right.A_held_before_and_after })
    assert.deepEqual(holdersOf(folded, B), { [user]: right.B_held })
    const route = cases.at(-1)!.transaction.signatures[0]
    const bought = tradesOf(folded, A).filter((row) => row.user_address === user && row.is_buy)
    assert.deepEqual(
      bought.map(({ signature, token_amount }) => [signature === route, token_amount]),
      [[false, right.A_held_before_and_after / 1e6]],
      'the route is no purchase of A by the user',
    )
    const hop = tradeEvents(folded).filter(({ mint, sig }) => keyToBase58(mint) === A && sigToBase58(sig) === route)
    assert.deepEqual(
      hop.map(({ tokenAmount }) => tokenAmount),
      [right.A_bought_by_hop],
      'the market of A saw it',
    )
    const paid = whoOf(folded, B).holders.top.find(({ wallet }) => wallet === user)?.paid_sol
    assert.ok(paid !== undefined && Math.abs(paid / right.sol_spent_in_hop - 1) < 0.02, `paid ${paid} SOL for B`)
  })

  test('shared_accounts: buyers through an aggregator are four strangers', async () => {
    const { right, folded } = await fold<{
      mint: string
      buyers: Record<string, number>
      insiders: string[]
    }>('shared_accounts')
    const { mint, buyers } = right
    assert.deepEqual(holdersOf(folded, mint), buyers)
    const rows = tradesOf(folded, mint).map((row) => [row.user_address, row.is_buy, row.token_amount * 1e6])
    const due = Object.entries(buyers).map(([buyer, tokens]) => [buyer, true, tokens])
    assert.deepEqual(rows.sort(), due.sort(), 'each bought once')
    const { classes, groups, holders } = whoOf(folded, mint)
    const insiders = holders.top.filter(({ tags }) => tags.includes('insider')).map(({ wallet }) => wallet)
    assert.deepEqual(insiders, right.insiders)
    assert.equal(classes.insiders?.peak_pct ?? 0, 0, 'insiders’ share of supply')
    assert.deepEqual(
      groups.filter(({ confirmed }) => confirmed),
      [],
    )
  })

  test('r5_reversed: a pool whose base is SOL', async () => {
    const { right, folded } = await fold<{ trades: number; side: string; token: number; sol: number }>('r5_reversed')
    const rows = tradeEvents(folded).map(({ isBuy, tokenAmount, userQuote }) => ({
      side: isBuy ? 'buy' : 'sell',
      token: tokenAmount,
      sol: userQuote,
    }))
    const { side, token, sol } = right
    assert.deepEqual(rows, new Array(right.trades).fill({ side, token, sol }))
    assert.equal(folded.engine.globals.nextTrade, right.trades)
  })

  for (const name of ['r18_two_swaps', 'r197_grown_40', 'r34_cashback_not_applied', 'r83_launchlab_router'])
    test(`${name}: each trade once, with what it cost`, async () => {
      const { right, folded } = await fold<{ trades: number; tokens: number[]; quote: number[] }>(name)
      const rows = tradeEvents(folded)
      assert.deepEqual(
        rows.map(({ tokenAmount, userQuote }) => [tokenAmount, userQuote]),
        right.tokens.map((tokens, i) => [tokens, right.quote[i]]),
      )
      assert.equal(folded.engine.globals.nextTrade, right.trades)
      assert.deepEqual([...folded.counts], [], 'nothing was left out')
    })

  test('bought_for_other: what a buyer held stays when he buys for another', async () => {
    const files = folder('bought_for_other')
    const { right } = JSON.parse(files.get('right.right.json')!) as {
      right: { mint: string; holders: Record<string, string> }
    }
    const steps = [...files].filter(([name]) => /^\d+_/.test(name)).map(([, text]) => JSON.parse(text) as object)
    const folded = await foldMaterial([steps])
    const due = Object.entries(right.holders).map(([owner, amount]) => [owner, Number(amount)])
    assert.deepEqual(holdersOf(folded, right.mint), Object.fromEntries(due))
  })

  for (const name of ['dbc_9_decimals', 'dbc_transfer_hook'])
    test(`${name}: each transaction is what the accounts say`, async () => {
      const { wrong } = await judgeLife(lifeOf(name, folder(name)))
      assert.equal(wrong.join('\n'), '')
    })

  test('nobody is a person who cannot sign', async () => {
    const wrong: string[] = []
    for (const name of listData(CASES)) {
      const files = name.endsWith('.json') ? null : folder(name)
      const steps =
        files === null
          ? [...read(name.slice(0, -5)).cases]
          : [...files].flatMap(([file, text]) => (/^\d+_/.test(file) ? (JSON.parse(text) as NodeTransaction) : []))
      // keys that cases made up cannot sign either, but did
      const signed = new Set(steps.flatMap(signersOf))
      wrong.push(...programsAmongPeople(await foldMaterial([steps]), signed).map((who) => `${name} ${who}`))
    }
    assert.equal(wrong.join('\n'), '')
  })

  test('every case is judged', () => {
    const judged = [
      ...['bought_for_other', 'dbc_9_decimals', 'dbc_transfer_hook', 'fee_sharing_first_sight', 'holder_rewards'],
      ...['multi_hop_exact', 'named_creator', 'r18_two_swaps', 'r197_grown_40', 'r34_cashback_not_applied'],
      ...['r5_reversed', 'r83_launchlab_router', 'shared_accounts'],
    ]
    assert.deepEqual(
      listData(CASES).map((name) => name.replace(/\.json$/, '')),
      judged,
    )
  })

  test('the commands answer the same', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cases-'))
    try {
      const { mint, deployer } = read<{ mint: string; deployer: string }>('named_creator').right
      const out = join(dir, 'out.capture')
      await command('capture', 'import', join(DATA, CASES, 'named_creator.json'), out, '--sol-usd', '150')
      const snapshot = JSON.parse(await command('replay', out, '--snapshot', mint)) as { meta: { deployer: string } }
      assert.equal(snapshot.meta.deployer, deployer)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
