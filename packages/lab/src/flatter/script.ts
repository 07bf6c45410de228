import type { Key } from '@ti/core/base/ids.ts'
import type { Block, Facts, LogEntry, TransactionTerms } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, type TradeEvent } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { START_VIRTUAL_SOL } from '../simulator/curve.ts'

/** In the transaction directly behind this one of the same slot; else after all others. */
interface Place {
  readonly behind?: number
}

/** Lamports of the default tip of most bundle bots. */
export const COMMON_TIP = 100_000

/**
 * A token's life as a list of actions into which more can be inserted. The effect of a trade is computed when the
 * script is played.
 */
export type Step =
  /** An event as logged. */
  | {
      readonly kind: 'event'
      readonly slot: number
      readonly event: ChainEvent
      readonly terms: TransactionTerms | null
    }
  /** The same wallet and size as in the log, with whatever it yields now. */
  | {
      readonly kind: 'trade'
      readonly slot: number
      readonly event: TradeEvent
      readonly terms: TransactionTerms | null
    }
  /** Tokens arrive at (or leave) a wallet by plain transfer, in transaction `tx` of its slot. */
  | {
      readonly kind: 'moved'
      readonly slot: number
      readonly event: Extract<ChainEvent, { kind: 'balance' }>
      readonly tokens: number
    }
  /** Actions added by an adversary. */
  | ({
      readonly kind: 'buy'
      readonly slot: number
      readonly wallet: Key
      readonly lamports: number
      readonly free?: true
      /** Gives one token of it away in the same transaction. */
      readonly gift?: Key
      /** Pays a tip as if it were a bundle's. */
      readonly tips?: true
    } & Place)
  | ({ readonly kind: 'sell'; readonly slot: number; readonly wallet: Key; readonly part: number } & Place)
  /** SOL sent away without a trade. */
  | { readonly kind: 'pay'; readonly slot: number; readonly lamports: number }
  /** Sells everything; another wallet buys for the proceeds three slots later. */
  | { readonly kind: 'change'; readonly slot: number; readonly wallet: Key; readonly to: Key }
  | { readonly kind: 'give'; readonly slot: number; readonly wallet: Key; readonly to: Key; readonly part: number }

export interface Script {
  readonly steps: readonly Step[]
  /** Facts come first in their slot. */
  readonly facts: readonly { readonly slot: number; readonly fact: Fact }[]
  /** Slots of the launch, and of the exit's beginning and end. */
  readonly created: number
  readonly exit: number
  readonly end: number
  /** Unix seconds at the launch. */
  readonly time: number
  /** Wallets of the exiting group, including the deployer if it is one of them. */
  readonly adversary: ReadonlySet<Key>
}

/** A token's part of a log. `facts`: with the slot of the block before them. */
interface OwnLog {
  readonly mint: Key
  readonly blocks: readonly Block[]
  readonly facts: readonly { readonly slot: number; readonly fact: Fact }[]
}

/** Keeps the part of every entry that concerns the `wanted` mints. */
export function createOwnLogs(wanted: ReadonlySet<Key>) {
  const blocks = new Map<Key, Block[]>()
  const reported: { slot: number; fact: Fact }[] = []
  let slot = -1
  return {
    add(entry: LogEntry): void {
      if (entry.kind === 'facts') addFacts(entry)
      if (entry.kind !== 'block') return
      slot = entry.slot
      const mints = new Set(entry.events.map(({ mint }) => mint))
      for (const mint of mints) {
        if (!wanted.has(mint)) continue
        blocks.set(mint, [...(blocks.get(mint) ?? []), ofMint(entry, mint)])
      }
    },
    of(mint: Key): OwnLog {
      const own = blocks.get(mint) ?? []
      const wallets = new Set(own.flatMap(({ events }) => events.flatMap(walletsOf)))
      const isOwn = (fact: Fact): boolean =>
        'mint' in fact
          ? fact.mint === mint
          : fact.kind === 'funding'
            ? wallets.has(fact.wallet)
            : fact.kind === 'sol_price'
      return { mint, blocks: own, facts: reported.filter(({ fact }) => isOwn(fact)) }
    },
    firstImage: (): ImageFact | undefined =>
      reported.flatMap(({ fact }) => (fact.kind === 'image_hash' ? [fact] : []))[0],
  }

  function addFacts({ facts }: Facts): void {
    for (const fact of facts) reported.push({ slot, fact })
  }
}

const walletsOf = (event: ChainEvent): Key[] =>
  event.kind === 'trade' || event.kind === 'create' ? [event.user] : event.kind === 'balance' ? [event.owner] : []

/** The block with only this token's events. */
function ofMint({ terms = [], ...block }: Block, mint: Key): Block {
  const events = block.events.filter((event) => event.mint === mint)
  const kept = terms.flatMap((one) => {
    const { txIndex } = block.events[one.event]!
    const event = events.findIndex((own) => own.txIndex === txIndex)
    return event < 0 ? [] : [{ ...one, event }]
  })
  return { ...block, events, terms: kept }
}

export type ImageFact = Extract<Fact, { kind: 'image_hash' }>

interface Exit {
  readonly slot: number
  readonly wallets: readonly Key[]
}

/** Slots after the beginning of an exit within which sales belong to it. */
const EXIT_SLOTS = 200

/** A token's history as a script. Null if the log does not contain its launch on a curve in SOL. */
export function scriptOf({ blocks, facts }: OwnLog, exit: Exit): Script | null {
  const [first] = blocks
  const launch = first?.events.find((event) => event.kind === 'create')
  if (first === undefined || launch?.quoteReserve !== START_VIRTUAL_SOL || launch.quote !== QUOTE.SOL) return null
  const steps = stepsOf(blocks)
  const adversary = new Set(exit.wallets)
  const sold = steps.filter(
    (step) =>
      step.kind === 'trade' &&
      !step.event.isBuy &&
      adversary.has(step.event.user) &&
      step.slot >= exit.slot &&
      step.slot <= exit.slot + EXIT_SLOTS,
  )
  const end = sold.reduce((last, { slot }) => Math.max(last, slot), exit.slot)
  return { steps, facts, adversary, created: first.slot, exit: exit.slot, end, time: first.time }
}

function stepsOf(blocks: readonly Block[]): Step[] {
  const balances = new Map<Key, number>()
  const change = (wallet: Key, tokens: number): number => {
    const now = Math.max(0, (balances.get(wallet) ?? 0) + tokens)
    balances.set(wallet, now)
    return now
  }
  return blocks.flatMap(({ slot, events, terms = [] }) =>
    events.map((event): Step => {
      const own = terms.find((one) => events[one.event]!.txIndex === event.txIndex) ?? null
      if (event.kind === 'trade') {
        change(event.user, event.isBuy ? event.tokenAmount : -event.tokenAmount)
        return { kind: 'trade', slot, event, terms: own }
      }
      if (event.kind !== 'balance' || event.program) return { kind: 'event', slot, event, terms: own }
      const tokens = event.after - event.before - event.explained
      change(event.owner, tokens)
      return { kind: 'moved', slot, event, tokens }
    }),
  )
}
