import { count } from '../base/counts.ts'
import type { Deployer } from '../model/deployer.ts'
import type { AgentFact, Fact, FundingFact, KolFact, MetadataFact } from '../model/facts.ts'
import { DUP } from '../model/metadata.ts'
import type { Token, Wallet } from '../model/state.ts'
import { nameAgent } from './agents/tracker.ts'
import { confirmedGroup } from './bundles/groups.ts'
import { noticeFunder } from './bundles/notice.ts'
import { backedBy } from './bundles/pairs.ts'
import { peakClasses } from './class-memory.ts'
import { compare } from './first-uses.ts'
import { bundleContext, type Fold, schedule } from './fold.ts'
import { applyLargest } from './largest.ts'
import { applyLaunch } from './launch.ts'
import { judgeLate } from './launches.ts'
import { noticePeople } from './people.ts'
import { flipped, imageOf } from './token-events.ts'
import type { Moment } from './trade.ts'

/** Folds a fact learned outside the chain. */
export function applyFact(fold: Fold, fact: Fact, now: Moment): void {
  switch (fact.kind) {
    case 'sol_price':
      if (fact.usd > 0) fold.globals.solUsd = fact.usd
      return
    case 'funding':
      return onFunder(fold, fact)
    case 'kol':
      return onKol(fold, fact)
    case 'agent':
      return onAgent(fold, fact)
  }
  const live = fold.tokens.find(fact.mint)
  if (live === undefined) return count(fold.counts, 'facts_of_unknown_tokens')
  const { token } = live
  if (fact.kind === 'holders') {
    if (!applyLargest(fold, live, fact, now)) count(fold.counts, 'holders_out_of_order')
    return
  }
  const before = { ...token.dup }
  if (fact.kind === 'launch') {
    if (!applyLaunch(fold, live, fact, now)) return count(fold.counts, 'launches_repeated')
    fold.judged.add(live)
  } else if (fact.kind === 'metadata') applyMetadata(fold, token, fact, now)
  else if (fact.kind === 'image_hash') {
    if (token.dup.image === DUP.unknown) compare(fold, token, 'image', fact.sha256, now)
  } else if (token.dexPaidTime === 0) {
    token.dexPaidTime = fact.time
    fold.tokenEvents.record(token, { kind: 'dex_paid', image: imageOf(token) }, now)
  }
  const dup = flipped(before, token)
  if (dup !== null) fold.tokenEvents.record(token, { kind: 'duplication', dup }, now)
  fold.tokens.touch(live)
  schedule(fold, live, fold.globals.slot - 1)
}

/** The first answer counts: the values of a token, once compared, stay. */
function applyMetadata(fold: Fold, token: Token, fact: MetadataFact, now: Moment): void {
  if (token.metadata !== null) return count(fold.counts, 'metadata_repeated')
  const metadata = {
    description: fact.description,
    image: fact.image,
    twitter: fact.twitter,
    telegram: fact.telegram,
    website: fact.website,
  }
  token.metadata = metadata
  fold.tokenEvents.record(token, { kind: 'metadata', metadata }, now)
  compare(fold, token, 'twitter', fact.twitterNorm, now)
  compare(fold, token, 'telegram', fact.telegramNorm, now)
  compare(fold, token, 'website', fact.websiteNorm, now)
  if (fact.image === null && token.dup.image === DUP.unknown) token.dup.image = DUP.no
}

/** Records a wallet's first funder; later answers are ignored. The wallet's live tokens are checked again. */
function onFunder(fold: Fold, fact: FundingFact): void {
  const { globals, wallets, tokens } = fold
  const wallet = wallets.findOrCreate(fact.wallet, globals.slot)
  if (wallet.funder >= 0 || fact.funder === fact.wallet) return count(fold.counts, 'funders_repeated')
  const funder = wallets.findOrCreate(fact.funder, globals.slot)
  wallet.funder = funder.id
  wallet.funderSlot = fact.slot
  wallet.funderLamports = fact.lamports
  funder.funded++
  if (fact.exchange) funder.exchange = true
  wallets.touch(wallet)
  wallets.touch(funder)
  for (const id of wallet.recent) {
    if (!tokens.isLive(id)) continue
    const live = tokens.byId(id)
    const position = live.positions.get(wallet.id)
    if (position === undefined) continue
    position.owner = wallet
    const context = bundleContext(fold, live, globals.slot)
    noticeFunder(context, position)
    noticePeople(context, position)
    peakClasses(live.token)
    judgeLate(wallets, context)
    const group = confirmedGroup(live.bundles, position)
    if (group !== null) fold.actors.joined(context, group, wallet.id)
    tokens.touchBundles(live)
    fold.judged.add(live)
    tokens.touch(live)
  }
  if (wallet.deployer !== null) onDeployerFunded(fold, wallet)
  if (funder.deployer !== null) onFundedByDeployer(fold, wallet, funder.deployer)
}

/** A wallet turned out to be funded by a deployer: those that it funded itself are insiders of the launches. */
function onFundedByDeployer(fold: Fold, { id }: Wallet, { recent }: Deployer): void {
  const { tokens } = fold
  for (const { token } of recent) {
    if (!tokens.isLive(token)) continue
    const live = tokens.byId(token)
    const context = bundleContext(fold, live, fold.globals.slot)
    for (const one of backedBy(live.bundles, id)) noticePeople(context, live.positions.get(one)!)
    peakClasses(live.token)
    judgeLate(fold.wallets, context)
    fold.judged.add(live)
    tokens.touch(live)
  }
}

function onDeployerFunded({ actors, globals, judged, tokens }: Fold, deployer: Wallet): void {
  const launches = deployer.deployer!.recent.flatMap(({ token }) => (tokens.isLive(token) ? [tokens.byId(token)] : []))
  const own = launches.map(({ token }) => token)
  if (!actors.funded(deployer, own, globals.slot)) return
  for (const live of launches) {
    judged.add(live)
    tokens.touch(live)
  }
}

function onKol(fold: Fold, { wallet: address, name }: KolFact): void {
  const wallet = fold.wallets.findOrCreate(address, fold.globals.slot)
  wallet.kol = name !== null
  renamed(fold, wallet, name)
}

function onAgent(fold: Fold, { wallet: address, name }: AgentFact): void {
  const wallet = fold.wallets.findOrCreate(address, fold.globals.slot)
  if (!nameAgent(fold.agents, wallet, name)) return count(fold.counts, 'agents_over_the_limit')
  wallet.agent = name !== null
  renamed(fold, wallet, name)
}

function renamed({ wallets }: Fold, wallet: Wallet, name: string | null): void {
  if (name !== null) wallet.name = name
  else if (!wallet.kol && !wallet.agent) wallet.name = null
  wallets.touch(wallet)
}
