import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { METEORA_DBC_AUTHORITY } from '@ti/core/model/programs.ts'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { fetchedFromJson } from '@ti/service/source/shape/json.ts'
import { foldEntries } from '../conformance/bytes/fold.ts'
import { createAccountLedger } from '../support/accounts.ts'
import type { Answer } from '../support/answers.ts'
import { runs } from '../support/chance.ts'
import { ledgerDifferences } from '../support/ledger-judge.ts'
import fc from '../support/property.ts'
import { historyOf, type Move, moves } from '../support/token-histories.ts'

/** Decodes answers as a node gives them, and takes the entries through the log's bytes. */
function entriesOf(answers: readonly Answer[]): LogEntry[] {
  const decoder = createDecoder({ resolvePool: () => undefined })
  const counts = createCounts()
  return answers.map((answer, seq) => {
    const { slot, time, transaction } = fetchedFromJson(answer, counts)!
    const entry = decoder.decodeBlock({ slot, parent: slot - 1, time, transactions: [transaction] })
    return decodeEntry(seq, encodeEntry(entry))
  })
}

const MARKET = [keyToBase58(METEORA_DBC_AUTHORITY)]

/** What differs after the first transaction that the ledger gets wrong. */
function firstDifference(history: readonly Move[], decimals: 6 | 9): string {
  const { mint, issued, answers } = historyOf(history, decimals)
  const ledger = createAccountLedger()
  let at = 0
  let found = ''
  foldEntries(entriesOf(answers), createCounts(), null, (_, folded) => {
    ledger.apply(answers[at++]!)
    if (found !== '') return
    const truth = { mint, decimals, issued, held: ledger.held(mint), market: MARKET, burned: ledger.burned(mint) }
    const wrong = ledgerDifferences(folded, truth)
    if (wrong.length > 0) found = `transaction ${at - 1} of ${answers.length}: ${wrong.join('; ')}`
  })
  return found
}

for (const decimals of [6, 9] as const)
  test(`no token is made or lost: ${decimals} decimals, every movement seen`, () => {
    fc.assert(
      fc.property(moves(true), (history) => assert.equal(firstDifference(history, decimals), '')),
      { numRuns: runs(400), includeErrorInReport: true },
    )
  })

test('what moved unseen is taken from the accounts when they are seen again', () => {
  fc.assert(
    fc.property(moves(false), (history) => assert.equal(firstDifference(history, 6), '')),
    { numRuns: runs(400), includeErrorInReport: true },
  )
})
