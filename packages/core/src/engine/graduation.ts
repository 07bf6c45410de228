import { count } from '../base/counts.ts'
import type { MigrateEvent } from '../model/events.ts'
import { LISTS } from './constants.ts'
import { bundleContext, type Fold, schedule } from './fold.ts'
import { startUnseen } from './launch.ts'
import { lostBefore, settleLoss } from './launches.ts'
import type { LiveToken } from './resident.ts'
import { imageOf } from './token-events.ts'
import { takeOver } from './token-state.ts'
import { isMigrated } from './tokens.ts'
import type { Moment } from './trade.ts'
import { changeUnit, sameUnit } from './units.ts'
import { learnFromGraduation, MIGRATED_BEFORE } from './unseen.ts'

/** Folds a graduation: the token's liquidity moved to its canonical pool. An unknown token is tracked from here on. */
export function onMigrate(fold: Fold, event: MigrateEvent, now: Moment): void {
  const { tokens, globals } = fold
  const known = tokens.find(event.mint)
  const live = known ?? startUnseen(fold, event, now)
  const { token } = live
  const isEarlier = event.token?.earlier ?? false
  if (isMigrated(token)) {
    if (!isEarlier) count(fold.counts, 'migrations_repeated')
    return
  }
  if (known === undefined && event.token !== undefined) learnFromGraduation(token, event.token, globals.solUsd)
  // until now the token was known only from a pool, and anyone can open one
  else if (event.token !== undefined && !sameUnit(token, event.token)) changeUnit(live, event.token)
  token.pool = event.pool
  tokens.addPool(event.pool, token.id)
  if (known === undefined && isEarlier) token.migratedSlot = MIGRATED_BEFORE
  else graduate(fold, live, now)
  fold.judged.add(live)
  tokens.touch(live)
  schedule(fold, live, now.slot - 1)
}

function graduate(fold: Fold, live: LiveToken, now: Moment): void {
  const { globals, tokenEvents, wallets } = fold
  const { token } = live
  const before = lostBefore(token)
  takeOver(token, now.slot)
  settleLoss(wallets, bundleContext(fold, live, now.slot), before)
  token.migratedSlot = now.slot
  token.migratedTime = now.time
  globals.migrated.push(token.id)
  if (globals.migrated.length > LISTS.graduatedMax) globals.migrated.shift()
  tokenEvents.record(token, { kind: 'graduated', image: imageOf(token), mcap: token.mcap }, now)
  if (token.deployer < 0) return
  const deployer = wallets.byId(token.deployer)
  deployer.launchesBonded++
  wallets.touch(deployer)
}
