import { keyToBase58 } from '../../base/base58.ts'
import { isoMicrosOrNull } from '../../base/time.ts'
import type { AppDeployer } from '../../contract/app.ts'
import type { Who } from '../../contract/who.ts'
import { CLASS, classOf } from '../../engine/class-memory.ts'
import { withoutLaunch } from '../../engine/deployers.ts'
import { isMigrated } from '../../engine/tokens.ts'
import type { Deployer } from '../../model/deployer.ts'
import type { Wallet } from '../../model/state.ts'
import type { ActorReader } from '../actors.ts'
import { maybe, meanSlots, percent, share, sol, turnover } from '../round.ts'
import { saidOf } from '../token-facts.ts'
import type { TokenView } from '../view.ts'
import { renderDeployer, type WhoAnswer } from '../who.ts'
import { actorNameOf, funderOf } from './links.ts'
import { slotOrNull } from './person.ts'

type WhoDeployer = NonNullable<Who['deployer']>

/** A deployer with its record and its newest launches. */
export const renderDeployerRecord = (reader: ActorReader, wallet: Wallet): AppDeployer => ({
  ...renderDeployer(wallet),
  ...recordOf(reader, wallet),
})

const recordOf = (reader: ActorReader, wallet: Wallet) => ({
  name: wallet.name,
  launched: wallet.launches,
  graduated: wallet.launchesBonded,
  actor: actorNameOf(reader, wallet.actor >= 0 ? wallet.actor : wallet.serves),
  launches: wallet.deployer === null ? [] : launchesOf(wallet.deployer, reader),
})

/** The token's deployer with its record over all other launches and its position in the token. */
export function renderWhoDeployer(view: TokenView, reader: ActorReader, of: WhoAnswer): WhoDeployer | null {
  const { token, positions } = view.live
  if (token.deployer < 0 || of.deployer === null) return null
  const wallet = view.wallet(token.deployer)
  const position = positions.get(token.deployer)
  const pct = (tokens: number): number => share(tokens, token.supply)
  return {
    ...of.deployer,
    ...recordOf(reader, withoutLaunch(wallet, token)),
    funder: funderOf(token, wallet, view.wallet),
    holds_pct: pct(position?.balance ?? 0),
    peak_pct: pct(classOf(token, CLASS.deployer).peak),
    sold_pct: turnover(position?.sold ?? 0, token.supply),
    last_sell_slot: slotOrNull(position?.lastSellSlot ?? -1),
  }
}

const million = (part: number): number | null => maybe(part < 0 ? null : part / 10_000, percent)

function launchesOf({ recent }: Deployer, reader: ActorReader): WhoDeployer['launches'] {
  return [...recent].reverse().map(({ token: id, drained, rugged, taken, firstSale, bought, bundled }) => {
    const token = reader.token(id)!
    return {
      mint: keyToBase58(token.mint),
      said_by_deployer: saidOf(token),
      deployed_at: isoMicrosOrNull(token.createdTime),
      drained,
      rugged,
      graduated: isMigrated(token),
      taken_sol: sol(taken),
      first_sale_slots: firstSale < 0 ? null : meanSlots(firstSale),
      bought_pct: million(bought),
      bundled_1m_pct: million(bundled),
    }
  })
}
