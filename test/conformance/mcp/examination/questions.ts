/**
 * What people ask an agent about memecoins. All wordings were written before the first change of the tools' texts; the texts
 * were tuned on `asked` and `tuned` only. `held` was looked at when the texts were done.
 */

/** `none`: no tool answers it, and the instructions say so. */
export type First = string | 'none'

export interface Question {
  readonly id: string
  readonly first: First
  readonly asked: string
  readonly tuned: readonly string[]
  readonly held: readonly string[]
}

export const QUESTIONS: readonly Question[] = [
  {
    id: 'safe',
    first: 'check_token',
    asked: 'Is this token safe to buy?',
    tuned: ['Should I ape into this coin or is it a scam?'],
    held: ['Quick check before I buy: any red flags on this mint?', 'Is it a bad idea to buy this token?'],
  },
  {
    id: 'who',
    first: 'who_is_behind',
    asked: 'Who is behind this token?',
    tuned: ['Which people and groups are in this coin, and what did they pay?'],
    held: ['Tell me who the people behind this mint are', 'Who are the insiders in this coin and what do they hold?'],
  },
  {
    id: 'launched',
    first: 'who_is_behind',
    asked: 'Who launched this token and what did they do before?',
    tuned: ['Who deployed this mint, and what is their record?'],
    held: [
      'Who created this coin and what is their past?',
      'Who is the dev behind this token and did they launch others?',
    ],
  },
  {
    id: 'three',
    first: 'scan_tokens',
    asked: 'Which of these three tokens would you avoid?',
    tuned: ['Compare these coins for me and rank them'],
    held: ['I have several mints here, which one looks worst?', 'Compare the scores of these five tokens'],
  },
  {
    id: 'rugged',
    first: 'deployer_history',
    asked: 'Has this wallet rugged before?',
    tuned: ['How many tokens has this dev launched and how did they end?'],
    held: ['List the past launches of this deployer', 'Is this developer a serial rugger?'],
  },
  {
    id: 'changed',
    first: 'who_is_behind',
    asked: 'What changed in the last five minutes for this token?',
    tuned: ['When did the verdict of this token change, and why?'],
    held: [
      'Did anything change for this coin since the verdict?',
      'Have the insiders sold this token in the last minutes?',
    ],
  },
  {
    id: 'biggest',
    first: 'token_trades',
    asked: 'Give me the trades of the biggest holder of this token',
    tuned: ['When did the top holder buy and sell this coin? Show the trades'],
    held: [
      'List the buys and sells of the largest holder of this mint',
      'Show every trade the whale made in this token',
    ],
  },
  {
    id: 'ordered',
    first: 'check_token',
    asked: 'Check this token for me before I buy it',
    tuned: ['Is this mint safe? Give me a verdict'],
    held: ['What is your verdict on this token?', 'Can you check whether this mint is a scam?'],
  },
  {
    id: 'unknown',
    first: 'check_token',
    asked: 'Is this mint a rug?',
    tuned: ['Do you think this coin is a rug pull?'],
    held: ['Is this one going to rug me?', 'Rug or not? Check this mint'],
  },
  {
    id: 'neutral',
    first: 'check_token',
    asked: 'Can I trust this token? It launched seconds ago',
    tuned: ['Is this brand new coin clean?'],
    held: ['Does this fresh token look clean enough to buy?', 'Is it safe to trust this mint?'],
  },
  {
    id: 'predict',
    first: 'none',
    asked: 'Will this token do a 10x by tomorrow?',
    tuned: ['Predict the price of this coin next week'],
    held: ['What price will it reach tomorrow?', 'Give me a price prediction'],
  },
  {
    id: 'likely',
    first: 'who_is_behind',
    asked: 'How likely is it that this token is drained within the hour?',
    tuned: ['What became of tokens like it: what are the odds that the price halves?'],
    held: ['What is the chance that this token gets drained?', 'What are the odds that it halves in the next hour?'],
  },
  {
    id: 'swap',
    first: 'none',
    asked: 'Buy 1 SOL of this token for me',
    tuned: ['Swap all my SOL into this coin and send it to my friend'],
    held: ['Place an order to sell my bag', 'Swap USDC for SOL'],
  },
  {
    id: 'new',
    first: 'list_new_tokens',
    asked: 'Which tokens just launched?',
    tuned: ['Show me the newest coins'],
    held: ['What are the latest launches?', 'Any new tokens worth a look?'],
  },
  {
    id: 'pumps',
    first: 'list_pumping_tokens',
    asked: 'What is pumping right now?',
    tuned: ['Which coins have the strongest inflow at the moment?'],
    held: ['Show me the coins that pump hardest now', 'What is trending right now?'],
  },
  {
    id: 'graduated',
    first: 'list_graduated_tokens',
    asked: 'Which tokens graduated recently?',
    tuned: ['What migrated from the bonding curve to a pool today?'],
    held: ['Show the recently migrated coins', 'List tokens that just left the bonding curve'],
  },
  {
    id: 'agents',
    first: 'list_agent_buys',
    asked: 'What are the top trading agents buying?',
    tuned: ['Which coins did the best bots buy last?'],
    held: ['What did the smartest agents just buy?', 'Show me the latest buys of the top bots'],
  },
  {
    id: 'trader',
    first: 'profile_wallet',
    asked: 'Is this wallet a good trader?',
    tuned: ['What is the win rate and PnL of this address?'],
    held: ['How good is the trader behind this address?', 'Is it smart money? Show the track record of this wallet'],
  },
  {
    id: 'holds',
    first: 'wallet_positions',
    asked: 'What does this wallet hold right now, and is it in profit?',
    tuned: ['Show me the open positions of this address'],
    held: ['Which tokens are in the portfolio of this wallet?', 'What is this address holding?'],
  },
  {
    id: 'why',
    first: 'explain_score',
    asked: 'Why is the score of this token so low?',
    tuned: ['Explain how this rating came about'],
    held: ['Where does the score of 3.2 come from?', 'Break down the score of this coin for me'],
  },
  {
    id: 'coordinated',
    first: 'who_is_behind',
    asked: 'Are the holders of this token coordinated?',
    tuned: ['Is this coin bundled? Which wallets work together?'],
    held: ['Do the wallets that hold this coin belong together?', 'Which wallets funded the group in this token?'],
  },
  {
    id: 'actor',
    first: 'actor_profile',
    asked: 'Which other tokens was this actor in?',
    tuned: ['Tell me about act_7hQ2mVx9TzKc: which wallets belong to the same people?'],
    held: ['What else did the people of actor 41 do?', 'Show the profile of this actor'],
  },
  {
    id: 'week',
    first: 'profile_wallet',
    asked: 'How did this trader do over the last 7 days?',
    tuned: ['Profit of this wallet in the last 30 days?'],
    held: ['What did this trader make this week, in 7 days?', 'Is the trader better in the last 30 days than before?'],
  },
  {
    id: 'month',
    first: 'deployer_history',
    asked: 'How many launches of this deployer were rugs in the last 30 days?',
    tuned: ['What did this dev launch in the last 7 days?'],
    held: ['Rugs of this deployer over the last month, 30 days?', 'Has the deployer launched anything within 7 days?'],
  },
  {
    id: 'accuracy',
    first: 'outlook_accuracy',
    asked: 'How often is the outlook right?',
    tuned: ['How accurate are your predictions of drains so far?'],
    held: ['How good was the outlook in the past?', 'What is the accuracy of the outlook?'],
  },
  {
    id: 'watch',
    first: 'watch_add',
    asked: 'Alert me when this wallet sells',
    tuned: ['Watch this token and notify me when its verdict changes'],
    held: ['Please watch this deployer and tell me about the next launch', 'Notify me when this actor appears again'],
  },
  {
    id: 'alerts',
    first: 'alerts_recent',
    asked: 'Any alerts since I last looked?',
    tuned: ['What did my watches report?'],
    held: ['Show me my recent alerts', 'Did any alert fire overnight?'],
  },
  {
    id: 'figures',
    first: 'scan_token',
    asked: 'What is the market cap of this token and how many holders does it have?',
    tuned: ['Give me all numbers of this coin: cohorts, signals, ratings'],
    held: ['Holders, market cap and ratings of this mint, please', 'Full snapshot of this token'],
  },
  {
    id: 'recent',
    first: 'token_trades',
    asked: 'Who bought this token most recently?',
    tuned: ['Show me the last trades of this coin'],
    held: ['Show the latest buys and sells of this mint', 'List the recent trades of this token'],
  },
  {
    id: 'links',
    first: 'scan_token',
    asked: 'What are the website and the links of this token?',
    tuned: ['Does this coin have a Telegram or Twitter, and are the links reused?'],
    held: ['Give me the social links of this mint', 'Is the image or the name of this token a copy of an earlier one?'],
  },
]
