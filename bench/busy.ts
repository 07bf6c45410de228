import { encodeBundleBook } from '@ti/core/model/generated/books.ts'
import { encodeToken } from '@ti/core/model/generated/token.ts'
import { encodeWallet } from '@ti/core/model/generated/wallet.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { createFolder, type Folder } from '../test/properties/prefix.ts'
import { seededRandom } from '../test/support/random.ts'
import { createMarket } from './reading.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** Measures whether a token that everyone trades, or a wallet that never stops, slows the fold or bloats records. */
const MINUTE_SLOTS = 150
const CROWD = { trades: 5_000, wallets: 1_500 }
const BOT = { trades: 100_000, each: 50 }
const ORDINARY = { tokens: 250, wallets: 1_500 }
const SEED = 7
const ROUNDS = 5
/** largest share of a minute for its trades; a bot's trade relative to an ordinary one; bytes of a record */
const BAR = { minute: 0.01, bot: 1.25, bytes: 65_536 }

type Trade = Parameters<Parameters<ReturnType<typeof createMarket>['block']>[0]>[0]

export async function benchBusy(): Promise<BenchRow[]> {
  makeEverythingYoung()
  return [...(await benchCrowd()), ...(await benchBot())]
}

/** `trades` in blocks of `each`, prepared before the clock starts. */
function blocksOf(
  trades: number,
  each: number,
  act: (trade: Trade, random: () => number, n: number) => void,
): Buffer[] {
  const market = createMarket()
  const random = seededRandom(SEED)
  const blocks: Buffer[] = []
  for (let n = 0; n < trades; n += each)
    blocks.push(
      market.block((trade) => {
        for (let i = n; i < Math.min(trades, n + each); i++) act(trade, random, i)
      }),
    )
  return blocks
}

/** CPU milliseconds of folding, with a commit per block as for a live source. */
function cost(folder: Folder, blocks: readonly Buffer[]): number {
  const before = process.cpuUsage()
  folder.fold(blocks, 1)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function folded<T>(blocks: readonly Buffer[], read: (folder: Folder, ms: number) => T): Promise<T> {
  const folder = createFolder()
  try {
    return read(folder, cost(folder, blocks))
  } finally {
    await folder.remove()
  }
}

/** buys, and in two of five cases the sale of everything */
const trading = (trade: Trade, random: () => number, token: number): void => {
  const wallet = Math.floor(random() * CROWD.wallets)
  trade(token, wallet, random() < 0.4 ? -1 : 20_000_000 + Math.floor(random() * 50_000_000))
}

async function benchCrowd(): Promise<BenchRow[]> {
  const each = Math.ceil(CROWD.trades / MINUTE_SLOTS)
  const crowd = blocksOf(CROWD.trades, each, (trade, random) => trading(trade, random, 0))
  const spread = blocksOf(CROWD.trades, each, (trade, random) =>
    trading(trade, random, Math.floor(random() * ORDINARY.tokens)),
  )
  const bytesOf = ({ engine }: Folder): number => {
    const { token, bundles } = engine.tokens.peekId(0)!
    return encodeToken(token).length + encodeBundleBook(bundles).length
  }
  const one: number[] = []
  const many: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await folded(crowd, (_, ms) => ms))
    many.push(await folded(spread, (_, ms) => ms))
    bytes = await folded(crowd, bytesOf)
  }
  const ms = median(one)
  const share = ms / (MINUTE_SLOTS * 400)
  return [
    {
      name: `${CROWD.trades} trades of one token within a minute, share of that minute that folding and committing takes (at most)`,
      ratio: share,
      bar: BAR.minute,
      pass: share <= BAR.minute,
      detail: `${ms.toFixed(0)} ms of the processor; the same trades over ${ORDINARY.tokens} tokens ${median(many).toFixed(0)} ms: ${(ms / median(many)).toFixed(2)} times that`,
    },
    sizeRow('the token and its evidence', bytes),
  ]
}

async function benchBot(): Promise<BenchRow[]> {
  const tokens = BOT.trades / BOT.each
  const bought = (trade: Trade, wallet: number, i: number): void => {
    const token = Math.floor(i / BOT.each)
    trade(token, wallet, i % 2 === 0 ? 30_000_000 : -1)
  }
  const bot = blocksOf(BOT.trades, BOT.each, (trade, _, i) => bought(trade, 0, i))
  const strangers = blocksOf(BOT.trades, BOT.each, (trade, _, i) => bought(trade, 1 + Math.floor(i / 2), i))
  const first = await folded(strangers, (_, ms) => ms)
  // the first token's deployer has an earlier id
  const { ms, trader } = await folded(bot, ({ store }, ms) => ({ ms, trader: store.wallet(1)! }))
  if (trader.trades !== BOT.trades) throw new Error(`the wallet has ${trader.trades} trades`)
  const base = median([first, await folded(strangers, (_, ms) => ms)])
  return [
    {
      name: `a trade of a wallet with ${BOT.trades} trades in ${tokens} tokens against one of wallets with two each (at most)`,
      ratio: ms / base,
      bar: BAR.bot,
      pass: ms <= BAR.bot * base,
      detail: `${((1000 * ms) / BOT.trades).toFixed(1)} : ${((1000 * base) / BOT.trades).toFixed(1)} µs of the processor`,
    },
    sizeRow('the wallet', encodeWallet(trader).length),
  ]
}

const sizeRow = (what: string, bytes: number): BenchRow => ({
  name: `bytes of ${what} afterwards, against what a record may have (at most)`,
  ratio: bytes / BAR.bytes,
  bar: 1,
  pass: bytes <= BAR.bytes,
  detail: `${bytes} of ${BAR.bytes} bytes`,
})
