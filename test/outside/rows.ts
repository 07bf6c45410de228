import { createHash } from 'node:crypto'
import * as kit from '@solana/kit'
import * as token from '@solana-program/token'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { IDL_TABLE } from '@ti/core/decode/idl-table.ts'
import * as svm from '@x402/svm'
import type { Exempt, Row, Said } from './table.ts'
import {
  dexParser,
  dexParserTips,
  eventHex,
  fixedAccount,
  IDLS,
  inRuntime,
  instructionHex,
  memoPrograms,
  type Program,
  PUBLISHED,
} from './witness.ts'

const said = (by: string, ...values: readonly string[]): Said => ({ by, values })
const byIdl = (program: Program): Said => said(PUBLISHED[program], IDLS[program].address)
const byParser = (name: string): Said => said('npm solana-dex-parser', dexParser.DEX_PROGRAMS[name]!.id)
const byAccount = (program: Program, instruction: string, account: string): Said =>
  said(`${PUBLISHED[program]}, ${instruction}.${account}`, fixedAccount(program, instruction, account))

const SYSTEM = fixedAccount('pump', 'buy', 'system_program')
/** Spelled out by whoever ground it; the runtime's machine code has its bytes. */
const INCINERATOR = '1nc1nerator'.padEnd(43, '1')
const burnt = inRuntime(Buffer.from(keyFromBase58(INCINERATOR) ?? '', 'latin1')) ? [INCINERATOR] : []

/** Both programs of Meteora hold their pools' tokens under one address of their own. */
const METEORA = [dexParser.DEX_PROGRAMS.METEORA_DBC!.id, dexParser.DEX_PROGRAMS.METEORA_DAMM_V2!.id]
const METEORA_AUTHORITIES = await Promise.all(
  METEORA.map(async (program) => {
    const seeds = ['pool_authority']
    return (await kit.getProgramDerivedAddress({ programAddress: kit.address(program), seeds }))[0]
  }),
)

const address = (fact: string, at: Row['at'], ...witnesses: readonly Said[]): Row => ({
  fact,
  kind: 'address',
  at,
  must: 'one',
  said: witnesses,
})

