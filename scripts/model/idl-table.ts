import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { widthsOf } from '@ti/service/service/interfaces/widths.ts'
import { DATA } from '../../test/conformance/bytes/idl.ts'
import { IDLS, type Idl, type Program } from '../../test/outside/witness.ts'
import { readPage } from './interface-page.ts'

/**
 * Generates `packages/core/src/decode/idl-table.ts` from the interface files (IDLs) published by the programs' authors: `node
 * --import tsx scripts/model/idl-table.ts > packages/core/src/decode/idl-table.ts`, then format. The lists below decide which events
 * are decoded and which are ignored on purpose. A test fails for an event in neither, so that a new interface file is
 * reviewed.
 */
interface Names {
  readonly label: string
  /** Newest first: `package` is the pinned npm package, others are pages and files here or beside the project. */
  readonly sources: readonly string[]
  /** The last day on which the newest source was seen: the program may have changed since. */
  readonly asOf: string
  /** What published documents name and no source has; the discriminator follows from the name. */
  readonly named?: { readonly instructions?: readonly string[]; readonly events?: readonly string[] }
  /** Decoded events. The widths of their fields are kept, so that payloads of another length are noticed. */
  readonly decoded: readonly string[]
  /** Events irrelevant to trades, launches, pools and holders: claimed fees, settings, the program's own accounts. */
  readonly notNeeded: readonly string[]
}

const words = (text: string): string[] => text.trim().split(/\s+/)

