import type { AnyOperationId } from './endpoints.ts'

/** The tools of the MCP face in the order in which a model is to think of them, with the texts by which it chooses. */

/** `short`: as far as ANSWER_BYTES goes. `full`: as over REST. `windows`: the operation of that name, at the same price. */
export const DETAILS = ['short', 'full', 'windows'] as const
export type Detail = (typeof DETAILS)[number]

/**
 * Bytes of an answer without `limit` and `detail`: 8,000 tokens at 1.5 bytes a token. Two public tokenizers make a token of 1.6 bytes
 * of base58, of 2 to 3 bytes of our other JSON.
 */
export const ANSWER_BYTES = 12_000

/** Snapshots that fit: a batch is paid by the token, so that none may be left out. */
export const BATCH_SHORT = 10

export interface ToolRow {
  readonly operation: AnyOperationId
  /** with `detail: "windows"` */
  readonly windows?: AnyOperationId
  /** with `limit` or `cursor` */
  readonly paged?: AnyOperationId
  /** The question it answers, in the words of those who ask, and how much that is. */
  readonly text: string
  /** The answer is shorter than ANSWER_BYTES: neither `limit` nor `detail` change it. */
  readonly isShort?: true
  /** Arguments that are not given, where REST would answer more. */
  readonly defaults?: Readonly<Record<string, string>>
}

/** rows of a page: as many as fit */
const page = (limit: number) => ({ limit: String(limit) })

const CARDS = '300 tokens a card, the first 15 or so; `limit` up to 50.'

export const TOOL_ROWS = {
  check_token: {
    operation: 'check',
    text: 'Start here, also where a token (coin, mint) is brand new and launched seconds ago. Is it safe to buy, is it clean, can you trust it, or is it a scam, a rug (pull)? The verdict in at most 600 characters: its colour, its age, the worst red flags first, and what is not known. 250 tokens.',
    isShort: true,
  },
  who_is_behind: {
    operation: 'who',
    text: 'The people behind a token (coin): who launched it (deployer, dev, creator) and their record before it; insiders; coordinated (bundled) groups, wallets that work together, and who funded them; known actors; the largest holders with what they paid and made. What changed, when and why: the changes of the verdict, exits and sales of the last minutes. How likely (the odds) a drain or a halving of the price is: counts of what became of tokens like it. At most 8,000 tokens.',
  },
  explain_score: {
    operation: 'explain',
    text: 'Why a score or rating is so low or high and where it comes from: the sum broken down, reasons, wallets of each share, pump and dump conditions. At most 8,000 tokens.',
  },
  scan_token: {
    operation: 'snapshot',
    text: 'All numbers of a token: market cap, holders count, bundles, score, ratings, cohorts, signals, KOLs; its name, website, Twitter, Telegram and social links, and whether name, image or links were reused: a copy of an earlier token. 1,000 tokens; `fields` picks groups.',
  },
  scan_tokens: {
    operation: 'batch',
    text: `Compare and rank several tokens (two, three, five mints) by score and ratings: which looks worst, which to avoid. Up to ${BATCH_SHORT}, 400 tokens each (status, market, bundles, score, signals, ratings); with \`detail: "full"\` 50 and all groups, 1,000 tokens each.`,
    defaults: { fields: 'status,market,bundles,score,signals,ratings' },
  },
  token_trades: {
    operation: 'trades',
    paged: 'history',
    text: 'The trades of a token (coin), the last first: who bought or sold recently, every buy and sell with wallet, SOL and time, and the record of who made it. For those of the top holder or a whale, compare `user_address`. 375 tokens a trade, 15 unless `limit` (up to 100) asks for a page; `cursor` goes on to earlier trades.',
    defaults: page(12),
  },
  profile_wallet: {
    operation: 'trader',
    windows: 'trader_windows',
    text: 'Is a wallet (address) a good trader, smart money? Its track record over all tokens: win rate, PnL, ROI, holding time, impact of its sales. With `detail: "windows"` instead its profit over the last 7 and 30 days. 850 tokens.',
    isShort: true,
  },
  wallet_positions: {
    operation: 'positions',
    text: 'What a wallet (address) holds now and in which tokens it is in profit: its positions (portfolio), token by token, with what it paid and made. 200 tokens each, 20 a page; `cursor` goes on.',
    defaults: page(20),
  },
  deployer_history: {
    operation: 'deployer',
    windows: 'deployer_windows',
    text: 'The past launches of a deployer (dev, developer) wallet with their peaks, how many it launched and how many graduated. Has it rugged before, is it a serial rugger? With `detail: "windows"` instead how many launches were rugs or drained in the last 7 and 30 days. 200 tokens a launch, 20 a page; `limit` up to 100, `offset` goes on.',
    defaults: page(20),
  },
  actor_profile: {
    operation: 'actor',
    text: 'An actor (`act_…`): the same people seen across tokens. Its wallets, the other tokens it was in with results, its deployers, and the evidence that the wallets belong together. The id is in the answers of `who_is_behind`. At most 8,000 tokens.',
  },
  list_new_tokens: {
    operation: 'new',
    text: `The newest tokens (coins): those that just launched, latest launches first, without what the rug filters drop. ${CARDS}`,
  },
  list_pumping_tokens: {
    operation: 'pumps',
    text: `What is pumping (trending) right now: tokens with the strongest inflow of 5 minutes at the moment first. ${CARDS}`,
  },
  list_graduated_tokens: {
    operation: 'graduated',
    text: `Tokens that recently graduated: migrated from (left) the bonding curve to a pool. ${CARDS}`,
  },
  list_agent_buys: {
    operation: 'agents',
    text: `What the top (best, smartest) trading agents, the bots, are buying: their 20 latest buys. ${CARDS}`,
  },
  outlook_accuracy: {
    operation: 'accuracy',
    text: 'How good, how often right and how accurate the outlook was so far: for drains, halvings and buys, what had been said against what came true. 1,900 tokens.',
    isShort: true,
  },
} as const satisfies Readonly<Record<string, ToolRow>>
