import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DATA } from '../../test/conformance/bytes/idl.ts'

/**
 * Generates `packages/core/src/decode/idl-table.ts` from the interface files (IDLs) published by the programs' authors: `node
 * --import tsx scripts/model/idl-table.ts > packages/core/src/decode/idl-table.ts`, then format. The lists below decide which events
 * are decoded and which are ignored on purpose. A test fails for an event in neither, so that a new interface file is
 * reviewed.
 */
interface Names {
  readonly label: string
  /** Under the folder of the test data, or among the packages of the witnesses. */
  readonly file: string
  /** Decoded events. The widths of their fields are kept, so that payloads of another length are noticed. */
  readonly decoded: readonly string[]
  /** Events irrelevant to trades, launches, pools and holders: claimed fees, settings, the program's own accounts. */
  readonly notNeeded: readonly string[]
}

const words = (text: string): string[] => text.trim().split(/\s+/)

export const PROGRAMS: readonly Names[] = [
  {
    label: 'pump',
    file: 'idl/npm_pump-sdk-2.0.0_pump.json',
    decoded: words(`
      TradeEvent CreateEvent CompleteEvent CompletePumpAmmMigrationEvent AdminCtoEvent MigrateBondingCurveCreatorEvent
      SetCreatorEvent SetMetaplexCreatorEvent`),
    notNeeded: words(`
      AddQuoteControlMintEvent AdminSetIdlAuthorityEvent AdminUpdateTokenIncentivesEvent ClaimCashbackEvent
      ClaimTokenIncentivesEvent CloseUserVolumeAccumulatorEvent CollectCreatorFeeEvent DistributeCreatorFeesEvent
      DistributeFeeToHoldersEvent ExtendAccountEvent InitUserVolumeAccumulatorEvent
      MinimumDistributableFeeEvent RemoveQuoteControlMintEvent ReservedFeeRecipientsEvent
      SetParamsEvent SetQuoteControlAdminEvent SyncUserVolumeAccumulatorEvent UpdateCreatorFeeConfigEvent
      UpdateGlobalAuthorityEvent UpdateMayhemVirtualParamsEvent`),
  },
  {
    label: 'pump_amm',
    file: 'idl/npm_pump-swap-sdk-1.20.0_pump_amm.json',
    decoded: words(`
      BuyEvent SellEvent CreatePoolEvent BoostBuyAndBurnEvent AdminSetCoinCreatorEvent MigratePoolCoinCreatorEvent
      SetBondingCurveCoinCreatorEvent SetMetaplexCoinCreatorEvent`),
    notNeeded: words(`
      AdminSetCoinCreatorFeeEditableEvent AdminUpdateTokenIncentivesEvent
      ClaimCashbackEvent ClaimTokenIncentivesEvent CloseUserVolumeAccumulatorEvent CollectCoinCreatorFeeEvent CreateConfigEvent
      DepositEvent DisableEvent ExtendAccountEvent InitBoostEvent InitUserVolumeAccumulatorEvent
      ReservedFeeRecipientsEvent SetBoostAuthorityEvent SetCoinCreatorFeeBpsEvent
      SyncUserVolumeAccumulatorEvent UpdateAdminEvent UpdateCreatorFeeConfigEvent UpdateFeeConfigEvent
      WithdrawEvent`),
  },
  {
    label: 'launchlab',
    file: 'idl/raydium_launchlab_idl.json',
    decoded: words('TradeEvent PoolCreateEvent'),
    notNeeded: words('ClaimVestedEvent CreateVestingEvent'),
  },
  {
    label: 'meteora_dbc',
    file: 'real2/meteora/dbc.idl.json.gz',
    decoded: words('EvtInitializePool EvtSwap EvtSwap2 EvtCurveComplete EvtUpdatePoolCreator'),
    notNeeded: words(`
      EvtClaimCreatorTradingFee EvtClaimPoolCreationFee EvtClaimProtocolFee EvtClaimProtocolLiquidityMigrationFee
      EvtClaimTradingFee EvtCloseClaimFeeOperator EvtCreateClaimFeeOperator EvtCreateConfig EvtCreateConfigV2
      EvtCreateMeteoraMigrationMetadata EvtCreatorWithdrawSurplus EvtPartnerClaimPoolCreationFee EvtPartnerMetadata
      EvtPartnerWithdrawMigrationFee EvtPartnerWithdrawSurplus EvtVirtualPoolMetadata EvtWithdrawLeftover
      EvtWithdrawMigrationFee`),
  },
  {
    label: 'damm_v2',
    file: 'real2/meteora/damm_v2.idl.json.gz',
    decoded: words('EvtInitializePool EvtSwap2'),
    notNeeded: words(`
      EvtClaimPartnerFee EvtClaimPositionFee EvtClaimProtocolFee EvtClaimReward EvtCloseConfig EvtClosePosition EvtCreateConfig
      EvtCreateDynamicConfig EvtCreatePosition EvtCreateTokenBadge EvtFundReward EvtInitializeReward EvtLiquidityChange
      EvtLockPosition EvtPermanentLockPosition EvtSetPoolStatus EvtSplitPosition2 EvtUpdatePoolFees EvtUpdateRewardDuration
      EvtUpdateRewardFunder EvtWithdrawIneligibleReward`),
  },
  {
    label: 'pump_fees',
    file: '@pump-fun/pump-sdk/src/idl/pump_fees.json',
    decoded: words('CreateFeeSharingConfigEvent UpdateFeeSharesEvent ResetFeeSharingConfigEvent'),
    notNeeded: words(`
      DonationFeePdaCranked DonationFeePdaCreated ExtendFeeConfigEvent InitializeFeeConfigEvent InitializeFeeProgramGlobalEvent
      SetAuthorityEvent SetClaimRateLimitEvent SetDisableFlagsEvent SetExoticFlatFeesEvent SetSocialClaimAuthorityEvent
      SocialFeePdaClaimed SocialFeePdaCreated SweepBuybackEvent UpdateAdminEvent UpdateFeeConfigEvent UpdateStableFeeConfigEvent
      UpsertFeeTiersEvent UpsertStableFeeTiersEvent`),
  },
]

