import { type BlockProducer, SOL } from './block-producer.ts'
import { bossOf } from './crews.ts'
import { planBuy, planSell } from './exchange.ts'
import { origin } from './funding.ts'
import type { Honest } from './honest.ts'
import type { Birth, KindOfLaunch } from './kinds.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import { drawsFrom } from './ranges.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'
import { GRIEF_MOVES, type GriefMove } from './truth.ts'
import { noteMove } from './truth-draft.ts'

/** Honest holders of the rival, slots within which they come, SOL; tricks; wallets that a trick is played on or with. */
const RANGES = { people: [12, 120], span: [60, 3_000], size: [0.05, 0.6], tricks: [1, 3.5], wallets: [4, 40] } as const
/** SOL of dust. */
const DUST = { least: 0.0002, most: 0.004 }
const ONE_TOKEN = 1_000_000
/** SOL sent to a new wallet before anybody else does. */
const FIRST_SOL = 0.001
/** Share of supply that leaves again, the wallets, and slots until then. */
const LEAVES = { supply: 0.06, wallets: 3, from: 60, span: 1_200 }

/** One rival: its token, who wants to see it accused, and whom the tricks still reach. */
interface Rival {
  readonly token: SimToken
  readonly griefer: Wallet
  readonly here: () => readonly Position[]
  left: number
}

