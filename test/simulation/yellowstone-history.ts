import assert from 'node:assert/strict'
import { key } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { PUMP, PUMP_FEES, PUMPSWAP, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { fetchedFromJson } from '@ti/service/source/shape/json.ts'
import { LAUNCHPADS } from '../fakes/yellowstone-chain.ts'
import { type Answer, addCalls, type Call } from '../support/answers.ts'
import { bytes, hex, join, keyOf, u8, u16, u32, u64 } from '../support/encode.ts'
import { accountsAt, event } from '../support/meteora.ts'
import fc from '../support/property.ts'
import { historyOf, moves } from '../support/token-histories.ts'

const TIME = u64(1_790_000_000)
const [pool, curve, creator, owner, admin] = [keyOf(940), keyOf(941), keyOf(942), keyOf(943), keyOf(944)]

/** What programs say of a token beside its trades: its creator, the owners of its fees, and its pool's liquidity. */
const SAYINGS: readonly ((mint: Key, user: Key) => readonly Call[])[] = [
  (mint) => {
    const payload = join(hex('ed347b25f5fb48d2'), TIME, ...[mint, curve, creator].map(bytes))
    return [{ call: [PUMP, [mint], hex('0011223344556677')], inner: [event(PUMP, payload)] }]
  },
  (mint) => {
    const owners = join(u32(2), bytes(owner), u16(7_500), bytes(creator), u16(2_500))
    const payload = join(hex('15bac4b85be4e1cb'), TIME, ...[mint, curve, admin].map(bytes), owners, u8(2))
    return [{ call: [PUMP, [mint], hex('0011223344556677')], inner: [event(PUMP_FEES, payload)] }]
  },
  (mint, user) => {
    const amounts = [10, 1, 1, 5, 5, 1_000, 200, 100, 20, 100].map(u64)
    const keys = [pool, user, keyOf(945), keyOf(946), keyOf(947)].map(bytes)
    const accounts = accountsAt(15, { 0: pool, 2: user, 3: mint, 4: WRAPPED_SOL })
    const payload = join(hex('78f83d531f8e6b90'), TIME, ...amounts, ...keys)
    return [{ call: [PUMPSWAP, accounts, hex('f223c68952e1f2b6')], inner: [event(PUMPSWAP, payload)] }]
  },
]

/**
 * Adds a token whose tokens move in every way there is, one transaction a block. Those that no market makes come with what a
 * launchpad says of the token, so that every endpoint's filter lets them through.
 */
export function withHistory(blocks: readonly RawBlock[]): RawBlock[] {
  const [history = []] = fc.sample(moves(true, 80), 1)
  const { mint, answers } = historyOf(history, 9)
  const plain = answers.filter((answer) => !isOfLaunchpad(answer))
  for (const [i, answer] of plain.entries()) {
    const user = key(answer.transaction.message.accountKeys[0]!)
    addCalls(answer, SAYINGS[i % SAYINGS.length]!(key(mint), user))
  }
  assert.ok(plain.length > 20 && answers.length < blocks.length, `${plain.length} of ${answers.length} transactions`)
  return blocks.map((block, i) => {
    const answer = answers[i]
    if (answer === undefined) return block
    const { transaction } = fetchedFromJson(answer, createCounts())!
    const index = (block.transactions.at(-1)?.index ?? -1) + 1
    return { ...block, transactions: [...block.transactions, { ...transaction, index }] }
  })
}

const isOfLaunchpad = ({ transaction }: Answer): boolean =>
  transaction.message.accountKeys.some((one) => LAUNCHPADS.includes(one))