const WITNESSES = join(import.meta.dirname, '../../test/witnesses/node_modules')

type IdlType =
  | string
  | { vec: IdlType }
  | { option: IdlType }
  | { array: [IdlType, number] }
  | { defined: { name: string } }
type Fields = readonly { readonly name: string; readonly type: IdlType }[]
interface Idl {
  readonly address: string
  readonly instructions: readonly { readonly name: string; readonly discriminator: readonly number[] }[]
  readonly events: readonly { readonly name: string; readonly discriminator: readonly number[] }[]
  readonly types: readonly {
    readonly name: string
    readonly type:
      | { readonly kind: 'struct'; readonly fields?: Fields }
      | { readonly kind: 'enum'; readonly variants: readonly { readonly fields?: Fields }[] }
  }[]
}

export function readIdl(file: string): Idl {
  const bytes = readFileSync(join(file.startsWith('@') ? WITNESSES : DATA, file))
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as Idl
}

/** Widths of an event's fields: bytes; `s`: a string; `v34`: a list of 34-byte elements; `e8,0`: a choice of widths. */
export function widthsOf(idl: Idl, event: string): string {
  const definition = (name: string) => idl.types.find((one) => one.name === name)!.type
  const fixed = (type: IdlType): number => {
    const widths = flat(type)
    const sum = widths.reduce((a, b) => a + Number(b), 0)
    if (!Number.isInteger(sum)) throw new Error(`${event}: ${JSON.stringify(type)} within something else`)
    return sum
  }
  const flat = (type: IdlType): string[] => {
    if (typeof type === 'string') {
      if (type === 'pubkey') return ['32']
      if (type === 'string') return ['s']
      if (type === 'bool') return ['1']
      const number = /^[iu](\d+)$/.exec(type)
      if (number === null) throw new Error(`${event}: no such type ${type}`)
      return [String(Number(number[1]) / 8)]
    }
    if ('vec' in type) return [`v${fixed(type.vec)}`]
    if ('array' in type) return [String(fixed(type.array[0]) * type.array[1])]
    if ('option' in type) return [`e0,${fixed(type.option)}`]
    const made = definition(type.defined.name)
    if (made.kind === 'struct') return (made.fields ?? []).flatMap((field) => flat(field.type))
    const sizes = made.variants.map(({ fields = [] }) => fields.reduce((sum, field) => sum + fixed(field.type), 0))
    return sizes.every((size) => size === 0) ? ['1'] : [`e${sizes.join(',')}`]
  }
  const made = definition(event)
  if (made.kind !== 'struct') throw new Error(`${event} is no struct`)
  return (made.fields ?? []).flatMap((field) => flat(field.type)).join(' ')
}

const hexOf = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex')

export interface Table {
  readonly label: string
  readonly events: readonly (readonly [discriminator: string, name: string, widths: string])[]
  /** Discriminators. */
  readonly instructions: string
}

/** By the program's address. */
export function makeTables(): Record<string, Table> {
  return Object.fromEntries(
    PROGRAMS.map(({ label, file, decoded, notNeeded }) => {
      const idl = readIdl(file)
      const events = idl.events
        .filter(({ name }) => decoded.includes(name) || notNeeded.includes(name))
        .map(
          ({ name, discriminator }) =>
            [hexOf(discriminator), name, decoded.includes(name) ? widthsOf(idl, name) : ''] as const,
        )
      const instructions = idl.instructions.map(({ discriminator }) => hexOf(discriminator)).join(' ')
      return [idl.address, { label, events, instructions }]
    }),
  )
}

if (process.argv[1] === import.meta.filename) {
  const lines = (list: string): string => list.replace(/((?:[0-9a-f]{16} ){5}[0-9a-f]{16}) /g, '$1\n')
  const text = JSON.stringify(makeTables(), null, 1).replace(/"instructions": "([0-9a-f ]*)"/g, (_, list: string) => {
    return `"instructions": \`\n${lines(list)}\``
  })
  process.stdout.write(`/**
 * Generated by scripts/model/idl-table.ts from the interface files (IDLs) that the programs' authors publish; by program
 * address. \`events\`: discriminator, name, and for decoded events the widths of the fields after it (bytes; s: a string;
 * v34: a list of 34-byte elements; e8,0: a byte that selects a width). \`instructions\`: discriminators.
 */
export interface Idl {
  readonly label: string
  readonly events: readonly (readonly [discriminator: string, name: string, widths: string])[]
  readonly instructions: string
}

export const IDL_TABLE: Readonly<Record<string, Idl>> = ${text}
`)
}
