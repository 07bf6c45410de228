import assert from 'node:assert/strict'
import { INSTRUCTIONS } from '@ti/core/contract/guidance.ts'
import { type Claim, carried, claim, type Examined, type Reply } from './judge.ts'

/** What is asked about, found in the running market. */
export interface Subjects {
  readonly token: string
  readonly three: readonly [string, string, string]
  /** its verdict is neutral */
  readonly neutral: string
  /** tracked by nobody */
  readonly nowhere: string
  readonly deployer: string
  readonly trader: string
  readonly actor: string
}

type Plan = (asked: Examined, about: Subjects) => Promise<readonly Claim[]>

const verdictOf = async ({ ask }: Examined, mint: string): Promise<Claim[]> => {
  const check = await ask('check_token', { mint })
  return [claim`The verdict is ${carried(check, 'data.colour')}: ${carried(check, 'data.text')}`]
}

const whoOf = ({ ask }: Examined, { token }: Subjects): Promise<Reply> => ask('who_is_behind', { mint: token })

const rowsOf = (reply: Reply): number => (reply.read('data') as unknown[]).length

/** The first row of a list, or that it is empty. */
const firstOf = (reply: Reply, path: string): Claim =>
  rowsOf(reply) === 0 ? claim`None at the moment.` : claim`First: ${carried(reply, `data.0.${path}`)}`

/** What no tool answers is said by the instructions, and no tool is called. */
const refused: Plan = async () => {
  const said = INSTRUCTIONS.split('\n').find((line) => line.startsWith('Not served'))
  assert.ok(said !== undefined && /price/.test(said) && /\bbuy, sell, swap\b/.test(said))
  return [claim`That is not served.`]
}

