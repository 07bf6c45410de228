import { type Habit, PROFILES, type Traders, type Wallet } from './traders.ts'

/** Copy traders per leader, and the habits they follow: the busiest wallets of each. */
const FOLLOWERS_EACH = 2
const LEADERS: readonly Habit[] = ['momentum', 'picker', 'dip']

interface Copying {
  /** The copy traders of this wallet, none for most. */
  followersOf(leader: Wallet): readonly Wallet[]
}

export function createCopying(traders: Traders): Copying {
  const followers = new Map<Wallet, Wallet[]>()
  for (let n = 0; n < PROFILES.copier.wallets; n++) {
    const place = Math.floor(n / FOLLOWERS_EACH)
    const leader = traders.wallet(LEADERS[place % LEADERS.length]!, Math.floor(place / LEADERS.length))
    const those = followers.get(leader) ?? []
    those.push(traders.wallet('copier', n))
    followers.set(leader, those)
  }
  return { followersOf: (leader) => followers.get(leader) ?? [] }
}
