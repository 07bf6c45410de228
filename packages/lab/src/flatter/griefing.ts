import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { BalanceEvent } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import type { GriefMove } from '../simulator/truth.ts'
import type { Script, Step } from './script.ts'
import { inOrder, stranger, withSteps } from './tricks.ts'

/** Tricks that make an honest launch look bad, named as in the simulator. */

/** Lamports of dust, and of a wallet's first SOL. */
export const DUST = 1_000_000
const FIRST_SOL = 1_000_000
const NETWORK_FEE = 5_000
/** Rent and fees of a launch. */
const CREATION_LAMPORTS = 20_000_000
/** Wallets of a crowd; purchases that are shadowed; wallets that leave, with their lamports each, and when. */
const CROWD = 40
const SHADOWED = 12
const LEAVE = { wallets: 3, lamports: 700_000_000, after: 100 }
const ONE_TOKEN = 1_000_000
/** Transaction behind all others of a slot. */
const LAST = 9_000

export interface Griefer {
  /** Prefix of new wallets. */
  readonly name: string
  /** A wallet that has rugged, and the mint of that rug. */
  readonly rugger: Key
  readonly rugged: Key
  /** True for a wallet that traded before this launch. */
  readonly isKnown: (wallet: Key) => boolean
}

type Grief = (script: Script, griefer: Griefer) => Script

/** Purchases and sales of honest people before or after the moment, in order. */
const tradesOf = ({ steps }: Script, isBuy: boolean) =>
  steps.flatMap((step) => (step.kind === 'trade' && step.event.isBuy === isBuy ? [step] : []))

/** Adds a step directly behind each of the first purchases or sales for which `make` makes one. */
function behindEach(
  script: Script,
  isBuy: boolean,
  make: (user: Key, n: number, behind: number) => Omit<Step, 'slot'>,
): Script {
  let n = 0
  const steps = script.steps.flatMap((step, i): Step[] => {
    if (n >= SHADOWED || step.kind !== 'trade' || step.event.isBuy !== isBuy || step.slot >= script.exit) return [step]
    const next = script.steps[i + 1]
    const { txIndex, user } = step.event
    const isFree = next === undefined || next.slot > step.slot || !('event' in next) || next.event.txIndex > txIndex + 1
    return isFree ? [step, { ...make(user, n++, txIndex), slot: step.slot } as Step] : [step]
  })
  return { ...script, steps }
}

const shadow =
  (more: (user: Key) => { gift?: Key; tips?: true }): Grief =>
  (script, { name }) =>
    behindEach(script, true, (user, n, behind) => {
      return { kind: 'buy', wallet: stranger(name, n), lamports: DUST, behind, ...more(user) } as Step
    })