const ADDRESSES: readonly Row[] = [
  address('the pump program', ['#PUMP_TEXT'], byIdl('pump'), byParser('PUMP_FUN'), byAccount('pump', 'buy', 'program')),
  address(
    'the PumpSwap program',
    ['#PUMPSWAP_TEXT'],
    byIdl('pump_amm'),
    byParser('PUMP_SWAP'),
    byAccount('pump', 'migrate', 'pump_amm'),
  ),
  address('the LaunchLab program', ['#LAUNCHLAB_TEXT'], byIdl('launchlab'), byParser('RAYDIUM_LCP')),
  address('the mayhem program', ['#MAYHEM_TEXT'], byAccount('pump', 'create_v2', 'mayhem_program_id')),
  address(
    "pump's fee program",
    ['#PUMP_FEES_TEXT'],
    byAccount('pump', 'buy', 'fee_program'),
    byAccount('pump_amm', 'buy', 'fee_program'),
    said('npm solana-dex-parser', ...dexParser.SKIP_PROGRAM_IDS),
  ),
  address(
    'the SPL Token program',
    ['#TOKEN_TEXT'],
    said('npm @solana-program/token', token.TOKEN_PROGRAM_ADDRESS),
    said('npm @x402/svm', svm.TOKEN_PROGRAM_ADDRESS),
    byAccount('pump', 'create', 'token_program'),
  ),
  address(
    'the Token-2022 program',
    ['#TOKEN_2022_TEXT'],
    said('npm @x402/svm', svm.TOKEN_2022_PROGRAM_ADDRESS),
    byAccount('pump', 'create_v2', 'token_program'),
  ),
  address(
    'the associated token program',
    ['#ASSOCIATED_TOKEN_TEXT'],
    said('npm @solana-program/token', token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS),
    byAccount('pump', 'create', 'associated_token_program'),
  ),
  address(
    'the mint of wrapped SOL',
    ['#WRAPPED_SOL', '#SOL_MINT', 'packages/service/src/config/options.ts#PRICE_URLS'],
    byAccount('pump', 'migrate', 'wsol_mint'),
    said('npm solana-dex-parser', dexParser.TOKENS.SOL!),
  ),
  address(
    'the mint of USDC',
    ['#USDC_TEXT', '#USDC_MINT', '#PAYMENT.asset'],
    said('npm @x402/svm', svm.USDC_MAINNET_ADDRESS),
    said('npm solana-dex-parser', dexParser.TOKENS.USDC!),
  ),
  address('the mint of USDC on devnet', ['#PLAY.asset'], said('npm @x402/svm', svm.USDC_DEVNET_ADDRESS)),
  address('the mint of USD1', ['#USD1'], said('npm solana-dex-parser', dexParser.TOKENS.USD1!)),
  address(
    'the system program',
    ['#SYSTEM_PROGRAM'],
    said(PUBLISHED.pump, SYSTEM),
    said('npm solana-dex-parser', dexParser.TOKENS.NATIVE!),
  ),
  address(
    'the compute budget program',
    ['#COMPUTE_BUDGET_PROGRAM', '#COMPUTE_BUDGET'],
    said('npm @x402/svm', svm.COMPUTE_BUDGET_PROGRAM_ADDRESS),
  ),
  address(
    'the memo program of payments',
    ['#MEMO_PROGRAM'],
    said('npm @x402/svm', svm.MEMO_PROGRAM_ADDRESS),
    said('npm @solana-program/memo', memoPrograms.v3),
  ),
  {
    fact: 'programs beside the token programs that a plain sending of tokens consists of',
    kind: 'address',
    at: ['packages/core/src/decode/plain-transfers.ts#SENDING'],
    must: 'all',
    said: [
      said(
        'npm @x402/svm and @solana-program/memo',
        svm.COMPUTE_BUDGET_PROGRAM_ADDRESS,
        svm.LIGHTHOUSE_PROGRAM_ADDRESS,
        ...Object.values(memoPrograms),
      ),
    ],
  },
  {
    fact: "tip accounts of Jito's block engine",
    kind: 'address',
    at: ['#TIP_ACCOUNTS_TEXT'],
    must: 'all',
    said: [said('npm solana-dex-parser', ...dexParserTips)],
  },
  {
    fact: 'owners that hold for nobody',
    kind: 'address',
    at: ['packages/core/src/engine/constants.ts#EXCLUDED_OWNERS'],
    must: 'some',
    least: [SYSTEM, INCINERATOR, ...dexParser.PUMPFUN_MIGRATORS],
    said: [
      said(
        `${PUBLISHED.pump}, the runtime in npm litesvm, npm solana-dex-parser`,
        SYSTEM,
        ...burnt,
        ...dexParser.PUMPFUN_MIGRATORS,
        ...METEORA_AUTHORITIES,
      ),
    ],
  },
]

/** First eight bytes of SHA-256, as Anchor derives what its interfaces list. */
const anchorHex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
const globalHex = (name: string): string => anchorHex(`global:${name}`)
const anchor = (text: string): Said => said(`SHA-256 of "${text}"`, anchorHex(text))
const discriminator = (fact: string, at: Row['at'], ...witnesses: readonly Said[]): Row => ({
  fact,
  kind: 'discriminator',
  at,
  must: 'one',
  said: witnesses,
})
const event = (program: Program, name: string, ...at: Row['at']): Row =>
  discriminator(`${program}.${name}`, at, said(PUBLISHED[program], eventHex(program, name)), anchor(`event:${name}`))
const call = (program: Program, name: string, ...at: Row['at']): Row =>
  discriminator(
    `${program}: ${name}`,
    at,
    said(PUBLISHED[program], instructionHex(program, name)),
    anchor(`global:${name}`),
  )
const calls = (program: Program, pattern: RegExp): Said =>
  said(
    PUBLISHED[program],
    ...IDLS[program].instructions.flatMap(({ name }) => (pattern.test(name) ? [instructionHex(program, name)] : [])),
  )

/** Newer than the interface in npm. */
const SWAPS_V2 = ['buy_v2', 'sell_v2', 'buy_exact_quote_in_v2'].map(globalHex)

const SIM = 'packages/lab/src/simulator/payload.ts#'