export const PROGRAMS: readonly Names[] = [
  {
    label: 'pump',
    sources: ['pump-2026-10.md', 'package'],
    asOf: '2026-10-10',
    named: { instructions: ['admin_set_creator'], events: ['AdminSetCreatorEvent'] },
    decoded: words(`
      TradeEvent PostCompleteBuyEvent CreateEvent CompleteEvent CompletePumpAmmMigrationEvent AdminCtoEvent
      MigrateBondingCurveCreatorEvent SetCreatorEvent SetMetaplexCreatorEvent`),
    notNeeded: words(`
      AddQuoteControlMintEvent AdminSetCreatorEvent AdminSetIdlAuthorityEvent AdminUpdateTokenIncentivesEvent
      ClaimCashbackEvent ClaimTokenIncentivesEvent CloseUserVolumeAccumulatorEvent CollectCreatorFeeEvent
      DistributeCreatorFeesEvent DistributeFeeToHoldersEvent ExtendAccountEvent InitUserVolumeAccumulatorEvent
      MinimumDistributableFeeEvent RemoveQuoteControlMintEvent ReservedFeeRecipientsEvent
      SetParamsEvent SetQuoteControlAdminEvent SetQuoteControlMintReservesEvent
      SetQuoteControlReservesAdminEvent SweepBondingCurveFeeEvent SyncUserVolumeAccumulatorEvent UpdateCreatorFeeConfigEvent
      UpdateGlobalAuthorityEvent UpdateMayhemVirtualParamsEvent`),
  },
  {
    label: 'pump_amm',
    sources: ['pump-2026-10.md', 'package'],
    asOf: '2026-10-10',
    decoded: words(`
      BuyEvent SellEvent CreatePoolEvent BoostBuyAndBurnEvent DepositEvent WithdrawEvent AdminCtoPoolEvent
      AdminSetCoinCreatorEvent MigratePoolCoinCreatorEvent SetBondingCurveCoinCreatorEvent SetMetaplexCoinCreatorEvent`),
    notNeeded: words(`
      AdminSetCoinCreatorFeeEditableEvent AdminUpdateTokenIncentivesEvent
      ClaimCashbackEvent ClaimTokenIncentivesEvent CloseUserVolumeAccumulatorEvent CollectCoinCreatorFeeEvent CreateConfigEvent
      DisableEvent ExtendAccountEvent InitBoostEvent InitUserVolumeAccumulatorEvent
      ReservedFeeRecipientsEvent SetBoostAuthorityEvent SetCoinCreatorFeeBpsEvent
      SweepPoolFeeEvent SyncUserVolumeAccumulatorEvent UpdateAdminEvent UpdateCreatorFeeConfigEvent
      UpdateFeeConfigEvent`),
  },
  {
    label: 'pump_fees',
    sources: ['pump-2026-10.md', 'package'],
    asOf: '2026-10-10',
    named: { instructions: ['reset_fee_sharing_config', 'reset_fee_sharing_config_v2'] },
    decoded: words('CreateFeeSharingConfigEvent UpdateFeeSharesEvent ResetFeeSharingConfigEvent'),
    notNeeded: words(`
      DonationFeePdaCranked DonationFeePdaCreated ExtendFeeConfigEvent InitializeFeeConfigEvent
      InitializeFeeProgramGlobalEvent SetAuthorityEvent SetClaimRateLimitEvent SetDisableFlagsEvent
      SetExoticFlatFeesEvent SetSocialClaimAuthorityEvent SocialFeePdaClaimed SocialFeePdaCreated SweepBuybackEvent
      UpdateAdminEvent UpdateFeeConfigEvent UpdateStableFeeConfigEvent UpsertFeeTiersEvent
      UpsertStableFeeTiersEvent`),
  },
  {
    label: 'launchlab',
    sources: ['idl/raydium_launchlab_idl.json'],
    asOf: '2026-04-30',
    named: {
      // the first three are in the crate carbon-raydium-launchpad-decoder 2.0.0
      instructions: words(`close_platform_global_access create_platform_global_access create_platform_vesting_account
        initialize_with_permission`),
    },
    decoded: words('TradeEvent PoolCreateEvent'),
    notNeeded: words('ClaimVestedEvent CreateVestingEvent'),
  },
  {
    label: 'meteora_dbc',
    sources: ['package', 'real2/meteora/dbc.idl.json.gz'],
    asOf: '2026-11-27',
    decoded: words(`EvtInitializePool EvtInitializePoolWithTransferHook EvtSwap EvtSwap2 EvtSwap2WithTransferHook
      EvtCurveComplete EvtCurveCompleteWithTransferHook EvtCreateConfigV2 EvtCreateConfigV2WithTransferHook
      EvtUpdatePoolCreator`),
    notNeeded: words(`
      EvtClaimCreatorTradingFee EvtClaimPoolCreationFee EvtClaimProtocolFee EvtClaimProtocolFee2
      EvtClaimProtocolLiquidityMigrationFee EvtClaimTradingFee EvtCloseClaimFeeOperator EvtCloseTokenBadge
      EvtCreateClaimFeeOperator EvtCreateConfig
      EvtCreateMeteoraMigrationMetadata EvtCreateTokenBadge EvtCreatorWithdrawSurplus EvtPartnerClaimPoolCreationFee
      EvtPartnerMetadata EvtPartnerWithdrawMigrationFee EvtPartnerWithdrawSurplus EvtVirtualPoolMetadata
      EvtWithdrawLeftover EvtWithdrawMigrationFee`),
  },
  {
    label: 'damm_v2',
    sources: ['package', 'real2/meteora/damm_v2.idl.json.gz'],
    asOf: '2026-11-27',
    decoded: words('EvtInitializePool EvtSwap2 EvtLiquidityChange EvtPermanentLockPosition'),
    notNeeded: words(`
      EvtClaimPartnerFee EvtClaimPositionFee EvtClaimProtocolFee EvtClaimProtocolFee2 EvtClaimReward EvtCloseConfig
      EvtClosePosition EvtCreateConfig EvtCreateDynamicConfig EvtCreatePosition EvtCreateTokenBadge EvtFundReward
      EvtInitializeReward EvtLockPosition EvtSetPoolStatus EvtSplitPosition2
      EvtSplitPosition3 EvtUpdateDelegatePermission EvtUpdatePoolFees EvtUpdateRewardDuration EvtUpdateRewardFunder
      EvtWithdrawDeadLiquidityReward EvtWithdrawIneligibleReward`),
  },
  {
    label: 'boop',
    sources: ['boop.md'],
    asOf: '2026-04-30',
    decoded: words(
      'TokenBoughtEvent TokenSoldEvent BondingCurveDeployedEvent BondingCurveDeployedFallbackEvent TokenGraduatedEvent',
    ),
    notNeeded: words(`
      AuthorityTransferCancelledEvent AuthorityTransferCompletedEvent AuthorityTransferInitiatedEvent BondingCurveVaultClosedEvent
      ConfigUpdatedEvent LiquidityDepositedIntoRaydiumEvent OperatorsAddedEvent OperatorsRemovedEvent PausedToggledEvent
      RaydiumLiquidityLockedEvent SwapSolForTokensOnRaydiumEvent SwapTokensForSolOnRaydiumEvent TokenCreatedEvent
      RaydiumPoolCreatedEvent RaydiumRandomPoolCreatedEvent TokenCreatedFallbackEvent TradingFeesCollectedEvent TradingFeesSplitEvent`),
  },
  {
    label: 'moonit',
    sources: ['package'],
    asOf: '2026-11-27',
    decoded: ['TradeEvent'],
    notNeeded: ['MigrationEvent'],
  },
]

