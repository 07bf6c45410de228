import { isOnCurve } from '@ti/core/base/curve.ts'
import { type Key, type Sig, ZERO_KEY } from '@ti/core/base/ids.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawBlock, RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { createCurve, quoteBuy, START_VIRTUAL_SOL } from '@ti/lab/simulator/curve.ts'
import { associatedTokenKey } from '@ti/service/base/token-account.ts'
import { BUY, bytes, hex, instruction, pumpBuyAccounts, pumpTrade, selfCpi, text, u32, u64 } from './encode.ts'

/** Transactions for a made-up chain that a real client reads: launches, purchases and payments, block by block. */
/** A key that can sign. */
export function named(name: string): Key {
  for (let i = 0; ; i++) {
    const key = name.padEnd(32, i === 0 ? '.' : `.${i}`) as Key
    if (isOnCurve(key)) return key
  }
}

const RICH = 10_000_000_000
let signatures = 0

/** What is not given is as a node would have it; every account has lamports before and after, but those of `empty` before. */
export function transaction(
  keys: readonly Key[],
  rest: Partial<RawTransaction>,
  empty: readonly Key[] = [],
): RawTransaction {
  return {
    ...{ signature: `signature ${signatures++}`.padEnd(64, '.') as Sig, index: 0, version: 'legacy', config: null },
    ...{
      tables: [],
      failed: false,
      keys,
      signers: 1,
      instructions: [],
      inner: [],
      logs: [],
      preTokens: [],
      postTokens: [],
    },
    preBalances: keys.map((key) => (empty.includes(key) ? 0 : RICH)),
    postBalances: keys.map(() => RICH),
    ...rest,
  }
}

/** A block of transactions in this order. */
export const block = (slot: number, transactions: readonly RawTransaction[]): RawBlock => ({
  ...{ slot, parent: slot - 1, time: Math.floor(Date.now() / 1000) },
  transactions: transactions.map((tx, index) => ({ ...tx, index })),
})

const transfer = (keys: Key[], from: Key, to: Key, lamports: number): RawInstruction =>
  instruction(keys, ZERO_KEY, [from, to], Buffer.concat([u32(2), u64(lamports)]))

/** `from` pays wallets of which those of `old` had something before; under a call of another program where `isInner`. */
export function payment(
  from: Key,
  to: readonly (readonly [Key, number])[],
  { old = [], isInner = false }: { old?: readonly Key[]; isInner?: boolean } = {},
): RawTransaction {
  const keys: Key[] = [from]
  const transfers = to.map(([wallet, lamports]) => transfer(keys, from, wallet, lamports))
  const outer = isInner ? [instruction(keys, named('a program'), [from], Buffer.of(1))] : transfers
  const empty = to.map(([wallet]) => wallet).filter((wallet) => !old.includes(wallet))
  return transaction(
    keys,
    { instructions: outer, inner: isInner ? [{ outer: 0, instructions: transfers }] : [] },
    empty,
  )
}

interface Purchase {
  /** the token program of the mint, where the buyer's associated account is to be shown */
  readonly program?: Key
}

/** A launch on pump, and purchases on its curve one after the other. */
export function launch(mint: Key, deployer: Key) {
  const curve = createCurve(START_VIRTUAL_SOL)
  const pool = named(`curve ${mint.slice(0, 8)}`)
  const held = new Map<Key, number>()
  const numbers = [1_700_000_000, curve.virtualToken, curve.virtualQuote, curve.realToken, 1_000_000_000_000_000]
  const places = [mint, pool, deployer, deployer].map(bytes)
  const created = [hex('1b72a94ddeeb6376'), text('Name'), text('SYM'), text(''), ...places, ...numbers.map(u64)]

  function call(keys: Key[], payload: Buffer, more: Partial<RawTransaction> = {}): RawTransaction {
    const outer: RawInstruction = instruction(keys, PUMP, pumpBuyAccounts(mint, pool), BUY)
    const event = instruction(keys, PUMP, [], selfCpi(payload))
    const { instructions = [], ...rest } = more
    return transaction(keys, {
      ...{ instructions: [outer, ...instructions], inner: [{ outer: 0, instructions: [event] }] },
      ...rest,
    })
  }

  return {
    create: (): RawTransaction => call([deployer], Buffer.concat(created)),
    held: (user: Key): number => held.get(user) ?? 0,
    buy(user: Key, lamports: number, { program }: Purchase = {}): RawTransaction {
      const { quote, tokens } = quoteBuy(curve, lamports)
      curve.virtualQuote += quote
      curve.virtualToken -= tokens
      const before = held.get(user) ?? 0
      held.set(user, before + tokens)
      const reserves = { virtualSol: curve.virtualQuote, virtualToken: curve.virtualToken }
      const payload = pumpTrade({ ...reserves, sol: quote, tokens, buy: true, user, mint }, 2024)
      const keys = [user, ...(program === undefined ? [] : [associatedTokenKey(user, mint, program)])]
      const row = (amount: number) =>
        program === undefined ? [] : [{ account: 1, mint, owner: user, amount, decimals: 6 }]
      return call(keys, payload, { preTokens: row(before), postTokens: row(before + tokens) })
    },
  }
}
