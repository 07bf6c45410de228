import { z } from 'zod'
import { Accuracy } from './accuracy.ts'
import { ActorProfile } from './actors.ts'
import { TokenBatch } from './batch.ts'
import { TokenExplanation } from './explain.ts'
import type { ParameterName } from './parameters.ts'
import { CursorPage, WalletPositions, WalletSummary } from './positions.ts'
import { DevSummary, DevToken, Meta, Page, SlotMeta, TokenCard, TokenSnapshot, Trade, Trader } from './resources.ts'
import { Check, Who } from './who.ts'
import { DeployerWindows, TraderWindows } from './windows.ts'

/** The operations, one row each: the single source of routes, OpenAPI document, price list and tools. */
export interface Endpoint {
  readonly id: string
  /** name in generated clients, where `id` is a word of their languages or of browsers */
  readonly operationId?: string
  /** OpenAPI template. */
  readonly path: string
  readonly parameters: readonly ParameterName[]
  /** Price in USDC units (6 decimals) per call, or per token found if a call covers several. */
  readonly priceUnits: number
  /** GET if absent. A POST takes its arguments in a JSON body, and is priced and counted by the tokens it finds. */
  readonly method?: 'POST'
  /** MCP tool that answers it (`tools.ts`), or null. */
  readonly tool: string | null
  /** Body of a 200. */
  readonly response: z.ZodType
  /** Condition of a 404, or null if there is none. */
  readonly notFound: string | null
  readonly summary: string
  readonly description: string
}

/** price of a call without a key, millionths of a USD */
export const PRICE = { snapshot: 20_000, other: 10_000, verdict: 30_000, people: 20_000 } as const

const answer = <T extends z.ZodType>(id: string, data: T) => z.object({ data, meta: Meta }).meta({ id })

/** A response of a further operation, with the slot in `meta`. */
const further = <T extends z.ZodType>(id: string, data: T) => z.object({ data, meta: SlotMeta }).meta({ id })

const Cards = answer('TokenCards', z.array(TokenCard).max(50))

export const isList = ({ response }: Pick<Endpoint, 'response'>): boolean => response === Cards

const list = <const Id extends string>(id: Id, tool: string | null, summary: string, description: string) => ({
  id,
  path: `/v1/tokens/${id}` as const,
  parameters: ['min_slot'] as const,
  priceUnits: PRICE.other,
  tool,
  response: Cards,
  notFound: null,
  summary,
  description,
})