/** Launches that a known rugger makes look like his own. */
export function createGriefers(producer: BlockProducer, people: People, honest: Honest): KindOfLaunch {
  const { random, traders, agenda, ranges } = producer
  const draw = drawsFrom(ranges, random, RANGES)
  let before: SimToken | null = null

  const dust = (): number => SOL * random.between(DUST.least, DUST.most)

  /** Buys dust directly behind another's purchase. Gives a token of it to him, or pays a tip as if for both. */
  function shadow(move: GriefMove, gives: boolean, tip: number, { token }: Rival, to: Position, slot: number): void {
    const wallet = traders.stranger('griefer')
    const action = planBuy(token, wallet, producer.quoteOf(dust(), token))
    if (action === null) return
    const from = producer.happen(action, slot)
    const gift = gives ? people.pass(from, to.wallet, ONE_TOKEN) : null
    const actions: Action[] = gift === null ? [action] : [action, gift]
    noteMove(token, move, slot, wallet, producer.commit(wallet, actions, { tip, behind: true }))
  }

  /** Sends a token to the largest holder. */
  function send(token: SimToken, griefer: Wallet, whale: Wallet, slot: number): void {
    const action = planBuy(token, griefer, producer.quoteOf(dust(), token))
    if (action === null) return
    const gift = people.pass(producer.happen(action, slot), whale, ONE_TOKEN)
    noteMove(token, 'whale_tokens', slot, griefer, producer.commit(griefer, gift === null ? [action] : [action, gift]))
  }

  function buyAndLeave({ token }: Rival, slot: number): void {
    const wallets = Array.from({ length: LEAVES.wallets }, () => traders.stranger('griefer'))
    const each = (30 * SOL * LEAVES.supply) / LEAVES.wallets
    const bags = wallets.flatMap((wallet) => people.take(token, wallet, slot, each, 'buy_and_leave') ?? [])
    agenda.after(slot, LEAVES.from + random.int(LEAVES.span), (due) => {
      for (const bag of bags) people.leave(bag, due, 'buy_and_leave')
    })
  }

  function whaleTokens({ token, griefer, here }: Rival, slot: number): void {
    const [whale] = [...here()].sort((a, b) => b.tokens - a.tokens)
    if (whale === undefined) return
    send(token, griefer, whale.wallet, slot)
    // on a second mint too, so that it is seen twice
    if (before !== null && !before.left) send(before, griefer, whale.wallet, slot)
  }

  function dustCrowd({ token, griefer }: Rival, slot: number): void {
    for (let n = Math.round(draw.wallets()); n > 0; n--) {
      const wallet = traders.stranger('griefer')
      wallet.origin = origin(griefer.id, slot - 20)
      agenda.after(slot, 1 + random.int(200), (due) => {
        people.take(token, wallet, due, dust(), 'dust_crowd')
        producer.funding.lookUp(wallet, due)
      })
    }
  }

  /** Tricks that begin some time after the launch. */
  const ONCE: Partial<Record<GriefMove, (rival: Rival, slot: number) => void>> = {
    rugger_dust: ({ token, griefer }, slot) => void people.take(token, griefer, slot, dust(), 'rugger_dust'),
    whale_tokens: whaleTokens,
    buy_and_leave: buyAndLeave,
    dust_crowd: dustCrowd,
    shadow_sales: shadowSales,
  }
  /** Tricks on each of the next buyers. */
  const ON_BUYERS: Partial<Record<GriefMove, (rival: Rival, to: Position, slot: number) => void>> = {
    shadow_buys: (...to) => shadow('shadow_buys', false, 0, ...to),
    shadow_gifts: (...to) => shadow('shadow_gifts', true, 0, ...to),
    shadow_tips: (...to) => shadow('shadow_tips', false, 10_000, ...to),
  }

  /** Launches a copy at once, whose metadata is known before that of the original. */
  function copyFirst(born: Birth, { token }: Rival, slot: number): void {
    const wallet = traders.stranger('griefer')
    const copy = born.token(wallet, slot, token)
    noteMove(token, 'copied_first', slot, wallet, producer.commit(wallet, [{ kind: 'create', token: copy }]))
  }

  /** Sells dust directly behind the sales of honest people. */
  function shadowSales({ token, here }: Rival, slot: number): void {
    for (let n = Math.round(draw.wallets()); n > 0; n--) {
      const bag = people.take(token, traders.stranger('griefer'), slot, dust(), 'shadow_sales')
      if (bag === null) return
      agenda.after(slot, 20 + random.int(LEAVES.span), (due) => {
        const honest = here().filter(({ tokens }) => tokens > 0)
        if (honest.length === 0 || token.left) return
        people.leave(random.pick(honest), due)
        const action = planSell(bag, bag.tokens)
        if (action === null) return
        producer.happen(action, due)
        noteMove(token, 'shadow_sales', due, bag.wallet, producer.commit(bag.wallet, [action], { behind: true }))
      })
    }
  }

  function firstSol(rival: Rival, wallet: Wallet, slot: number): void {
    if (!wallet.fresh || wallet.origin !== null) return
    wallet.origin = origin(rival.griefer.id, slot - 1, false, null, null, FIRST_SOL * SOL)
    noteMove(rival.token, 'first_sol', slot, wallet, FIRST_SOL * SOL + 5_000)
  }

  return (born, slot) => {
    const token = born.usual(slot)
    const griefer = traders.pick('rugger', random)
    const tricks = new Set(Array.from({ length: Math.round(draw.tricks()) }, () => random.pick(GRIEF_MOVES)))
    const span = draw.span()
    const rival: Rival = { token, griefer, left: draw.wallets(), here: () => here }
    const here = honest.arrive(token, slot, {
      people: draw.people(),
      span,
      size: draw.size(),
      stays: random.between(0.3, 0.9),
      before: (wallet, due) => tricks.has('first_sol') && firstSol(rival, wallet, due),
      after(position, due) {
        if (rival.left-- > 0) for (const trick of tricks) ON_BUYERS[trick]?.(rival, position, due)
      },
    })
    if (token.truth !== null) token.truth.griefer = bossOf(griefer)
    if (tricks.has('copied_first')) agenda.after(slot, 1, (due) => copyFirst(born, rival, due))
    for (const trick of tricks) agenda.after(slot, span * random.between(0.2, 1), (due) => ONCE[trick]?.(rival, due))
    agenda.after(slot, span, () => {
      before = token
    })
    return token
  }
}
