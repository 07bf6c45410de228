import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { METEORA_DBC_AUTHORITY } from '@ti/core/model/programs.ts'
import { playLife, type Step } from '@ti/lab/life/life.ts'
import { TOKEN_DRIVER } from '@ti/lab/life/token-driver.ts'
import { foldMaterial } from '../conformance/bytes/fold.ts'
import { createAccountLedger, type NodeTransaction } from '../support/accounts.ts'
import { type Answer, addCalls, changeOf } from '../support/answers.ts'
import { seeds } from '../support/chance.ts'
import { createDbcMarket } from '../support/dbc-market.ts'
import { ledgerDifferences, sumOf } from '../support/ledger-judge.ts'

/**
 * Random lives on the real token programs: gifts, burns, closed and second accounts, delegated transfers, transfer fees, accounts
 * that change hands, purchases for others. After each transaction the ledger has what the accounts of the programs have. The token
 * programs know no markets, so events of a launchpad are added to the transactions in which tokens leave or reach the market.
 */
interface Expected {
  readonly label: string
  readonly what: string
  readonly mint: string
  readonly market: string
  readonly supply: string
  readonly held: Readonly<Record<string, string>>
}

const AUTHORITY = keyToBase58(METEORA_DBC_AUTHORITY)
const expectedOf = ({ expected }: Step) => expected as unknown as Expected

/** Makes the wallet `market` the launchpad's vault, whose events say what was traded. */
function dressed(steps: readonly Step[]): Answer[] {
  const { mint, market, supply } = expectedOf(steps[0]!)
  const dbc = createDbcMarket(key(mint), BigInt(supply))
  return steps.map((step) => {
    const tx = structuredClone(step.answer) as unknown as Answer
    const { what } = expectedOf(step)
    const [payer = ''] = tx.transaction.message.accountKeys
    if (what === 'create') addCalls(tx, [dbc.launch(key(payer))])
    else if (what === 'sell') addCalls(tx, [dbc.trade(key(payer), false, -changeOf(tx, payer))])
    else if (/^buy/.test(what)) addCalls(tx, [dbc.trade(key(payer), true, -changeOf(tx, market))])
    for (const row of [...tx.meta.preTokenBalances, ...tx.meta.postTokenBalances])
      if (row.owner === market) row.owner = AUTHORITY
    return tx
  })
}

for (const seed of seeds(40))
  test(`the ledger has what the accounts have, seed ${seed}`, async () => {
    const steps = await playLife(TOKEN_DRIVER, { seed, steps: 60, programs: null })
    const expected = steps.map(expectedOf)
    const { mint, supply, market } = expected[0]!
    const issued = BigInt(supply)
    const ledger = createAccountLedger()
    for (const [i, { answer }] of steps.entries()) {
      const { label, held } = expected[i]!
      ledger.apply(answer as unknown as NodeTransaction)
      const rows = [...ledger.held(mint)].map(([owner, amount]) => [owner, String(amount)])
      assert.deepEqual(Object.fromEntries(rows), held, `${label}: the rows of the node`)
      assert.equal(ledger.burned(mint), issued - sumOf(ledger.held(mint).values()), `${label}: burned`)
    }
    assert.equal(ledger.unseen(mint), 0n)

    const answers = dressed(steps)
    const { decimals } = answers[0]!.meta.postTokenBalances[0]!.uiTokenAmount
    // what follows the first step that is wrong follows from it
    let wrong: string[] = []
    let at = 0
    await foldMaterial([answers], 150, (entry, folded) => {
      if (entry.kind !== 'block') return
      const due = expected[at++]!
      if (wrong.length > 0) return
      const held = new Map(
        Object.entries(due.held).map(([owner, amount]) => [owner === market ? AUTHORITY : owner, BigInt(amount)]),
      )
      const burned = issued - sumOf(held.values())
      const found = ledgerDifferences(folded, { mint, decimals, issued, held, market: [AUTHORITY], burned })
      wrong = found.map((line) => `${due.label} ${line}`)
    })
    assert.equal(at, steps.length)
    assert.notEqual(expected.at(-1)!.held[market], supply, 'tokens left the market')
    assert.equal(wrong.join('\n'), '')
  })
