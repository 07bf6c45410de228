import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58Encode, key, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { METEORA_DBC, METEORA_DBC_AUTHORITY, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { Token } from '@ti/core/model/state.ts'
import { playLife, type Step } from '@ti/lab/life/life.ts'
import { TOKEN_DRIVER } from '@ti/lab/life/token-driver.ts'
import { type Folded, foldMaterial } from '../conformance/bytes/fold.ts'
import { createAccountLedger, heldByPeople, isProgramsOwn, type NodeTransaction } from '../support/accounts.ts'
import { seeds } from '../support/chance.ts'
import { join, u8, u64, WHO } from '../support/encode.ts'
import * as meteora from '../support/meteora.ts'

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

type Json = { [field: string]: unknown }
interface Row {
  readonly accountIndex: number
  owner: string
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number }
}
interface Answer extends NodeTransaction {
  readonly transaction: NodeTransaction['transaction'] & {
    readonly message: { readonly accountKeys: string[]; readonly instructions: Json[] }
  }
  readonly meta: NodeTransaction['meta'] & {
    readonly preBalances: number[]
    readonly postBalances: number[]
    readonly preTokenBalances: Row[]
    readonly postTokenBalances: Row[]
    readonly innerInstructions: Json[]
  }
}

type Call = Parameters<typeof meteora.transaction>[1][number]
const AUTHORITY = keyToBase58(METEORA_DBC_AUTHORITY)

/** Appends calls to a transaction. */
function addCalls({ transaction, meta }: Answer, calls: readonly Call[]): void {
  const { accountKeys, instructions } = transaction.message
  const indexOf = (one: Key): number => {
    const text = keyToBase58(one)
    if (accountKeys.includes(text)) return accountKeys.indexOf(text)
    meta.preBalances.push(1)
    meta.postBalances.push(1)
    return accountKeys.push(text) - 1
  }
  const written = ([program, accounts, data]: meteora.Step): Json => ({
    programIdIndex: indexOf(program),
    accounts: accounts.map(indexOf),
    data: base58Encode(data.toString('latin1')),
  })
  for (const { call, inner } of calls) {
    const index = instructions.push(written(call)) - 1
    meta.innerInstructions.push({ index, instructions: inner.map((one) => ({ ...written(one), stackHeight: 2 })) })
  }
}

/** The change of an owner's tokens, over all its accounts. */
function changeOf({ meta }: Answer, owner: string): bigint {
  const sum = (rows: readonly Row[]) =>
    rows.reduce((all, row) => all + (row.owner === owner ? BigInt(row.uiTokenAmount.amount) : 0n), 0n)
  return sum(meta.postTokenBalances) - sum(meta.preTokenBalances)
}

/** Makes the wallet `market` the launchpad's vault, whose events say what was traded. */
function dressed(steps: readonly Step[]): Answer[] {
  const { mint, market, supply } = steps[0]!.expected as unknown as Expected
  const token = key(mint)
  const piece = meteora.pieceOf(30e9, 1.073 * Number(supply))
  return steps.map(({ answer, expected }) => {
    const tx = structuredClone(answer) as unknown as Answer
    const { what } = expected as unknown as Expected
    const payer = key(tx.transaction.message.accountKeys[0] as string)
    const user = what === 'create' ? key(market) : payer
    const launch = {
      call: 'createSpl',
      creator: user,
      payer: user,
      config: meteora.CONFIG,
      quoteMint: WRAPPED_SOL,
    } as const
    if (what === 'create') {
      const accounts = meteora.createAccounts(launch).map((one) => (one === WHO.mint ? token : one))
      const minted = join(u8(7), u64(BigInt(supply)))
      const create: meteora.Step = [METEORA_DBC, accounts, meteora.createData(launch.call, 'Life', 'LIFE', '')]
      const inner: meteora.Step[] = [
        [key(meteora.TOKEN_PROGRAM_TEXT), [token, meteora.BASE_VAULT, METEORA_DBC_AUTHORITY], minted],
        meteora.dbc(meteora.evtInitializePool(WHO.pool, user, token)),
      ]
      addCalls(tx, [{ call: create, inner }])
    } else if (/^buy|^sell$/.test(what)) {
      const isBuy = what !== 'sell'
      const tokens = isBuy ? -changeOf(tx, market) : -changeOf(tx, keyToBase58(payer))
      const quote = isBuy ? quoteFor(piece, tokens) : meteora.sellTo(piece, tokens)
      const [included, output] = isBuy ? [quote, tokens] : [tokens, quote]
      const swap = {
        pool: WHO.pool,
        isBuy,
        included,
        excluded: included,
        output,
        root: piece.root,
        fees: [0n, 0n, 0n],
      } as const
      addCalls(tx, [meteora.swapCall(meteora.swapAccounts(token, WRAPPED_SOL, user), swap)])
    }
    for (const row of [...tx.meta.preTokenBalances, ...tx.meta.postTokenBalances])
      if (row.owner === market) row.owner = AUTHORITY
    return tx
  })
}

