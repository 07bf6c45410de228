import { DamagedState } from './damage.ts'
import type { Store } from './store.ts'

/** records read, of about how many */
type VerifyProgress = (done: number, of: number) => void

/** records between two words of progress */
const PROGRESS_EVERY = 2_000

/**
 * Reads every record of the state and checks it, what must exist, and that the indexes lead to what they index. Throws
 * DamagedState at the first that is not what was written.
 */
export function verifyState(store: Store, progress: VerifyProgress = () => {}): void {
  const { tokens = 0, wallets = 0, trades = 0, tokenEvents = 0, actors = 0 } = store.entries()
  const of = 2 * (tokens + wallets) + trades + tokenEvents + actors
  let done = 0
  const count = (): void => {
    if (++done % PROGRESS_EVERY === 0) progress(done, of)
  }
  let positions = 0
  for (let id = 0; id < tokens; id++) {
    const { mint } = store.token(id)!
    if (store.tokenIdByMint(mint) !== id) throw wrong(`the index of mints does not lead to token ${id}`)
    store.bundles(id)
    positions += store.positions(id).length
    count()
  }
  if (store.positionTotal() !== positions) {
    throw wrong(`there are ${store.positionTotal()} positions, tokens have ${positions}`)
  }
  for (let id = 0; id < wallets; id++) {
    const { address } = store.wallet(id)!
    if (store.walletIdByAddress(address) !== id) throw wrong(`the index of addresses does not lead to wallet ${id}`)
    store.launches(id, 0, 1)
    count()
  }
  for (let id = 0; id < actors; id++) {
    for (const wallet of store.actor(id)!.wallets) {
      if (store.wallet(wallet)!.actor !== id) throw wrong(`wallet ${wallet} does not lead to its actor ${id}`)
    }
    store.actorEdges(id)
    count()
  }
  for (const { no, prev } of store.trades(0)) {
    if (prev >= no) throw wrong(`trade ${no} comes before its token's previous trade ${prev}`)
    count()
  }
  for (const _ of store.tokenEvents(1)) count()
  // everything else, and once more in another order
  store.stateHash()
}

const wrong = (what: string): DamagedState => new DamagedState('the state', what)
