import { type Key, type Sig, ZERO_KEY } from '../base/ids.ts'
import type { ChainEvent, CreateEvent, CreatorEvent, FeeChange, SharesEvent, TradeEvent } from '../model/events.ts'
import { FEE_CHANGE } from '../model/events.ts'
import type { LaunchFact } from '../model/facts.ts'
import type { LaunchChange, TokenLaunch } from '../model/launch.ts'
import type { Token } from '../model/state.ts'
import { isAmm } from '../model/venues.ts'
import { CLASS, peakClasses, raisePeak } from './class-memory.ts'
import { LAUNCH, LISTS } from './constants.ts'
import { compare } from './first-uses.ts'
import { bundleContext, type Fold } from './fold.ts'
import { addLaunch, judgeLate } from './launches.ts'
import { noticePeople } from './people.ts'
import type { LiveToken } from './resident.ts'
import { isMigrated } from './tokens.ts'
import type { Moment } from './trade.ts'

/**
 * Records who launched a token and who gets its creator's fees. The launcher signed and has a record; anybody can be
 * named as the creator, so that is only shown (methodology, section 6).
 */

/** Gives the launch to the record of its launcher. If it traded before, its position tells what it has and had. */
export function setDeployer(fold: Fold, live: LiveToken, address: Key, slot: number): void {
  const { wallets, actors, launches, tokens } = fold
  const { token, positions } = live
  const deployer = wallets.findOrCreate(address, slot)
  deployer.launches++
  if (token.athSlot >= 0) deployer.launchesTraded++
  if (token.ath >= LISTS.serialAthP75Usd) deployer.launchesAboveFloor++
  if (token.migratedSlot >= 0) deployer.launchesBonded++
  wallets.touch(deployer)
  token.deployer = deployer.id
  addLaunch(wallets, token)
  actors.deployed(token, deployer, slot)
  launches.push([deployer.id, token.id])
  const own = positions.get(deployer.id)
  if (own === undefined) return
  own.owner = deployer
  const context = bundleContext(fold, live, slot)
  noticePeople(context, own)
  raisePeak(token, CLASS.deployer, Math.max(own.peak, own.balance))
  peakClasses(token)
  judgeLate(wallets, context)
  tokens.touchPosition(own)
}

/** Folds a creation found in the history of a token that was first met later. Returns false if it was known. */
export function applyLaunch(fold: Fold, live: LiveToken, fact: LaunchFact, now: Moment): boolean {
  const { token } = live
  if (token.launch.slot >= 0) return false
  recordCreation(token, fact, fact.slot)
  nameToken(fold, token, fact, now)
  if (token.deployer < 0 && fact.launcher !== ZERO_KEY) setDeployer(fold, live, fact.launcher, fold.globals.slot)
  return true
}

/** Starts a token whose creation was not seen; from this transaction back its history can be searched for it. */
export function startUnseen({ tokens }: Fold, { mint, sig }: ChainEvent, now: Moment): LiveToken {
  const live = tokens.create(mint, now.slot, now.time)
  live.token.launch.sig = sig
  return live
}

/** Takes what the creation says of the mint, and compares its names with those of all other tokens. */
export function nameToken(fold: Fold, token: Token, named: CreateEvent | LaunchFact, now: Moment): void {
  const { name, symbol, uri, supply, decimals, nameNorm, symbolNorm } = named
  Object.assign(token, { name, symbol, uri, supply, decimals })
  compare(fold, token, 'name', nameNorm, now)
  compare(fold, token, 'symbol', symbolNorm, now)
  const both = symbolNorm === '' && nameNorm === '' ? null : `${symbolNorm}\n${nameNorm}`
  compare(fold, token, 'symbolName', both, now)
}

type Creation = Pick<CreateEvent | LaunchFact, 'payer' | 'signed' | 'creator' | 'sig'>

/** Called when the creation becomes known. Creators seen before are newer than the one that the creation named. */
export function recordCreation({ launch }: Token, { payer, signed, creator, sig }: Creation, slot: number): void {
  launch.payer = payer
  launch.signed = signed
  launch.slot = slot
  launch.sig = sig
  if (creator === ZERO_KEY) return
  const first = launch.changes.findIndex(isOfCreator)
  if (first < 0) launch.creator = creator
  else if (launch.changes[first]!.key !== creator) rememberNamed(launch, creator)
}

const isOfCreator = ({ how }: LaunchChange): boolean => how < FEE_CHANGE.shares_set

/** Puts the creator that the creation named before its first change. */
function rememberNamed({ changes, slot, sig }: TokenLaunch, key: Key): void {
  if (changes.length < LAUNCH.changes) changes.unshift({ how: FEE_CHANGE.created, key, slot, sig })
}

/**
 * Takes the creator that a trade states if it is another one. Only a curve's and the canonical pool's counts: any other
 * pool names a creator chosen by its opener.
 */
export function creatorInTrade(token: Token, { creator, venue, pool, sig }: TradeEvent, slot: number): boolean {
  if (creator === null || creator === token.launch.creator || creator === ZERO_KEY) return false
  if (isAmm(venue) && !(isMigrated(token) && pool === token.pool)) return false
  return changeCreator(token, FEE_CHANGE.traded, creator, slot, sig)
}

export const applyCreator = (token: Token, { how, creator, pool, sig }: CreatorEvent, slot: number): boolean =>
  (pool === null || pool === token.pool) && changeCreator(token, how, creator === ZERO_KEY ? null : creator, slot, sig)

/** Returns false if the creator stays the same: pump's programs both report a change. */
function changeCreator({ launch }: Token, how: FeeChange, creator: Key | null, slot: number, sig: Sig): boolean {
  if (creator === launch.creator) return false
  if (launch.creator !== null && !launch.changes.some(isOfCreator)) rememberNamed(launch, launch.creator)
  launch.creator = creator
  addChange(launch.changes, { how, key: creator, slot, sig })
  return true
}

export function applyShares({ launch }: Token, { how, owners, shares, sig }: SharesEvent, slot: number): void {
  launch.owners = [...owners]
  launch.shares = [...shares]
  addChange(launch.changes, { how, key: null, slot, sig })
}

function addChange(changes: LaunchChange[], change: LaunchChange): void {
  changes.push(change)
  if (changes.length > LAUNCH.changes) changes.shift()
}