export const PLANS: Readonly<Record<string, Plan>> = {
  safe: (asked, { token }) => verdictOf(asked, token),
  ordered: (asked, { token }) => verdictOf(asked, token),
  async unknown({ ask }, { nowhere }) {
    const check = await ask('check_token', { mint: nowhere })
    assert.ok(check.isError)
    return [claim`Nothing is known of it: ${carried(check, 'error.message')}`]
  },
  async neutral({ ask }, { neutral }) {
    const check = await ask('check_token', { mint: neutral })
    assert.equal(check.read('data.colour'), 'neutral')
    assert.match(INSTRUCTIONS, /Neutral means unknown: never call it safe or clean/)
    return [claim`The verdict is ${carried(check, 'data.colour')}, which means unknown: ${carried(check, 'data.text')}`]
  },
  async who(asked, about) {
    const who = await whoOf(asked, about)
    const groups = (who.read('data.groups') as unknown[]).map(
      (_, n) =>
        claim`The group ${carried(who, `data.groups.${n}.name`)} holds ${carried(who, `data.groups.${n}.holds_pct`)} % with ${carried(who, `data.groups.${n}.wallets`)} wallets.`,
    )
    return [
      claim`${carried(who, 'data.verdict.headline')} Launched by ${carried(who, 'data.launch.launcher')}.`,
      ...groups,
      claim`The largest holder is ${carried(who, 'data.holders.top.0.wallet')}: paid ${carried(who, 'data.holders.top.0.paid_sol')} SOL.`,
      claim`Not known: ${carried(who, 'data.coverage.unknown')}`,
    ]
  },
  async launched(asked, about) {
    const who = await whoOf(asked, about)
    return [
      claim`Launched by ${carried(who, 'data.launch.launcher')}, who launched ${carried(who, 'data.deployer.launched')} others.`,
      claim`Of these drained: ${carried(who, 'data.deployer.all.drained')}, rugged: ${carried(who, 'data.deployer.all.rugged')}.`,
    ]
  },
  async three({ ask }, { three }) {
    const scan = await ask('scan_tokens', { mints: three })
    return three.map(
      (_, n) =>
        claim`${carried(scan, `data.tokens.${n}.mint`)}: score ${carried(scan, `data.tokens.${n}.snapshot.score.value`)}, rated ${carried(scan, `data.tokens.${n}.snapshot.ratings.score`)}.`,
    )
  },
  async rugged({ ask }, { deployer }) {
    const windows = await ask('deployer_history', { address: deployer, detail: 'windows' })
    return [
      claim`Within ${carried(windows, 'data.windows.1.days')} days rugged: ${carried(windows, 'data.windows.1.rugged')}, drained: ${carried(windows, 'data.windows.1.drained')}.`,
      claim`Known since slot ${carried(windows, 'data.windows.1.from_slot')}, whole: ${carried(windows, 'data.windows.1.complete')}.`,
    ]
  },
  async month({ ask }, { deployer }) {
    const windows = await ask('deployer_history', { address: deployer, detail: 'windows' })
    return [
      claim`Of ${carried(windows, 'data.windows.1.summary.total_deployed')} launches ${carried(windows, 'data.windows.1.rugged')} were rugged.`,
    ]
  },
  async changed(asked, about) {
    const who = await whoOf(asked, about)
    const history = who.read('data.verdict.history') as unknown[]
    const changes = history.map(
      (_, n) =>
        claim`At slot ${carried(who, `data.verdict.history.${n}.slot`)} it became ${carried(who, `data.verdict.history.${n}.colour`)} for ${carried(who, `data.verdict.history.${n}.code`)}.`,
    )
    return [
      ...changes,
      claim`Sold by its own people within the hour: ${carried(who, 'data.memory.sold_in_hour_pct')} %.`,
    ]
  },
  async biggest({ ask }, { token }) {
    const trades = await ask('token_trades', { mint: token, limit: 30 })
    const scan = await ask('scan_token', { mint: token, fields: 'holders' })
    const holder = scan.read('data.holders.top.0.address')
    const own = (trades.read('data') as { user_address: string }[]).flatMap((row, n) =>
      row.user_address === holder ? [n] : [],
    )
    return [
      claim`The largest holder is ${carried(scan, 'data.holders.top.0.address')} with ${carried(scan, 'data.holders.top.0.pct_of_supply')} %.`,
      ...own.map(
        (n) => claim`${carried(trades, `data.${n}.signature`)}: ${carried(trades, `data.${n}.sol_amount`)} SOL.`,
      ),
      ...(own.length === 0
        ? [claim`None of its trades is among the last ${carried(trades, 'meta.page.returned')}.`]
        : []),
    ]
  },
  async likely(asked, about) {
    const who = await whoOf(asked, about)
    return ['drain', 'halving'].map((question) => {
      const at = (field: string) => carried(who, `data.outlook.${question}.${field}`)
      if (who.read(`data.outlook.${question}`) === null) return claim`Not asked of this token.`
      if (who.read(`data.outlook.${question}.p`) !== null) return claim`${at('hits')} of ${at('n')} tokens like it.`
      assert.match(INSTRUCTIONS, /with n under 20 `p` is null: say that there are too few/)
      return claim`Too few like it to say: ${at('n')}.`
    })
  },
  predict: refused,
  swap: refused,
  new: async ({ ask }) => [firstOf(await ask('list_new_tokens'), 'mint')],
  pumps: async ({ ask }) => [firstOf(await ask('list_pumping_tokens'), 'mint')],
  graduated: async ({ ask }) => [firstOf(await ask('list_graduated_tokens'), 'mint')],
  agents: async ({ ask }) => [firstOf(await ask('list_agent_buys'), 'agent_buyer')],
  async trader({ ask }, { trader }) {
    const profile = await ask('profile_wallet', { address: trader })
    return [
      claim`Win rate ${carried(profile, 'data.win_rate')}, result ${carried(profile, 'data.pnl_sol')} SOL, smart money: ${carried(profile, 'data.smart_money')}.`,
    ]
  },
  async week({ ask }, { trader }) {
    const windows = await ask('profile_wallet', { address: trader, detail: 'windows' })
    return [
      claim`In ${carried(windows, 'data.windows.0.days')} days: ${carried(windows, 'data.windows.0.pnl_sol')} SOL, whole: ${carried(windows, 'data.windows.0.complete')}.`,
    ]
  },
  async holds({ ask }, { trader }) {
    const held = await ask('wallet_positions', { wallet: trader })
    return (held.read('data') as unknown[]).map(
      (_, n) =>
        claim`${carried(held, `data.${n}.mint`)}: ${carried(held, `data.${n}.holds_pct`)} %, ${carried(held, `data.${n}.unrealised_sol`)} SOL.`,
    )
  },
  async why({ ask }, { token }) {
    const sum = await ask('explain_score', { mint: token })
    return (sum.read('data.score.contributions') as unknown[]).map(
      (_, n) =>
        claim`${carried(sum, `data.score.contributions.${n}.what`)}: ${carried(sum, `data.score.contributions.${n}.points`)}.`,
    )
  },
  async coordinated(asked, about) {
    const who = await whoOf(asked, about)
    return [
      claim`Confirmed: ${carried(who, 'data.groups.0.confirmed')}, of ${carried(who, 'data.groups.0.wallets')} wallets, ${carried(who, 'data.groups.0.holds_pct')} %.`,
      claim`First funder: ${carried(who, 'data.groups.0.funders.0.wallet')}.`,
    ]
  },
  async actor({ ask }, { actor }) {
    const profile = await ask('actor_profile', { id: actor })
    return [
      claim`${carried(profile, 'data.name')}: ${carried(profile, 'data.wallets')} wallets in ${carried(profile, 'data.tokens')} tokens, such as ${carried(profile, 'data.recent_tokens.0.mint')}.`,
    ]
  },
  async accuracy({ ask }) {
    const found = await ask('outlook_accuracy')
    return (found.read('data.questions') as unknown[]).map(
      (_, n) =>
        claim`${carried(found, `data.questions.${n}.question`)}: ${carried(found, `data.questions.${n}.hits`)} of ${carried(found, `data.questions.${n}.n`)}.`,
    )
  },
  async watch({ ask }, { trader }) {
    const made = await ask('watch_add', { kind: 'wallet', target: trader, name: 'asked for' })
    return [claim`Watched: ${carried(made, 'data.id')}, ${carried(made, 'data.state')}.`]
  },
  async alerts({ ask }) {
    return [firstOf(await ask('alerts_recent'), 'seq')]
  },
  async figures({ ask }, { token }) {
    const scan = await ask('scan_token', { mint: token })
    return [claim`Market cap $${carried(scan, 'data.market.mcap')}, ${carried(scan, 'data.holders.count')} holders.`]
  },
  async recent({ ask }, { token }) {
    const trades = await ask('token_trades', { mint: token })
    return [claim`${carried(trades, 'data.0.user_address')}, bought: ${carried(trades, 'data.0.is_buy')}.`]
  },
  async links({ ask }, { token }) {
    const scan = await ask('scan_token', { mint: token, fields: 'meta,status' })
    return [
      claim`Website ${carried(scan, 'data.meta.website')}, reused: ${carried(scan, 'data.status.duplication.website')}.`,
    ]
  },
}
