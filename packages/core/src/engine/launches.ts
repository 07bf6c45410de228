import type { Deployer, Launch } from '../model/deployer.ts'
import { emptyDeployer } from '../model/generated/empty.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Token } from '../model/state.ts'
import type { BundleContext } from './bundles/context.ts'
import { countRugs, judgeAgain } from './bundles/settle.ts'
import { CLASS, classOf } from './class-memory.ts'
import { DEPLOYERS } from './constants.ts'
import type { LiveToken } from './resident.ts'
import type { WalletCache } from './wallet-cache.ts'

/** A deployer's record: sums over all launches, and the newest ones individually (methodology, section 6). */

const MILLION = 1_000_000

/** Millionths of supply; 0 while the supply is unknown. */
const partOf = (tokens: number, { supply }: Token): number => (supply > 0 ? Math.round((tokens / supply) * MILLION) : 0)

const entryOf = ({ recent }: Deployer, { id }: Token): Launch | undefined => recent.find(({ token }) => token === id)

type Wallets = Pick<WalletCache, 'byId' | 'touch'>

/** The deployer's sums, marked as changed. */
function openBook(wallets: Wallets, { deployer }: Token): Deployer {
  const wallet = wallets.byId(deployer)
  wallets.touch(wallet)
  wallet.deployer ??= emptyDeployer()
  return wallet.deployer
}

/** Adds the launch to the record of its deployer, who has just become known, with what happened so far. */
export function addLaunch(wallets: Wallets, token: Token): void {
  const { recent } = openBook(wallets, token)
  recent.push({
    token: token.id,
    drained: false,
    rugged: false,
    taken: 0,
    firstSale: -1,
    bought: -1,
    bundled: -1,
  })
  if (recent.length > DEPLOYERS.recent) recent.shift()
  if (token.createdKnown) noticeCreation(wallets, token)
  creditLoss(wallets, token, NOTHING_LOST, lostBefore(token))
}

/** Called when the creation of a launch was seen and its deployer is known. Its sales and shares count from here on. */
export function noticeCreation(wallets: Wallets, token: Token): void {
  const book = openBook(wallets, token)
  book.seen++
  const entry = entryOf(book, token)
  if (entry !== undefined) entry.bought = 0
}

/** The token's losses before an event. */
interface Lost {
  readonly drained: boolean
  readonly rugged: boolean
}
const NOTHING_LOST: Lost = { drained: false, rugged: false }

export const lostBefore = ({ drainedSlot, ruggedSlot }: Token): Lost => ({
  drained: drainedSlot >= 0,
  rugged: ruggedSlot >= 0,
})

/** Counts the launch if it has been drained or rugged since `before`, and takes that back if it was taken over. */
function creditLoss(wallets: Wallets, token: Token, before: Lost, now: Lost): void {
  const book = openBook(wallets, token)
  const entry = entryOf(book, token)
  book.drained += Number(now.drained) - Number(before.drained)
  book.rugged += Number(now.rugged) - Number(before.rugged)
  if (entry !== undefined) Object.assign(entry, now)
}

export const isLossNew = ({ drainedSlot, ruggedSlot }: Token, before: Lost): boolean =>
  before.drained !== drainedSlot >= 0 || before.rugged !== ruggedSlot >= 0

/**
 * Updates the records of the people behind the token, if it was drained, rugged or taken over since `before`; returns
 * false if not.
 */
export function settleLoss(wallets: Wallets, context: BundleContext, before: Lost): boolean {
  const { token } = context.live
  if (!isLossNew(token, before)) return false
  const now = lostBefore(token)
  if (now.rugged !== before.rugged) countRugs(context)
  if (token.deployer >= 0) creditLoss(wallets, token, before, now)
  return true
}

/** Judges a drain again after some of its own people were recognised. */
export function judgeLate(wallets: Wallets, context: BundleContext): void {
  const before = lostBefore(context.live.token)
  judgeAgain(context)
  settleLoss(wallets, context, before)
}

type Traded = Pick<TradeRow, 'wallet' | 'isBuy' | 'tokens' | 'slot'>

/** Lamports that the deployer took from the launch, its liquidity included; null if that is no longer known. */
export function takenFrom(wallets: Wallets, token: Token): number | null {
  const book = token.deployer < 0 ? null : wallets.byId(token.deployer).deployer
  return (book && entryOf(book, token)?.taken) ?? null
}

/** Updates the deployer's record after a trade. `paid`: lamports of the buy or sale with fees; 0 if unknown. */
export function creditDeployer(wallets: Wallets, { token, positions }: LiveToken, trade: Traded, paid: number): void {
  if (token.deployer >= 0 && trade.wallet === token.deployer)
    creditOwnTrade(openBook(wallets, token), token, positions, trade, paid)
}

/** Updates the deployer's record after a change of liquidity. `taken`: lamports that `wallet` took out of the pool. */
export function creditLiquidity(wallets: Wallets, token: Token, wallet: number, taken: number): void {
  if (token.deployer < 0 || wallet !== token.deployer || taken === 0) return
  const book = openBook(wallets, token)
  const entry = entryOf(book, token)
  book.taken += taken
  if (entry !== undefined) entry.taken += taken
}

function creditOwnTrade(
  book: Deployer,
  token: Token,
  positions: LiveToken['positions'],
  { wallet, isBuy, tokens, slot }: Traded,
  paid: number,
): void {
  const entry = entryOf(book, token)
  const taken = isBuy ? -paid : paid
  book.taken += taken
  if (entry !== undefined) entry.taken += taken
  if (!token.createdKnown) return
  if (isBuy && slot === token.createdSlot) {
    const part = partOf(tokens, token)
    book.bought += part
    if (entry !== undefined) entry.bought += part
  } else if (!isBuy && positions.get(wallet)!.sold === tokens) {
    const after = slot - token.createdSlot
    book.sales++
    book.saleSlots += after
    if (entry !== undefined) entry.firstSale = after
  }
}

/** The slot at which the share of confirmed groups is recorded; -1 if the creation or the deployer is unknown. */
export const minuteMark = ({ createdKnown, deployer, createdSlot }: Token): number =>
  createdKnown && deployer >= 0 ? createdSlot + DEPLOYERS.minuteSlots : -1

export function noticeMinute(wallets: Wallets, token: Token): void {
  const book = openBook(wallets, token)
  const part = partOf(classOf(token, CLASS.bundled).held, token)
  book.minutes++
  book.bundled += part
  const entry = entryOf(book, token)
  if (entry !== undefined) entry.bundled = part
}
