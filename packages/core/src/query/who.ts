import { keyToBase58 } from '../base/base58.ts'
import { allDeeds, type Deeds, recentDeeds, withoutLaunch } from '../engine/deployers.ts'
import { type ClassName, whoOf } from '../engine/reading/who.ts'
import type { ClassSums } from '../model/buckets.ts'
import type { Token, Wallet } from '../model/state.ts'
import { renderLaunch } from './launch.ts'
import { maybe, meanSlots, percent, share, sol, turnover } from './round.ts'
import type { TokenView } from './view.ts'

/** Ownership of a token, percent of total supply: wallet classes, first buyers, the deployer's record. */
export type WhoAnswer = ReturnType<typeof renderWho>

const CLASS_NAMES = {
  deployer: 'deployer',
  insiders: 'insiders',
  firstBlock: 'first_block',
  firstSeconds: 'first_3s',
  fresh: 'fresh',
  bundled: 'bundled',
  kols: 'kols',
} as const satisfies Record<ClassName, string>

type Served = (typeof CLASS_NAMES)[ClassName]

/** A class or group is null if unknown. `funders_traced_pct` is of the held supply. */
export function renderWho(view: TokenView) {
  // for a token with many holders this triggers the scan
  const { traced } = view.reading()
  const { live, market, wallet } = view
  const { token } = live
  const { classes, firstBuyers } = whoOf(live, market.firstSlot)
  const names = Object.keys(CLASS_NAMES) as ClassName[]
  return {
    classes: Object.fromEntries(
      names.map((name) => [CLASS_NAMES[name], renderClass(token, classes[name])] as const),
    ) as Record<Served, ReturnType<typeof renderClass>>,
    first_buyers: firstBuyers && {
      count: firstBuyers.count,
      ...firstBuyers.fates,
      buyers: token.buyers,
      bought_pct: turnover(firstBuyers.bought, token.supply),
      held_pct: share(firstBuyers.held, token.supply),
      sold_pct: turnover(firstBuyers.sold, token.supply),
      moved_pct: turnover(firstBuyers.moved, token.supply),
      paid_sol: sol(firstBuyers.paid),
      got_sol: sol(firstBuyers.got),
    },
    funders_traced_pct: percent(100 * traced),
    largest_checked: renderLargest(token),
    deployer: token.deployer < 0 ? null : renderDeployer(withoutLaunch(wallet(token.deployer), token)),
    launch: renderLaunch(view),
  }
}

/** The node's report of the largest balances: slot and total correction (percent of supply); null without one. */
export const renderLargest = ({ checkedSlot, checkedMoved, supply }: Token) =>
  checkedSlot < 0 ? null : { slot: checkedSlot, corrected_pct: share(checkedMoved, supply) }

const renderClass = ({ supply }: Token, sums: Readonly<ClassSums> | null) =>
  sums && {
    wallets: sums.wallets,
    held_pct: share(sums.held, supply),
    peak_pct: share(sums.peak, supply),
    sold_pct: turnover(sums.sold, supply),
  }

/** A wallet's record as deployer: all launches, and the newest 20. */
export function renderDeployer(wallet: Wallet) {
  const all = allDeeds(wallet)
  const recent = wallet.deployer && recentDeeds(wallet.deployer)
  return {
    wallet: keyToBase58(wallet.address),
    all: all && renderDeeds(all),
    last_20: recent && renderDeeds(recent),
  }
}

const renderDeeds = ({ launches, drained, rugged, taken, sold, firstSale, bought, bundled }: Deeds) => ({
  launches,
  drained,
  rugged,
  sold,
  taken_sol: sol(taken),
  first_sale_slots: maybe(firstSale, meanSlots),
  bought_pct: maybe(bought, (part) => percent(100 * part)),
  bundled_1m_pct: maybe(bundled, (part) => percent(100 * part)),
})