const DISCRIMINATORS: readonly Row[] = [
  discriminator('the mark of an event that a program sends to itself', ['#SELF_CPI'], {
    by: 'SHA-256 of "anchor:event", as a little-endian number',
    values: [
      Buffer.from(createHash('sha256').update('anchor:event').digest().subarray(0, 8)).reverse().toString('hex'),
    ],
  }),
  event('pump', 'TradeEvent', 'packages/core/src/decode/pump.ts#TRADE', `${SIM}DISCRIMINATOR.trade`),
  event('pump', 'CreateEvent', 'packages/core/src/decode/pump.ts#CREATE', `${SIM}DISCRIMINATOR.create`),
  event('pump', 'CompleteEvent', 'packages/core/src/decode/pump.ts#COMPLETE', `${SIM}DISCRIMINATOR.complete`),
  event(
    'pump',
    'CompletePumpAmmMigrationEvent',
    'packages/core/src/decode/pump.ts#MIGRATION',
    `${SIM}DISCRIMINATOR.migration`,
  ),
  event('pump_amm', 'BuyEvent', 'packages/core/src/decode/pumpswap.ts#BUY', `${SIM}DISCRIMINATOR.buy`),
  event('pump_amm', 'SellEvent', 'packages/core/src/decode/pumpswap.ts#SELL', `${SIM}DISCRIMINATOR.sell`),
  event(
    'pump_amm',
    'CreatePoolEvent',
    'packages/core/src/decode/pumpswap.ts#CREATE_POOL',
    `${SIM}DISCRIMINATOR.createPool`,
  ),
  event('pump_amm', 'DepositEvent', 'packages/core/src/decode/pumpswap.ts#DEPOSIT'),
  event('pump_amm', 'WithdrawEvent', 'packages/core/src/decode/pumpswap.ts#WITHDRAW'),
  call('pump_amm', 'deposit', 'packages/core/src/decode/pumpswap-liquidity.ts#CALLS.deposit'),
  call('pump_amm', 'withdraw', 'packages/core/src/decode/pumpswap-liquidity.ts#CALLS.withdraw'),
  event('launchlab', 'TradeEvent', 'packages/core/src/decode/launchlab.ts#TRADE'),
  event('launchlab', 'PoolCreateEvent', 'packages/core/src/decode/launchlab.ts#POOL_CREATE'),
  {
    fact: 'events that state a time',
    kind: 'discriminator',
    at: ['packages/lab/src/import/timestamp.ts#TIMES'],
    must: 'all',
    said: [
      said(
        `${PUBLISHED.pump}, ${PUBLISHED.pump_amm}`,
        eventHex('pump', 'TradeEvent'),
        eventHex('pump', 'CreateEvent'),
        eventHex('pump_amm', 'BuyEvent'),
        eventHex('pump_amm', 'SellEvent'),
      ),
    ],
  },
  {
    fact: 'instructions of pump that trade',
    kind: 'discriminator',
    at: ['packages/core/src/decode/pump.ts#CALLS'],
    must: 'all',
    said: [
      said(
        `${PUBLISHED.pump}, and SHA-256 of the names in pump-public-docs at 2293f9a6`,
        ...calls('pump', /^(buy|sell)/).values,
        ...['buy_v3', 'sell_v3', 'buy_exact_quote_in_v3'].map(globalHex),
      ),
    ],
  },
  {
    fact: 'instructions of PumpSwap that swap',
    kind: 'discriminator',
    at: ['packages/core/src/decode/pumpswap.ts#SWAPS'],
    must: 'some',
    least: [...calls('pump_amm', /^(buy|sell)/).values, ...SWAPS_V2],
    said: [
      said(
        `${PUBLISHED.pump_amm}, and SHA-256 of the names in pump-public-docs at 8cda1fa3`,
        ...calls('pump_amm', /buy|sell/).values,
        ...SWAPS_V2,
      ),
    ],
  },
  discriminator(
    'pump_amm: multi_hop_swap',
    ['packages/core/src/decode/pumpswap.ts#MULTI_HOP'],
    anchor('global:multi_hop_swap'),
  ),
  call('pump', 'create_v2', `${SIM}CALL.create`),
  call('pump', 'buy', `${SIM}CALL.buy`),
  call('pump', 'sell', `${SIM}CALL.sell`),
  call('pump', 'buy_exact_sol_in', `${SIM}CALL.buyExact`),
  call('pump', 'buy_v2', `${SIM}CALL.buyV2`),
  call('pump', 'sell_v2', `${SIM}CALL.sellV2`),
  call('pump', 'migrate', `${SIM}CALL.migrate`),
  call('pump_amm', 'create_pool', `${SIM}CALL.createPool`),
  discriminator(
    "a router's instruction (Jupiter's shared_accounts_route)",
    ['packages/lab/src/simulator/scene.ts#ROUTE'],
    anchor('global:shared_accounts_route'),
  ),
]

