import type { Actor } from '../../model/actors.ts'
import type { Wallet } from '../../model/state.ts'
import { ACTORS } from '../constants.ts'
import type { WalletCache } from '../wallet-cache.ts'
import type { ActorBook } from './book.ts'

/** Deployers that begin with the SOL of those who deploy for an actor: methodology, section 10. */
interface Purses {
  /** From now on the deployer serves the actor, and whoever gave it its first SOL does. */
  serve(deployer: Wallet, actor: Actor): void
  /** whoever gave a deployer of the actor its first SOL may pay for the next one too */
  mark(deployer: Wallet, actor: Actor): void
  /** for whom it launches: whose it is, or whose purse it began with */
  employerOf(deployer: Wallet): Actor | null
}

export function createPurses(
  book: Pick<ActorBook, 'byId' | 'rootOf'>,
  wallets: Pick<WalletCache, 'byId' | 'touch'>,
): Purses {
  const workOf = ({ actor, serves }: Wallet): Actor | null =>
    actor >= 0 ? book.byId(actor) : serves >= 0 ? book.rootOf(serves) : null

  /** Null where whose SOL it began with is unknown, an exchange, or somebody who funds many. */
  function purseOf({ funder }: Wallet): Wallet | null {
    if (funder < 0) return null
    const purse = wallets.byId(funder)
    return purse.exchange || purse.funded > ACTORS.purseWalletsMax ? null : purse
  }

  /** One of the actor's own, or who funded few others than its wallets and deployers: an exchange that is in no list funds anybody. */
  function isPaymaster(actor: Actor, purse: Wallet): boolean {
    if (purse.actor === actor.id) return true
    const known = new Set([...actor.wallets, ...actor.tokens.map(({ deployer }) => deployer)])
    let its = 0
    for (const id of known) {
      if (id < 0) continue
      const wallet = wallets.byId(id)
      if (wallet.funder === purse.id && workOf(wallet) === actor) its++
    }
    // the deployer at hand is the one that is asked for
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