/** What the curve asks for `tokens`; it moves the price. */
function quoteFor(piece: meteora.Piece, tokens: bigint): bigint {
  const before = piece.root
  piece.root = (piece.liquidity * before) / (piece.liquidity - tokens * before) + 1n
  return ((piece.liquidity * (piece.root - before)) >> 128n) + 1n
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n)

/** One line for each number of a token that is not what the accounts say. */
function differences(folded: Folded, expected: Expected, issued: bigint, decimals: number): string[] {
  const { label, mint, market } = expected
  const token = folded.engine.tokens.peek(key(mint))?.token as
    | (Token & { readonly programs?: number; readonly burned?: number })
    | undefined
  const held = new Map(Object.entries(expected.held).map(([owner, amount]) => [owner, BigInt(amount)]))
  const all = sumOf(held.values())
  held.delete(market)
  const people = heldByPeople(held)
  const programs = sumOf([...held].flatMap(([owner, amount]) => (people.has(owner) ? [] : amount)))
  const whole = [...people.values()].filter((amount) => amount >= 10n ** BigInt(decimals))
  const burned = issued - all
  const wrong: string[] = []
  // beyond 2^53 a number has the nearest
  const least = issued <= BigInt(Number.MAX_SAFE_INTEGER) ? 0n : issued >> 50n
  const is = (what: string, got: number | undefined, due: bigint): void => {
    const off = got === undefined ? null : BigInt(Math.round(got)) - due
    if (off === null || off > least || -off > least) wrong.push(`${label} ${what}: ${got}, but it is ${due}`)
  }
  const said = folded.holders(key(mint))
  for (const owner of new Set([...people.keys(), ...said.keys()])) {
    const what = isProgramsOwn(owner) ? `a program's account ${owner} as a holder` : `balance of ${owner}`
    is(what, said.get(owner) ?? 0, people.get(owner) ?? 0n)
  }
  is('holders', token?.holders, BigInt(whole.length))
  is('owned by holders', token?.owned, sumOf(whole))
  is('held by programs', token?.programs, programs)
  is('burned or withheld', token?.burned, burned)
  is('out of the market', token?.outstanding, sumOf(people.values()) + programs + burned)
  return wrong
}

for (const seed of seeds(40))
  test(`the ledger has what the accounts have, seed ${seed}`, async () => {
    const steps = await playLife(TOKEN_DRIVER, { seed, steps: 60, programs: null })
    const expected = steps.map((step) => step.expected as unknown as Expected)
    const { mint, supply, market } = expected[0]!
    const ledger = createAccountLedger()
    for (const [i, { answer }] of steps.entries()) {
      ledger.apply(answer as unknown as NodeTransaction)
      const held = [...ledger.held(mint)].map(([owner, amount]) => [owner, String(amount)])
      assert.deepEqual(Object.fromEntries(held), expected[i]!.held, `${expected[i]!.label}: the rows of the node`)
    }
    assert.equal(ledger.unseen(mint), 0n)

    const wrong: string[] = []
    const answers = dressed(steps)
    const { decimals } = answers[0]!.meta.postTokenBalances[0]!.uiTokenAmount
    let at = 0
    await foldMaterial([answers], 150, (entry, folded) => {
      if (entry.kind === 'block') wrong.push(...differences(folded, expected[at++]!, BigInt(supply), decimals))
    })
    assert.equal(at, steps.length)
    assert.notEqual(expected.at(-1)!.held[market], supply, 'tokens left the market')
    assert.equal(wrong.slice(0, 20).join('\n'), '', `${wrong.length} differences`)
  })