/** The wallet that has bought most until the moment. */
function whaleOf(script: Script): Key | null {
  const bought = new Map<Key, number>()
  for (const { slot, event } of tradesOf(script, true))
    if (slot < script.exit) bought.set(event.user, (bought.get(event.user) ?? 0) + event.tokenAmount)
  return [...bought].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** A transfer of one token of another mint. */
function passedOn(mint: Key, from: Key, to: Key, slot: number): Step[] {
  const sig = `grief-${slot}`.padEnd(64, '.') as Sig
  const row = (owner: Key, inner: number, before: number, after: number): Step => {
    const head = { kind: 'balance' as const, sig, txIndex: LAST, outer: 0, inner, mint, program: false, swap: false }
    const event: BalanceEvent = { ...head, owner, account: -1, before, after, explained: 0 }
    return { kind: 'event', slot, event, terms: null }
  }
  return [row(from, 0, ONE_TOKEN, 0), row(to, 1, 0, ONE_TOKEN)]
}

const fundedBy = (funder: Key, wallet: Key, slot: number, lamports: number): { slot: number; fact: Fact } => ({
  ...{ slot, fact: { kind: 'funding', wallet, funder, slot: slot - 20, exchange: false, lamports } },
})

export const GRIEFS: Readonly<Record<GriefMove, Grief>> = {
  rugger_dust: (script, { rugger }) =>
    withSteps(script, [{ kind: 'buy', slot: script.exit, wallet: rugger, lamports: DUST }]),
  /** One token, on this mint and on the rug's. */
  whale_tokens(script, { rugger, rugged }) {
    const whale = whaleOf(script)
    if (whale === null) return script
    return withSteps(script, [
      { kind: 'buy', slot: script.exit, wallet: rugger, lamports: DUST, gift: whale },
      ...passedOn(rugged, rugger, whale, script.exit + 1),
    ])
  },
  shadow_buys: shadow(() => ({})),
  shadow_gifts: shadow((gift) => ({ gift })),
  shadow_tips: shadow(() => ({ tips: true })),
  /** Three wallets in a row with some 6% of supply, which leave. */
  buy_and_leave(script, { name }) {
    const wallets = Array.from({ length: LEAVE.wallets }, (_, n) => stranger(name, n))
    const buys = wallets.map((wallet, n): Step => {
      return { kind: 'buy', slot: script.exit, wallet, lamports: LEAVE.lamports, behind: LAST + n }
    })
    const sells = wallets.map((wallet): Step => {
      return { kind: 'sell', slot: script.exit + LEAVE.after, wallet, part: 1 }
    })
    return withSteps(script, [...buys, ...sells])
  },
  /** Wallets that the rugger funds. */
  dust_crowd(script, { name, rugger }) {
    const wallets = Array.from({ length: CROWD }, (_, n) => stranger(name, n))
    const buys = wallets.map((wallet, n): Step => {
      return { kind: 'buy', slot: script.exit + n, wallet, lamports: DUST }
    })
    const facts = wallets.map((wallet, n) => fundedBy(rugger, wallet, script.exit + n, DUST))
    return { ...withSteps(script, buys), facts: [...script.facts, ...facts] }
  },
  /** New buyers get their first SOL from the rugger. */
  first_sol(script, { rugger, isKnown }) {
    const funded = new Set(script.facts.flatMap(({ fact }) => (fact.kind === 'funding' ? [fact.wallet] : [])))
    const fresh = new Map<Key, number>()
    for (const { slot, event } of tradesOf(script, true))
      if (slot < script.exit && !isKnown(event.user) && !funded.has(event.user) && !fresh.has(event.user))
        fresh.set(event.user, slot)
    const some = [...fresh].slice(0, CROWD)
    const paid = some.map(([, slot]): Step => ({ kind: 'pay', slot, lamports: FIRST_SOL + NETWORK_FEE }))
    const facts = some.map(([wallet, slot]) => fundedBy(rugger, wallet, slot, FIRST_SOL))
    return { ...script, steps: inOrder([...script.steps, ...paid]), facts: [...script.facts, ...facts] }
  },
  /** A copy whose metadata and image become known before those of the original. */
  copied_first(script, { name }) {
    const [launch] = script.steps
    if (launch?.kind !== 'event' || launch.event.kind !== 'create') return script
    const mint = stranger(`${name}-copy`, 0)
    const user = stranger(name, 0)
    const sig = `grief-copy-${script.created}`.padEnd(64, '.') as Sig
    const create: Step = {
      ...{ kind: 'event', slot: script.created + 1, terms: null },
      event: {
        ...launch.event,
        mint,
        user,
        creator: user,
        payer: user,
        sig,
        txIndex: LAST,
        pool: stranger(`${name}-curve`, 0),
      },
    }
    const copied = script.facts.flatMap(({ fact }) =>
      fact.kind === 'metadata' || fact.kind === 'image_hash'
        ? [{ slot: script.created + 2, fact: { ...fact, mint } }]
        : [],
    )
    const pay: Step = { kind: 'pay', slot: script.created + 1, lamports: CREATION_LAMPORTS }
    return { ...script, steps: inOrder([...script.steps, create, pay]), facts: [...copied, ...script.facts] }
  },
  /** Dust that is sold in the transaction behind each honest sale. */
  shadow_sales(script, { name }) {
    const sold = behindEach(script, false, (_, n, behind) => {
      return { kind: 'sell', wallet: stranger(name, n), part: 1, behind } as Step
    })
    const buys = Array.from({ length: SHADOWED }, (_, n): Step => {
      return { kind: 'buy', slot: script.created + 1, wallet: stranger(name, n), lamports: DUST }
    })
    return { ...sold, steps: inOrder([...sold.steps, ...buys]) }
  },
}
export const GRIEF_NAMES = Object.keys(GRIEFS) as GriefMove[]
