import { type Sig, sigAt } from '@ti/core/base/ids.ts'
import { VENUE } from '@ti/core/model/events.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { createBuilder } from './builder.ts'
import { emitCreate, emitCurveTrade } from './emit-curve.ts'
import { emitDbcCreate, emitDbcMigration, emitDbcTrade } from './emit-dbc.ts'
import { emitLabCreate, emitLabMigration, emitLabTrade } from './emit-launchlab.ts'
import { emitMigration, emitSwap } from './emit-pool.ts'
import type {
  Action,
  CreateAction,
  MigrateAction,
  PlannedTransaction,
  SlotPlan,
  TradeAction,
  TransferAction,
} from './plan.ts'
import { COMPUTE_BUDGET, PUMP, SYSTEM, TIP, TOKEN_2022 } from './programs.ts'
import { createRandom, type Random } from './random.ts'
import {
  begin,
  COMMON_LAMPORTS,
  checkedData,
  createCommon,
  keyOf,
  keysOf,
  openVault,
  quiet,
  type Scene,
  transferData,
} from './scene.ts'
import { putU64 } from './scratch.ts'
import type { Budget } from './settings.ts'

/** pump's "slippage: too much SOL required" */
const TOO_LATE = 'failed: custom program error: 0x1772'

/**
 * Writes planned slots as transactions, instruction by instruction, as on the chain. `time`: Unix seconds. The output
 * depends only on seed, plan and time, so slots may be skipped.
 */
type Emit = (plan: SlotPlan, time: number) => RawTransaction[]

export function createEmitter(seed: number): Emit {
  const common = createCommon(seed)
  const builder = createBuilder()
  const signatureBytes = Buffer.alloc(64)
  const signature = (random: Random): Sig => {
    for (let i = 0; i < 64; i += 4) signatureBytes.writeUInt32LE(random.uint32(), i)
    return sigAt(signatureBytes, 0)
  }
  return (plan, time) => {
    const random = createRandom(seed, plan.slot, 0x51697)
    const seconds = Math.floor(time)
    const scene = { seed, builder, common, time: seconds }
    let index = -1
    return plan.transactions.map((planned) => {
      index += 1 + planned.gap
      return write(scene, planned, signature(random), index)
    })
  }
}

function write(scene: Scene, planned: PlannedTransaction, signature: Sig, index: number): RawTransaction {
  const { builder } = scene
  const payer = keyOf(scene, planned.payer)
  builder.start()
  for (const row of planned.wallets) builder.account(keyOf(scene, row.wallet), row.before)
  builder.burn(payer, planned.fee)
  emitBudget(scene, planned.budget)
  for (const action of planned.actions) act(scene, action)
  if (planned.tip > 0) {
    builder.account(TIP, COMMON_LAMPORTS)
    const tipper = keyOf(scene, planned.tipper)
    quiet(scene, SYSTEM, 1, [tipper, TIP], transferData(planned.tip))
    builder.pay(tipper, TIP, planned.tip)
  }
  if (!planned.failed) return builder.finish(signature, index, null)
  builder.log(`Program ${PUMP.text} ${TOO_LATE}`)
  return builder.finish(signature, index, { payer, fee: planned.fee })
}

/** SetComputeUnitLimit and SetComputeUnitPrice, with which most transactions begin. */
function emitBudget(scene: Scene, { units, price }: Budget): void {
  const limit = Buffer.alloc(5)
  limit[0] = 2
  limit.writeUInt32LE(units, 1)
  const priced = Buffer.alloc(9)
  priced[0] = 3
  putU64(priced, price, 1)
  quiet(scene, COMPUTE_BUDGET, 1, [], limit)
  quiet(scene, COMPUTE_BUDGET, 1, [], priced)
}

function act(scene: Scene, action: Action): void {
  const { venue } = action.token
  if (action.kind === 'transfer') emitTransfer(scene, action)
  else if (venue === VENUE.launchlab) actOn(LAUNCHLAB_FORMS, scene, action)
  else if (venue === VENUE.meteora_dbc) actOn(DBC_FORMS, scene, action)
  else if (action.kind === 'create') emitCreate(scene, action)
  else if (action.kind === 'migrate') emitMigration(scene, action)
  else if (action.venue === VENUE.pump) emitCurveTrade(scene, action)
  else emitSwap(scene, action)
}

interface Forms {
  create(scene: Scene, action: CreateAction): void
  trade(scene: Scene, action: TradeAction): void
  migrate(scene: Scene, action: MigrateAction): void
}

const LAUNCHLAB_FORMS: Forms = { create: emitLabCreate, trade: emitLabTrade, migrate: emitLabMigration }
const DBC_FORMS: Forms = { create: emitDbcCreate, trade: emitDbcTrade, migrate: emitDbcMigration }

function actOn(forms: Forms, scene: Scene, action: CreateAction | TradeAction | MigrateAction): void {
  if (action.kind === 'create') forms.create(scene, action)
  else if (action.kind === 'trade') forms.trade(scene, action)
  else forms.migrate(scene, action)
}

/** Transfers tokens without a trade. */
function emitTransfer(scene: Scene, action: TransferAction): void {
  const { mint } = keysOf(scene, action.token)
  const owner = keyOf(scene, action.from)
  const from = openVault(scene, mint, owner, owner, false, action.fromBefore)
  const to = openVault(scene, mint, keyOf(scene, action.to), owner, action.opens, action.toBefore)
  begin(scene, TOKEN_2022, 1, [from, mint, to, owner], checkedData(action.tokens), 'TransferChecked')
  scene.builder.log(TOKEN_2022.success)
  scene.builder.moveTokens(from, to, action.tokens)
}