/** our name of a node's answer → its name in kit */
const RPC: Readonly<Record<string, number>> = {
  cleanedUp: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  notAvailable: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  unhealthy: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  skipped: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  skippedOrLost: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  noHistory: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_HISTORY_NOT_AVAILABLE,
  notYet: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_STATUS_NOT_AVAILABLE_YET,
  unknownVersion: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  behind: kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  badParams: kit.SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  internal: kit.SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR,
}
const DBC = 'packages/core/src/decode/meteora-dbc.ts#'
const DAMM = 'packages/core/src/decode/meteora-damm.ts#'
const DAMM_CALL = 'packages/core/src/decode/damm-liquidity.ts#CALL.'

const METEORA_ROWS: readonly Row[] = [
  address("Meteora's bonding curves", ['#METEORA_DBC_TEXT'], byParser('METEORA_DBC')),
  address("Meteora's DAMM v2", ['#METEORA_DAMM_TEXT'], byParser('METEORA_DAMM_V2')),
  address(
    'owner of the tokens of all its curves',
    ['#METEORA_DBC_AUTHORITY'],
    said('its seeds', METEORA_AUTHORITIES[0]!),
  ),
  address(
    'owner of the tokens of all its pools',
    ['#METEORA_DAMM_AUTHORITY'],
    said('its seeds', METEORA_AUTHORITIES[1]!),
  ),
  event('meteora_dbc', 'EvtInitializePool', `${DBC}INITIALIZE_POOL`),
  event('meteora_dbc', 'EvtInitializePoolWithTransferHook', `${DBC}INITIALIZE_POOL_HOOKED`),
  event('meteora_dbc', 'EvtSwap', `${DBC}SWAP`),
  event('meteora_dbc', 'EvtSwap2', `${DBC}SWAP2`),
  event('meteora_dbc', 'EvtSwap2WithTransferHook', `${DBC}SWAP2_HOOKED`),
  event('meteora_dbc', 'EvtCurveComplete', `${DBC}CURVE_COMPLETE`),
  event('meteora_dbc', 'EvtCurveCompleteWithTransferHook', `${DBC}CURVE_COMPLETE_HOOKED`),
  event('damm_v2', 'EvtInitializePool', `${DAMM}INITIALIZE_POOL`),
  event('damm_v2', 'EvtSwap2', `${DAMM}SWAP2`),
  call('meteora_dbc', 'swap', `${DBC}CALL.swap`),
  call('meteora_dbc', 'swap2', `${DBC}CALL.swap2`),
  call('meteora_dbc', 'swap2_with_transfer_hook', `${DBC}CALL.swap2Hooked`),
  call('meteora_dbc', 'initialize_virtual_pool_with_spl_token', `${DBC}CALL.createSpl`),
  call('meteora_dbc', 'initialize_virtual_pool_with_token2022', `${DBC}CALL.create2022`),
  call('meteora_dbc', 'initialize_virtual_pool_with_token2022_transfer_hook', `${DBC}CALL.createHooked`),
  call('meteora_dbc', 'create_config', `${DBC}CALL.createConfig`),
  call('meteora_dbc', 'migration_damm_v2', `${DBC}CALL.migrateDammV2`),
  call('meteora_dbc', 'migrate_meteora_damm', `${DBC}CALL.migrateDammV1`),
  event('damm_v2', 'EvtLiquidityChange', `${DAMM}LIQUIDITY_CHANGE`),
  event('damm_v2', 'EvtPermanentLockPosition', `${DAMM}PERMANENT_LOCK`),
  call('damm_v2', 'add_liquidity', `${DAMM_CALL}add`),
  call('damm_v2', 'remove_liquidity', `${DAMM_CALL}remove`),
  call('damm_v2', 'remove_all_liquidity', `${DAMM_CALL}removeAll`),
  {
    fact: 'events that state the configuration of a curve',
    kind: 'discriminator',
    at: [`${DBC}CREATE_CONFIG`],
    must: 'all',
    said: [
      said(
        'SHA-256 of the names of both',
        ...['EvtCreateConfigV2', 'EvtCreateConfigV2WithTransferHook'].map((name) => anchorHex(`event:${name}`)),
      ),
    ],
  },
  event('meteora_dbc', 'EvtUpdatePoolCreator', `${DBC}UPDATE_CREATOR`),
  {
    fact: 'instructions of DAMM v2 that swap',
    kind: 'discriminator',
    at: [`${DAMM}CALLS`],
    must: 'all',
    said: [calls('damm_v2', /^swap/), said('SHA-256', ...['swap', 'swap2'].map(globalHex))],
  },
]