/** The newest published interface first; what only an older one names is known from old blocks. */
export function sourcesOf({ label, sources, named = {} }: Names): readonly Idl[] {
  const found = sources.map((source) =>
    source === 'package' ? IDLS[label as Program] : source.endsWith('.md') ? pageOf(source)[label]! : readIdl(source),
  )
  return [...found, onlyNamed(found[0]!.address, named)]
}

/** A page beside this file, or beside the project. */
function pageOf(name: string): Readonly<Record<string, Idl>> {
  const own = join(import.meta.dirname, name)
  return readPage(readFileSync(existsSync(own) ? own : join(DATA, 'idl', name), 'utf8'))
}

function readIdl(file: string): Idl {
  const bytes = readFileSync(join(DATA, file))
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as Idl
}

function onlyNamed(address: string, { instructions = [], events = [] }: NonNullable<Names['named']>): Idl {
  const tagged = (kind: string) => (name: string) => ({
    name,
    discriminator: [...createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)],
    accounts: [],
  })
  return { address, instructions: instructions.map(tagged('global')), events: events.map(tagged('event')), types: [] }
}

function layoutOf({ types }: Idl, event: string): string {
  const defined = new Map(types.map(({ name, type }) => [name, type]))
  const widths = widthsOf(defined.get(event), defined)
  if (widths === null) throw new Error(`${event} has a layout that the table cannot express`)
  return widths
}

const hexOf = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex')

export interface Table {
  readonly label: string
  readonly asOf: string
  readonly events: readonly (readonly [discriminator: string, name: string, widths: string])[]
  /** Discriminators. */
  readonly instructions: string
}

/** By the program's address. */
export function makeTables(): Record<string, Table> {
  return Object.fromEntries(
    PROGRAMS.map((program) => {
      const { label, asOf, decoded, notNeeded } = program
      const sources = sourcesOf(program)
      const known = new Map(
        sources.toReversed().flatMap((idl) => idl.events.map((event) => [event.name, { ...event, idl }])),
      )
      const events = [...known.values()]
        .filter(({ name }) => decoded.includes(name) || notNeeded.includes(name))
        .map(({ name, discriminator, idl }) => {
          return [hexOf(discriminator), name, decoded.includes(name) ? layoutOf(idl, name) : ''] as const
        })
        .sort(([, a], [, b]) => (a < b ? -1 : 1))
      const instructions = sources.flatMap((idl) => idl.instructions.map(({ discriminator }) => hexOf(discriminator)))
      return [sources[0]!.address, { label, asOf, events, instructions: [...new Set(instructions)].sort().join(' ') }]
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
 * v34: a list of 34-byte elements; e8,0: a byte that selects a width). \`instructions\`: discriminators. \`asOf\`: the last day
 * on which a published interface was seen.
 */
export interface Idl {
  readonly label: string
  readonly asOf: string
  readonly events: readonly (readonly [discriminator: string, name: string, widths: string])[]
  readonly instructions: string
}

export const IDL_TABLE: Readonly<Record<string, Idl>> = ${text}
`)
}
