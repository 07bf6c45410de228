import { keyToBase58 } from '../../base/base58.ts'
import { baseUnits } from '../../base/decimal.ts'
import { isoMicrosOrNull } from '../../base/time.ts'
import type { Cursor } from '../../contract/parameters.ts'
import type { WalletPosition, WalletSummary } from '../../contract/positions.ts'
import { confirmedGroup } from '../../engine/bundles/groups.ts'
import { isMigrated } from '../../engine/tokens.ts'
import type { BundleBook } from '../../model/bundles.ts'
import type { Globals, Position, Token, Wallet } from '../../model/state.ts'
import type { ActorReader } from '../actors.ts'
import { groupName } from '../bundle-name.ts'
import { maybe, sol } from '../round.ts'
import { actorNameOf } from './links.ts'
import { moneyOf, worthOf } from './person.ts'

/**
 * A wallet's positions. Positions are stored by token, and for a wallet the store knows only the tokens it traded last,
 * launched, or was in a group on; these are found.
 */
export interface PositionReader extends ActorReader {
  bundles(token: number): BundleBook | undefined
  launches(deployer: number, offset: number, limit: number): number[]
}

interface Found {
  readonly token: Token
  readonly position: Position
  /** The slot of the wallet's last trade, or of tokens received. */
  readonly slot: number
}

interface PositionsPage {
  readonly data: readonly WalletPosition[]
  readonly summary: WalletSummary
  readonly next: Cursor | null
}

type Market = Pick<Globals, 'slot' | 'solUsd'>

export function renderPositions(
  reader: PositionReader,
  wallet: Wallet,
  market: Market,
  page: { readonly limit: number; readonly cursor: Cursor | null; readonly launches: number },
): PositionsPage {
  const all = positionsOf(reader, wallet, page.launches)
  const { cursor, limit } = page
  const isAfter = ({ slot, token }: Found): boolean =>
    cursor === null || slot < cursor.slot || (slot === cursor.slot && token.id < cursor.no)
  const rest = all.filter(isAfter)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map((found) => renderPosition(reader, wallet, market, found)),
    summary: summaryOf(reader, wallet, market, all),
    next: last === undefined || rest.length <= limit ? null : { slot: last.slot, no: last.token.id },
  }
}

/** Newest first. */
function positionsOf(reader: PositionReader, wallet: Wallet, launches: number): Found[] {
  const launched = wallet.launches > 0 ? reader.launches(wallet.id, 0, launches) : []
  const tokens = new Set([...wallet.recent, ...wallet.memberships.map(({ token }) => token), ...launched])
  const found = [...tokens].flatMap((id): Found[] => {
    const position = reader.positionOf(id, wallet.id)
    if (position === undefined) return []
    const slot = Math.max(0, position.lastBuySlot, position.lastSellSlot, Math.floor(position.acquiredSlot))
    return [{ token: reader.token(id)!, position, slot }]
  })
  return found.sort((a, b) => b.slot - a.slot || b.token.id - a.token.id)
}

function renderPosition(
  reader: PositionReader,
  wallet: Wallet,
  { solUsd }: Market,
  { token, position, slot }: Found,
): WalletPosition {
  const bundles = position.group < 0 ? undefined : reader.bundles(token.id)
  const group = bundles === undefined ? null : confirmedGroup(bundles, position)
  return {
    mint: keyToBase58(token.mint),
    name: token.name,
    symbol: token.symbol,
    last_slot: slot,
    holds: position.balance / baseUnits(token.decimals),
    ...moneyOf(token, position, solUsd),
    worth_sol: maybe(worthOf(token, position.balance, solUsd), sol),
    deployed: token.deployer === wallet.id,
    deployed_at: isoMicrosOrNull(token.createdTime),
    group: group && groupName(token, group, (id) => reader.wallet(id)!),
    mcap: token.mcap,
    graduated: isMigrated(token),
    drained: token.drainedSlot >= 0,
    rugged: token.ruggedSlot >= 0,
  }
}

function summaryOf(reader: PositionReader, wallet: Wallet, { slot }: Market, all: readonly Found[]): WalletSummary {
  const { funder, funderSlot, funderLamports } = wallet
  const bought = all.filter(({ position }) => position.firstBuySlot >= 0).length
  return {
    wallet: keyToBase58(wallet.address),
    name: wallet.name,
    slot,
    actor: actorNameOf(reader, wallet.actor >= 0 ? wallet.actor : wallet.serves),
    funder:
      funder < 0
        ? null
        : {
            wallet: keyToBase58(reader.wallet(funder)!.address),
            slot: Math.max(0, funderSlot),
            sol: sol(funderLamports),
          },
    mints_bought: wallet.mintsBought,
    known: all.length,
    complete: bought >= wallet.mintsBought,
  }
}