const MOONIT = 'packages/core/src/decode/moonit.ts#'

const MOONIT_ROWS: readonly Row[] = [
  address('the Moonit program', ['#MOONIT_TEXT'], byIdl('moonit'), byParser('MOONIT')),
  event('moonit', 'TradeEvent', `${MOONIT}TRADE`),
  call('moonit', 'token_mint', `${MOONIT}CALL.tokenMint`),
  call('moonit', 'buy', `${MOONIT}CALL.buy`),
  call('moonit', 'sell', `${MOONIT}CALL.sell`),
  call('moonit', 'migrate_funds', `${MOONIT}CALL.migrateFunds`),
]

/** One is retired, and the interface of PumpSwap among the packages lacks another: Anchor's rule speaks for all. */
const changes = (list: string, ...names: string[]): Row => ({
  fact: 'events that change the creator of a token',
  kind: 'discriminator',
  at: [`packages/core/src/decode/creators.ts#${list}`],
  must: 'all',
  said: [said('SHA-256 of "event:" and the name', ...names.map((name) => anchorHex(`event:${name}`)))],
})
const FEES = 'packages/core/src/decode/pump-fees.ts#'

const CREATORS: readonly Row[] = [
  changes(
    'PUMP_CHANGES',
    ...['SetCreatorEvent', 'SetMetaplexCreatorEvent', 'MigrateBondingCurveCreatorEvent', 'AdminCtoEvent'],
  ),
  changes(
    'POOL_CHANGES',
    ...['SetBondingCurveCoinCreatorEvent', 'SetMetaplexCoinCreatorEvent', 'MigratePoolCoinCreatorEvent'],
    ...['AdminCtoPoolEvent', 'AdminSetCoinCreatorEvent'],
  ),
  event('pump_fees', 'CreateFeeSharingConfigEvent', `${FEES}CREATE`),
  event('pump_fees', 'UpdateFeeSharesEvent', `${FEES}UPDATE`),
  event('pump_fees', 'ResetFeeSharingConfigEvent', `${FEES}RESET`),
]

const BOOP = 'packages/core/src/decode/boop.ts#'
/** Its interface is in no package; `scripts/model/boop.md` says where the names are published. */
const boop = (name: string, kind: 'event' | 'global', ...at: Row['at']): Row =>
  discriminator(`Boop: ${name}`, at, anchor(`${kind}:${name}`))

const BOOP_ROWS: readonly Row[] = [
  address('the Boop program', ['#BOOP_TEXT'], byParser('BOOP_FUN')),
  boop('TokenBoughtEvent', 'event', `${BOOP}BOUGHT`),
  boop('TokenSoldEvent', 'event', `${BOOP}SOLD`),
  boop('BondingCurveDeployedEvent', 'event', `${BOOP}DEPLOYED`),
  boop('BondingCurveDeployedFallbackEvent', 'event', `${BOOP}DEPLOYED_FALLBACK`),
  boop('TokenGraduatedEvent', 'event', `${BOOP}GRADUATED`),
  boop('buy_token', 'global', `${BOOP}CALL.buy`),
  boop('sell_token', 'global', `${BOOP}CALL.sell`),
  boop('create_token', 'global', `${BOOP}CALL.create`),
  boop('create_token_fallback', 'global', `${BOOP}CALL.createFallback`),
  boop('deploy_bonding_curve', 'global', `${BOOP}CALL.deploy`),
  boop('deploy_bonding_curve_fallback', 'global', `${BOOP}CALL.deployFallback`),
  boop('create_meteora_pool', 'global', `${BOOP}CALL.createMeteoraPool`),
  boop('create_raydium_pool', 'global', `${BOOP}CALL.createRaydiumPool`),
  boop('create_raydium_random_pool', 'global', `${BOOP}CALL.createRandomPool`),
]

