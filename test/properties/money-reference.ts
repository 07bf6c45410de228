import type { Key } from '@ti/core/base/ids.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import type { Joined } from './joined.ts'
import type { Happened, Holding, Moment, Priced, Told } from './reference.ts'

/**
 * Who a token's own people are, what they took, and what became of it (methodology, section 1), written a second time:
 * one walk over the events of the mint, with every balance and sum computed anew at every step.
 */
interface Base {
  readonly told: readonly Told[]
  readonly end: Moment
  readonly joined: Joined
  ofMint(mint: Key): Happened[]
  priced(mint: Key): Priced[]
  birth(mint: Key): Happened | undefined
  migration(mint: Key): Happened | undefined
  holding(wallet: Key, mint: Key, until: Moment): Holding
  movedBy(happened: Happened, mint: Key): number
  isFromStart(mint: Key, index: number): boolean
  isFunded(wallet: Key, mint: Key, toldBefore: number): boolean
  funderOf(wallet: Key, index: number): Key | undefined
  realQuote(mint: Key, priced: Priced): { before: number; after: number }
  record(wallet: Key, until: Moment): { mintsBought: number; bundledRate: number }
}

const SUPPLY = 1e15
type Since = Map<Key, Moment>

export function createMoneyReference(base: Base) {
  const { ofMint, holding, joined, told } = base
  const cache = new Map<Key, ReturnType<typeof walk>>()

  const creation = (mint: Key): Happened | undefined => ofMint(mint).find(({ event }) => event.kind === 'create')

  /** the wallet that signed the creation, once that was seen */
  function launcher(mint: Key, index: number): Key | null {
    const created = creation(mint)
    return created !== undefined && created.index <= index && created.event.kind === 'create'
      ? created.event.user
      : null
  }

  function walk(mint: Key) {
    const list = ofMint(mint)
    const members = [...(joined.members.get(mint) ?? [])]
    const insiders: Since = new Map()
    const signed: Since = new Map()
    const own: Since = new Map()
    const harmless = new Map<Key, number>()
    const exits: { slot: number; tokens: number }[] = []
    const state = { drainedSlot: -1, ruggedSlot: -1, by: [] as string[], takenOverSlot: -1 }
    const spans: { from: number; to: number }[] = []
    let news = false

    const tradesBy = (wallet: Key, until: number) =>
      list.filter((e): e is Happened & { event: TradeEvent } => {
        return e.index < until && e.event.kind === 'trade' && e.event.user === wallet && !e.event.hop
      })
    const soldBy = (wallet: Key, until: number) => tradesBy(wallet, until).filter(({ event }) => !event.isBuy)
    const sum = (of: readonly { event: TradeEvent }[], what: 'tokenAmount' | 'userQuote'): number =>
      of.reduce((total, { event }) => total + event[what], 0)
    const result = (wallet: Key, until: number): number =>
      tradesBy(wallet, until).reduce((total, { event }) => total + (event.isBuy ? -1 : 1) * event.userQuote, 0)

    function sign(wallet: Key, then: Moment): void {
      if (!own.has(wallet)) own.set(wallet, then)
      if (signed.has(wallet)) return
      signed.set(wallet, then)
      news = true
      const sold = soldBy(wallet, then.index)
      const last = sold.at(-1)
      if (last !== undefined && Math.floor(last.slot / 375) >= Math.floor(then.slot / 375) - 24)
        exits.push({ slot: then.slot, tokens: sum(sold, 'tokenAmount') })
    }

    /** the state after `then.index` events */
    function notice(wallet: Key, then: Moment, toldBefore: number, isPaidFor = false): void {
      if (insiders.has(wallet)) return
      const { balance, bought, received } = holding(wallet, mint, then)
      const given = received - (harmless.get(wallet) ?? 0)
      const hasActed = given > bought && balance < received && given >= SUPPLY / 1_000
      const deployer = launcher(mint, then.index - 1)
      const isFunded = deployer !== null && base.isFunded(wallet, mint, toldBefore)
      if (wallet !== deployer && !hasActed && !isFunded && !isPaidFor) return
      insiders.set(wallet, then)
      sign(wallet, then)
    }

    function judge(slot: number, index: number): void {
      if (state.drainedSlot < 0 || state.ruggedSlot >= 0) return
      const all = [...new Set(list.flatMap(({ event }) => (event.kind === 'trade' && !event.hop ? [event.user] : [])))]
      const total = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0)
      const gain = total([...own.keys()].map((wallet) => result(wallet, index)))
      const others = all.filter((wallet) => !own.has(wallet)).map((wallet) => result(wallet, index))
      const gained = total(others.filter((one) => one > 0))
      const lost = -total(others.filter((one) => one < 0))
      if (gain < 5e8 || total([...signed.keys()].map((wallet) => result(wallet, index))) <= 0) return
      if (gain < gained || gain < lost / 10) return
      state.ruggedSlot = slot
      spans.push({ from: slot, to: -1 })
      const sold = (wallets: Iterable<Key>): number =>
        total([...wallets].map((wallet) => sum(soldBy(wallet, index), 'tokenAmount')))
      const deployer = launcher(mint, index)
      const grouped = members.filter(([, at]) => at.index <= index).map(([wallet]) => wallet)
      if (deployer !== null && sold([deployer]) > 0) state.by.push('deployer')
      if (sold(grouped) > 0) state.by.push('groups')
      if (sold([...insiders.keys()].filter((wallet) => wallet !== deployer)) > 0) state.by.push('insiders')
      if (sold(own.keys()) > sold(signed.keys())) state.by.push('first_block')
    }

    function takeOver(slot: number): void {
      if (state.drainedSlot < 0) return
      Object.assign(state, { drainedSlot: -1, ruggedSlot: -1, by: [], takenOverSlot: slot })
      const last = spans.at(-1)
      if (last?.to === -1) last.to = slot
    }

    function afterPriced(p: Priced): void {
      const before = base.priced(mint).filter(({ index }) => index < p.index)
      if (before.length > 0 && before.every(({ mcap }) => mcap < p.mcap)) takeOver(p.slot)
      if (p.event.isBuy) return
      const bucketOf = (slot: number): number => Math.floor(slot / 25)
      const window = [...before, p].filter(({ slot }) => bucketOf(slot) >= bucketOf(p.slot) - 60)
      const high = Math.max(0, ...window.map((one) => base.realQuote(mint, one).before))
      const isDrained = high >= 2e9 && base.realQuote(mint, p).after <= high * (1 - 0.8)
      if (isDrained && state.drainedSlot < 0) state.drainedSlot = p.slot
      judge(p.slot, p.index + 1)
    }

    /** a transaction's movements: givers act at once, takers only by what they do with it later */
    function moved(rows: readonly Happened[]): void {
      const { index, slot } = rows.at(-1)!
      const moves = rows.map((row) => ({ row, owner: ownerOf(row), tokens: base.movedBy(row, mint) }))
      const givers = moves.filter(({ tokens }) => tokens < 0)
      for (const { row, owner } of givers) notice(owner, { index: row.index + 1, slot }, index)
      const isCurveOnly =
        (base.isFromStart(mint, index) || (creation(mint)?.index ?? index) < index) &&
        (base.migration(mint)?.index ?? index) >= index
      const isSuspect = givers.length > 0 ? givers.some(({ owner }) => signed.has(owner)) : isCurveOnly
      for (const { owner, tokens } of moves) {
        if (tokens <= 0) continue
        if (!isSuspect) harmless.set(owner, (harmless.get(owner) ?? 0) + tokens)
        notice(owner, { index: index + 1, slot }, index)
      }
    }

    function traded({ index, slot, event }: Happened & { event: TradeEvent }): void {
      if (event.hop) return
      const wallet = event.user
      const before = holding(wallet, mint, { index, slot })
      if (!event.isBuy && signed.has(wallet)) exits.push({ slot, tokens: event.tokenAmount })
      const beyond = event.isBuy ? 0 : event.tokenAmount - before.balance
      const graduated = base.migration(mint)
      if (beyond > 0 && base.isFromStart(mint, index) && graduated !== undefined && graduated.index < index)
        harmless.set(wallet, (harmless.get(wallet) ?? 0) + beyond)
      const created = creation(mint)
      const isFirst = event.isBuy && before.bought === 0
      const isAtBirth = created !== undefined && created.index < index && slot === base.birth(mint)!.slot
      if (isFirst && isAtBirth && wallet !== launcher(mint, index) && !own.has(wallet)) {
        const { mintsBought, bundledRate } = base.record(wallet, { index, slot })
        if (mintsBought + 1 <= 5 || bundledRate > 0.2) own.set(wallet, { index: index + 1, slot })
      }
      const payer = event.payer !== null && event.payer === launcher(mint, index)
      for (const [member, at] of members) if (at.index === index + 1) sign(member, { index: index + 1, slot })
      notice(wallet, { index: index + 1, slot }, index, payer)
    }

    const facts = told.filter(({ fact }) => fact.kind === 'funding')
    function learn(from: number, until: number): void {
      for (const { entry, index, slot, fact } of facts) {
        if (fact.kind !== 'funding' || index <= from || index > until) continue
        if (joined.resting.get(entry)?.has(mint)) continue
        const then = { index, slot }
        const isHere = (wallet: Key): boolean => tradesBy(wallet, index).length > 0
        if (isHere(fact.wallet)) notice(fact.wallet, then, index)
        if (fact.funder !== launcher(mint, index - 1)) continue
        for (const [wallet] of new Map(list.flatMap(({ event }) => (event.kind === 'trade' ? [[event.user, 0]] : []))))
          if (base.funderOf(wallet, index) === fact.wallet && isHere(wallet)) notice(wallet, then, index)
      }
    }

    const settle = (index: number, slot: number): void => {
      for (const [member, at] of members) if (at.index <= index) sign(member, { index, slot: at.slot })
      if (news) judge(slot, index)
      news = false
    }

    let seen = -1
    for (let i = 0; i < list.length; i++) {
      const happened = list[i]!
      const { index, slot, event } = happened
      learn(seen, index)
      settle(index, slot)
      seen = index
      if (event.kind === 'create') {
        const deployer = launcher(mint, index)
        if (deployer !== null && holds(deployer, { index, slot })) notice(deployer, { index: index + 1, slot }, index)
      } else if (event.kind === 'migrate') {
        if (base.migration(mint)?.index === index) takeOver(slot)
      } else if (event.kind === 'trade') {
        traded(happened as Happened & { event: TradeEvent })
        const p = base.priced(mint).find((one) => one.index === index)
        if (p !== undefined) afterPriced(p)
      } else if (event.kind === 'balance' && index > base.birth(mint)!.index) {
        const rows = [happened]
        for (; list[i + 1]?.event.kind === 'balance' && list[i + 1]!.event.sig === event.sig; i++)
          rows.push(list[i + 1]!)
        moved(rows)
        seen = rows.at(-1)!.index
      }
      settle(seen + 1, slot)
    }
    learn(seen, base.end.index)
    settle(base.end.index, base.end.slot)

    function holds(wallet: Key, then: Moment): boolean {
      const { bought, received, sold } = holding(wallet, mint, then)
      return bought + received + sold > 0
    }

    return { insiders, signed, own, exits, state, spans, soldBy, sum, result, list }
  }

  const of = (mint: Key) => {
    const known = cache.get(mint) ?? walk(mint)
    cache.set(mint, known)
    return known
  }

  const ownerOf = ({ event }: Happened): Key => (event.kind === 'balance' ? event.owner : ('' as Key))

  /** what the deployer, insiders and all who signed had and sold */
  function memory(mint: Key) {
    const { insiders, signed, exits, soldBy, sum, list } = of(mint)
    const { end } = base
    const deployer = launcher(mint, end.index)
    let [deployerPeak, insiderPeak] = [0, 0]
    const heldByInsiders = (then: Moment): number =>
      [...insiders]
        .filter(([, at]) => at.index <= then.index)
        .reduce((total, [wallet]) => total + holding(wallet, mint, then).balance, 0)
    for (const [i, { index, slot, event }] of list.entries()) {
      const then = { index: index + 1, slot }
      const next = list[i + 1]
      const goesOn = event.kind === 'balance' && next?.event.kind === 'balance' && next.event.sig === event.sig
      if (goesOn || (event.kind !== 'balance' && event.kind !== 'trade')) continue
      if (deployer !== null) deployerPeak = Math.max(deployerPeak, holding(deployer, mint, then).balance)
      insiderPeak = Math.max(insiderPeak, heldByInsiders(then))
    }
    for (const { index, slot } of told) insiderPeak = Math.max(insiderPeak, heldByInsiders({ index, slot }))
    const sold = (wallets: Iterable<Key>): number =>
      [...wallets].reduce((total, wallet) => total + sum(soldBy(wallet, end.index), 'tokenAmount'), 0)
    const isLate = (slot: number): boolean => Math.floor(slot / 375) >= Math.floor(end.slot / 375) - 24
    const late = exits.filter(({ slot }) => isLate(slot))
    return {
      deployerPeak,
      insiderPeak,
      insiderSold: sold(insiders.keys()),
      signedSold: sold(signed.keys()),
      soldInHour: late.reduce((total, { tokens }) => total + tokens, 0),
    }
  }

  return {
    memory,
    drainOf: (mint: Key) => of(mint).state,
    isOwn: (wallet: Key, mint: Key) => of(mint).own.has(wallet),
    isInsider: (wallet: Key, mint: Key) => of(mint).insiders.has(wallet),
    /** lamports that all its own people got more than they paid */
    taken: (mint: Key) =>
      [...of(mint).own.keys()].reduce((total, wallet) => total + of(mint).result(wallet, base.end.index), 0),
    /** rugged as of the end of that slot, and not taken over by then */
    isRuggedAt: (mint: Key, slot: number) =>
      of(mint).spans.some(({ from, to }) => from <= slot && (to < 0 || to > slot)),
  }
}
