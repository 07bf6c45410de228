import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Token } from '@ti/core/model/state.ts'
import type { Folded } from '../conformance/bytes/fold.ts'
import { heldByPeople, isProgramsOwn } from './accounts.ts'

/** What the accounts say of one token. */
export interface Truth {
  readonly mint: string
  readonly decimals: number
  /** Base units that there ever were. */
  readonly issued: bigint
  /** Base units by owner, the market's own included. */
  readonly held: ReadonlyMap<string, bigint>
  /** The owners of the vaults in which the token is traded. */
  readonly market: readonly string[]
  /** Burned or withheld as fees of transfers. */
  readonly burned: bigint
}

export const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((all, one) => all + one, 0n)

/** The most that the sums of numbers beyond 2^53 may be off; nothing for smaller supplies. */
export const slackOf = (issued: bigint): bigint => (issued <= BigInt(Number.MAX_SAFE_INTEGER) ? 0n : issued >> 50n)

/** One line for each number of the ledger that differs from the accounts. */
export function ledgerDifferences({ engine, holders }: Folded, truth: Truth): string[] {
  const { mint, decimals, issued, market, burned } = truth
  const token = engine.tokens.peek(key(mint))?.token as
    | (Token & { readonly programs?: number; readonly burned?: number })
    | undefined
  const outside = new Map([...truth.held].filter(([owner]) => !market.includes(owner)))
  const people = heldByPeople(outside)
  const programs = sumOf(outside.values()) - sumOf(people.values())
  const whole = [...people.values()].filter((amount) => amount >= 10n ** BigInt(decimals))
  const wrong: string[] = []
  const slack = slackOf(issued)
  const is = (what: string, got: number | undefined, due: bigint): void => {
    const off = got === undefined ? null : BigInt(Math.round(got)) - due
    if (off === null || off > slack || -off > slack) wrong.push(`${what}: ${got}, but it is ${due}`)
  }
  const said = holders(key(mint))
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

/** Each address that only a program can have, where the state has it as a person; not those that `signed` in made-up material. */
export function programsAmongPeople({ engine, store }: Folded, signed: ReadonlySet<string> = new Set()): string[] {
  const people = new Map<number, Set<string>>()
  const add = (wallet: number, what: string): void => {
    if (wallet >= 0) people.set(wallet, (people.get(wallet) ?? new Set()).add(what))
  }
  for (let id = 0; id < engine.globals.nextToken; id++) {
    add(store.token(id)!.deployer, 'deployer')
    for (const position of store.positions(id)) add(position.wallet, position.balance > 0 ? 'holder' : 'trader')
  }
  for (let id = 0; id < engine.globals.nextWallet; id++) {
    const wallet = store.wallet(id)!
    if (wallet.trades > 0) add(id, 'trader')
    add(wallet.funder, 'funder')
  }
  return [...people].flatMap(([wallet, what]) => {
    const address = keyToBase58(store.wallet(wallet)!.address)
    return isProgramsOwn(address) && !signed.has(address) ? [`${address}: ${[...what].join(', ')}`] : []
  })
}