/** Of all programs whose events are read; `idl-table.test.ts` holds names and fields against the interface files. */
const KNOWN: readonly Row[] = [
  event('pump_amm', 'BoostBuyAndBurnEvent', 'packages/core/src/decode/pumpswap.ts#BOOST'),
  {
    fact: 'instructions of LaunchLab that end in a pool',
    kind: 'discriminator',
    at: ['packages/core/src/decode/launchlab.ts#MIGRATIONS'],
    must: 'all',
    said: [
      calls('launchlab', /^migrate_to/),
      said('SHA-256', ...['migrate_to_amm', 'migrate_to_cpswap'].map(globalHex)),
    ],
  },
  {
    fact: 'programs whose interfaces are known',
    kind: 'address',
    at: [/idl-table\.ts#IDL_TABLE/],
    must: 'all',
    said: [
      said(
        `npm solana-dex-parser, ${PUBLISHED.pump}`,
        ...['PUMP_FUN', 'PUMP_SWAP', 'RAYDIUM_LCP', 'METEORA_DBC', 'METEORA_DAMM_V2', 'MOONIT', 'BOOP_FUN'].map(
          (name) => dexParser.DEX_PROGRAMS[name]!.id,
        ),
        fixedAccount('pump', 'buy', 'fee_program'),
      ),
    ],
  },
  discriminator('pump.PostCompleteBuyEvent', ['#POST_COMPLETE_BUY'], anchor('event:PostCompleteBuyEvent')),
  {
    fact: 'events that the interfaces name',
    kind: 'discriminator',
    at: ['packages/core/src/decode/idl-table.ts#IDL_TABLE'],
    must: 'some',
    said: [
      said(
        'SHA-256 of "event:" and the name beside it',
        ...Object.values(IDL_TABLE).flatMap(({ events }) => events.map(([, name]) => anchorHex(`event:${name}`))),
      ),
    ],
  },
]

const RPC_CODES: readonly Row[] = [
  ...Object.entries(RPC).map(
    ([name, code]): Row => ({
      fact: `a node's error, ${name}`,
      kind: 'rpc code',
      at: [
        `packages/service/src/source/rpc/fetcher.ts#CODE.${name}`,
        ...(name === 'unknownVersion' ? [/fetcher\.ts#(TOO_OLD|VERSIONS)$/] : []),
      ],
      must: 'one',
      said: [said('npm @solana/kit', String(code))],
    }),
  ),
  {
    fact: 'a subscription that a node does not offer',
    kind: 'rpc code',
    at: ['packages/service/src/source/rpc/session.ts#NOT_OFFERED'],
    must: 'all',
    said: [
      said(
        'npm @solana/kit',
        String(kit.SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND),
        String(kit.SOLANA_ERROR__JSON_RPC__INVALID_REQUEST),
        String(kit.SOLANA_ERROR__JSON_RPC__INVALID_PARAMS),
      ),
    ],
  },
]

export const ROWS: readonly Row[] = [
  ...ADDRESSES,
  ...DISCRIMINATORS,
  ...METEORA_ROWS,
  ...MOONIT_ROWS,
  ...CREATORS,
  ...BOOP_ROWS,
  ...KNOWN,
  ...RPC_CODES,
]

/** Constants that no witness can speak for: made up here, or facts whose publisher is out of reach. */
export const EXEMPT: readonly Exempt[] = [
  { at: /^packages\/core\/src\/contract\/examples\.ts#/, kind: 'address', why: 'an invented token and its people' },
  { at: '#addressParameter.schema', kind: 'address', why: "the invented token's mint" },
  { at: 'example.test-data.ts#cardOf.mint', kind: 'address', why: 'an invented card' },
  {
    at: /parameters\.ts#(HIGHEST|LOWEST_43)$/,
    kind: 'address',
    why: 'bounds of what base58 can spell; base58.test.ts has them',
  },
  {
    at: /meteora-names\.ts#(SIGNERS|CONFIGS|STUDIO_MARK)$/,
    kind: 'address',
    why: 'accounts of launchpads, named in public documentation and fee adapters (cited there); no package has them',
  },
  { at: 'simulator/programs.ts#ROUTER', kind: 'address', why: 'a program that must be unknown' },
  {
    at: `${SIM}DISCRIMINATOR.mayhem`,
    kind: 'discriminator',
    why: 'no interface of the mayhem program is published; the golden transactions have it',
  },
  { at: 'outbound/json-rpc.ts#TOO_MANY', kind: 'rpc code', why: 'a provider’s own; no client of others names it' },
  { at: 'wallet/problems.ts#ALREADY_ASKED', kind: 'rpc code', why: 'wallets’ own; no package publishes it' },
]
