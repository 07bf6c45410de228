import type { Actor } from '../../model/actors.ts'
import type { Wallet } from '../../model/state.ts'
import { ACTORS } from '../constants.ts'
import type { WalletCache } from '../wallet-cache.ts'
import type { ActorBook } from './book.ts'

/** Links deployers to an actor by who sent them their first SOL (methodology, section 10). */
interface Purses {
  /** Makes the deployer, and the wallet that funded it, serve the actor. */
  serve(deployer: Wallet, actor: Actor): void
  /** Marks the funder of an actor's deployer, because it may fund the next one too. */
  mark(deployer: Wallet, actor: Actor): void
  /** The actor that the deployer belongs to, or whose purse funded it. */
  employerOf(deployer: Wallet): Actor | null
}

export function createPurses(
  book: Pick<ActorBook, 'byId' | 'rootOf'>,
  wallets: Pick<WalletCache, 'byId' | 'touch'>,
): Purses {
  const workOf = ({ actor, serves }: Wallet): Actor | null =>
    actor >= 0 ? book.byId(actor) : serves >= 0 ? book.rootOf(serves) : null

  /** The deployer's funder; null if unknown, an exchange, a funder of many wallets, or one that sent dust. */
  function purseOf({ funder, funderLamports }: Wallet): Wallet | null {
    if (funder < 0 || funderLamports < ACTORS.purseLamports) return null
    const purse = wallets.byId(funder)
    return purse.exchange || purse.funded > ACTORS.purseWalletsMax ? null : purse
  }

  /** True for the actor's wallets and for funders of mostly the actor's. An unlisted exchange funds mostly others. */
  function isPaymaster(actor: Actor, purse: Wallet): boolean {
    if (purse.actor === actor.id) return true
    const known = new Set([...actor.wallets, ...actor.tokens.map(({ deployer }) => deployer)])
    let its = 0
    for (const id of known) {
      if (id < 0) continue
      const wallet = wallets.byId(id)
      if (wallet.funder === purse.id && workOf(wallet) === actor) its++
    }
    // the deployer in question is not counted
    return its >= ACTORS.purseShare * (purse.funded - 1)
  }

  function serve(deployer: Wallet, actor: Actor): void {
    deployer.serves = actor.id
    wallets.touch(deployer)
    mark(deployer, actor)
  }

  function mark(deployer: Wallet, actor: Actor): void {
    const purse = purseOf(deployer)
    if (purse === null || workOf(purse) !== null) return
    purse.serves = actor.id
    wallets.touch(purse)
  }

  return {
    serve,
    mark,
    employerOf(deployer) {
      const known = workOf(deployer)
      if (known !== null) {
        mark(deployer, known)
        return known
      }
      const purse = purseOf(deployer)
      const actor = purse && workOf(purse)
      if (!actor || !isPaymaster(actor, purse)) return null
      serve(deployer, actor)
      return actor
    },
  }
}