export const ENDPOINTS = [
  {
    id: 'snapshot',
    path: '/v1/tokens/{mint}',
    parameters: ['mint', 'fields', 'at_slot', 'min_slot'],
    priceUnits: PRICE.snapshot,
    tool: 'scan_token',
    response: answer('TokenSnapshotAnswer', TokenSnapshot),
    notFound: 'the mint is not tracked',
    summary: 'Snapshot of a token',
    description: 'Everything known about who is behind one token, in ten groups.',
  },
  {
    id: 'trades',
    path: '/v1/tokens/{mint}/trades',
    parameters: ['mint', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'token_trades',
    response: answer('Trades', z.array(Trade).max(100)),
    notFound: 'the mint is not tracked',
    summary: 'Recent trades of a token',
    description: 'The 100 most recent trades, newest first, each with the trader’s record before that trade.',
  },
  {
    ...list(
      'new',
      'list_new_tokens',
      'New tokens',
      'Tokens of the last minutes that passed the rug filters, newest first.',
    ),
    operationId: 'new_tokens',
  },
  list('pumps', 'list_pumping_tokens', 'Pumping tokens', 'Tokens currently pumping, strongest 5-minute inflow first.'),
  list('graduated', 'list_graduated_tokens', 'Graduated tokens', 'Recently graduated tokens, newest first.'),
  list(
    'agents',
    'list_agent_buys',
    'Buys of the top agents',
    'The 20 most recent buys by the top trading agents, newest first.',
  ),
  list(
    'survivors',
    null,
    'Surviving tokens',
    'Tokens still alive 3 to 24 hours after their launch, highest market cap first.',
  ),
  {
    id: 'trader',
    path: '/v1/traders/{address}',
    parameters: ['address', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'profile_wallet',
    response: answer('TraderAnswer', Trader),
    notFound: 'no trade from the wallet has ever been seen',
    summary: 'Profile of a trader',
    description: 'A wallet’s history over every token it traded.',
  },
  {
    id: 'deployer',
    path: '/v1/devs/{address}/tokens',
    parameters: ['address', 'limit', 'offset', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'deployer_history',
    response: z
      .object({ data: z.array(DevToken).max(100), summary: DevSummary, meta: z.object({ ...Meta.shape, page: Page }) })
      .meta({ id: 'DeployerAnswer' }),
    notFound: 'the wallet has never deployed a tracked token',
    summary: 'Launches of a deployer',
    description: 'A page of the wallet’s launches, newest first, and a summary over all of them.',
  },
] as const satisfies readonly Endpoint[]

export type OperationId = (typeof ENDPOINTS)[number]['id']

/** Operations beyond the specification, with their own prices: the people behind a token, and across tokens. */
export const FURTHER_ENDPOINTS = [
  {
    id: 'who',
    path: '/v1/tokens/{mint}/who',
    parameters: ['mint', 'at_slot', 'min_slot'],
    priceUnits: PRICE.verdict,
    tool: 'who_is_behind',
    response: further('WhoAnswer', Who),
    notFound: 'the mint is not tracked',
    summary: 'Who is behind a token',
    description:
      'The verdict in words and numbers, worst first; people known from other tokens, coordinated groups with members, funders and the transactions their evidence rests on; the deployer’s record; the largest holders with what they paid and made; and what is not known.',
  },
  {
    id: 'check',
    path: '/v1/tokens/{mint}/check',
    parameters: ['mint', 'at_slot', 'min_slot'],
    priceUnits: PRICE.verdict,
    tool: 'check_token',
    response: further('CheckAnswer', Check),
    notFound: 'the mint is not tracked',
    summary: 'The verdict on a token, in short',
    description:
      'What `who` says in at most 600 characters: verdict and age, then what is worst, and what is not known.',
  },
  {
    id: 'explain',
    path: '/v1/tokens/{mint}/explain',
    parameters: ['mint', 'at_slot', 'min_slot'],
    priceUnits: PRICE.verdict,
    tool: 'explain_score',
    response: further('ExplanationAnswer', TokenExplanation),
    notFound: 'the mint is not tracked',
    summary: 'Why a token is scored and rated as it is',
    description:
      'The exact sum of the score, the reasons for the ratings, the wallets behind each share, the counts behind the outlook, the evidence of each group and the 24 signals.',
  },
  {
    id: 'actor',
    path: '/v1/actors/{id}',
    parameters: ['id', 'min_slot'],
    priceUnits: PRICE.people,
    tool: 'actor_profile',
    response: further('ActorAnswer', ActorProfile),
    notFound: 'there is no such actor',
    summary: 'The same people across tokens',
    description:
      'An actor’s wallets, tokens with dates and results, the deployers that serve it, its record, and the evidence that joins its wallets.',
  },
  {
    id: 'positions',
    path: '/v1/wallets/{wallet}/positions',
    parameters: ['wallet', 'limit', 'cursor', 'min_slot'],
    priceUnits: PRICE.people,
    tool: 'wallet_positions',
    response: z
      .object({
        data: WalletPositions,
        summary: WalletSummary,
        meta: z.object({ ...SlotMeta.shape, page: CursorPage }),
      })
      .meta({ id: 'PositionsAnswer' }),
    notFound: 'the wallet has never been seen',
    summary: 'Positions of a wallet',
    description:
      'What a wallet holds and what it made, token by token, newest first: the 20 tokens it traded last, the newest it launched and those of groups it was in.',
  },
  {
    id: 'history',
    operationId: 'trade_history',
    path: '/v1/tokens/{mint}/trades/history',
    parameters: ['mint', 'limit', 'cursor', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'token_trades',
    response: z
      .object({ data: z.array(Trade).max(100), meta: z.object({ ...SlotMeta.shape, page: CursorPage }) })
      .meta({ id: 'TradeHistory' }),
    notFound: 'the mint is not tracked, or the cursor is not one of its trades',
    summary: 'All trades of a token, page by page',
    description:
      'Every trade back to the first one seen, newest first, as in `trades`. A cursor names a trade, so new trades do not shift the pages.',
  },
  {
    id: 'trader_windows',
    path: '/v1/traders/{address}/windows',
    parameters: ['address', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'profile_wallet',
    response: further('TraderWindowsAnswer', TraderWindows),
    notFound: 'no trade from the wallet has ever been seen',
    summary: 'A trader’s last 7 and 30 days',
    description:
      'Buys, SOL spent and profit realised, from the record before the wallet’s first trade in the window to now. Every trade from `covered_from_slot` on is covered; that may not be the whole window for a wallet that trades neither often nor rarely.',
  },
  {
    id: 'deployer_windows',
    path: '/v1/devs/{address}/windows',
    parameters: ['address', 'min_slot'],
    priceUnits: PRICE.other,
    tool: 'deployer_history',
    response: further('DeployerWindowsAnswer', DeployerWindows),
    notFound: 'the wallet has never deployed a tracked token',
    summary: 'A deployer’s last 7 and 30 days',
    description: 'The summary over the launches of each window, and how many of them were drained or rugged.',
  },
] as const satisfies readonly Endpoint[]

export type FurtherOperationId = (typeof FURTHER_ENDPOINTS)[number]['id']

/** Operations on several tokens, beyond the specification. */
export const BATCH_ENDPOINTS = [
  {
    id: 'batch',
    method: 'POST',
    path: '/v1/tokens/batch',
    parameters: ['mints', 'fields', 'min_slot'],
    priceUnits: PRICE.snapshot,
    tool: 'scan_tokens',
    response: further('TokenBatchAnswer', TokenBatch),
    notFound: 'none of the mints is tracked',
    summary: 'Snapshots of up to 50 tokens',
    description:
      'The snapshot of each tracked mint with its slot, in the order of the request; a repeated mint counts once. Counted as one call for each token found.',
  },
] as const satisfies readonly Endpoint[]

export type BatchOperationId = (typeof BATCH_ENDPOINTS)[number]['id']

/** Free operations beyond the specification: counted as calls without a key, never charged. */
export const FREE_ENDPOINTS = [
  {
    id: 'accuracy',
    path: '/v1/accuracy',
    parameters: ['min_slot'],
    priceUnits: 0,
    tool: 'outlook_accuracy',
    response: further('AccuracyAnswer', Accuracy),
    notFound: null,
    summary: 'How good the outlook was',
    description:
      'For each question about what becomes of a token, by age and band: how often it came true, and what had been predicted.',
  },
] as const satisfies readonly Endpoint[]

export type FreeOperationId = (typeof FREE_ENDPOINTS)[number]['id']

export const PRICED_ENDPOINTS = [...ENDPOINTS, ...FURTHER_ENDPOINTS] as const

export const ALL_ENDPOINTS = [...PRICED_ENDPOINTS, ...BATCH_ENDPOINTS, ...FREE_ENDPOINTS] as const

export type AnyOperationId = OperationId | FurtherOperationId | BatchOperationId | FreeOperationId

export const methodOf = (endpoint: Pick<Endpoint, 'id' | 'method'>): 'GET' | 'POST' => endpoint.method ?? 'GET'

export const isFree = ({ priceUnits }: Pick<Endpoint, 'priceUnits'>): boolean => priceUnits === 0
