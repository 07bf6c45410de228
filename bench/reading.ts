import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { makeEverythingYoung } from '@ti/service/base/garbage.ts'
import { decodeEntry, encodeEntry } from '@ti/service/log/codec.ts'
import { createCaptureWriter } from '@ti/service/source/capture/writer.ts'
import { createFolder, type Folder, queryOf } from '../test/properties/prefix.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import { seededRandom } from '../test/support/random.ts'
import { createAsking, longest, startBare, words } from './asking.ts'
import { cli, median, spawnNode } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * A token with very many holders: what a snapshot of it costs against a bare loop over them, and how long others wait in the running
 * service while it is read after every block of its trades. HOLDERS is how many it has there.
 */
const LOOP_HOLDERS = 20_000
const ROUNDS = 40
const HOLDERS = Number(process.env.HOLDERS ?? 300_000)
const BLOCKS = 40
const BLOCK_MS = 400
const TRADES = 48
/** only one of this many holders has a history, because making one for each takes minutes */
const ONE_OF = 5
const BAR = { loop: 5, otherMs: 20 }
const KEYS = 60
/** blocks for which the service, and code that has not run often, is not judged */
const FIRST = 10

export async function benchReading(): Promise<BenchRow[]> {
  makeEverythingYoung()
  return [await againstLoop(), await besideOthers()]
}

async function againstLoop(): Promise<BenchRow> {
  const folder = createFolder()
  try {
    folder.fold(crowdedToken(createMarket(), LOOP_HOLDERS), 1_000)
    const live = folder.engine.tokens.peekId(0)!
    const query = queryOf(folder)
    const mint = keyToBase58(live.token.mint)
    const began = performance.now()
    query.snapshot(mint, SNAPSHOT_GROUPS)
    const cold = performance.now() - began
    const rendering: number[] = []
    const bare: number[] = []
    let sum = 0
    for (let round = 0; round < ROUNDS; round++) {
      nextBlock(folder)
      rendering.push(processorMs(() => query.snapshot(mint, SNAPSHOT_GROUPS)))
      bare.push(
        processorMs(() => {
          for (const { balance } of live.positions.values()) sum += balance
        }),
      )
    }
    if (sum <= 0) throw new Error('the bare loop found nothing')
    const ratio = median(rendering) / median(bare)
    return {
      name: `snapshot of a token with ${LOOP_HOLDERS} holders against a bare loop that sums their balances (at most)`,
      ...{ ratio, bar: BAR.loop, pass: ratio <= BAR.loop },
      detail: `${median(rendering).toFixed(3)} ms : ${median(bare).toFixed(3)} ms of processors; the first time, with every wallet read from the store, ${cold.toFixed(1)} ms`,
    }
  } finally {
    await folder.remove()
  }
}

/** The token is read without a pause; everything else is asked beside it. */
async function besideOthers(): Promise<BenchRow> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-reading-'))
  const bare = await startBare()
  try {
    const { dataDir, source } = await prepare(dir)
    const asking = createAsking(await makeKeys(dataDir, KEYS))
    const node = spawnNode({ DATA_DIR: dataDir, PAYMENTS: 'off' }, [], source)
    try {
      const url = await node.url
      while ((await node.ready()) === null) await sleep(50)
      await sleep(FIRST * BLOCK_MS)
      const paths = {
        list: '/v1/tokens/new',
        snapshot: `/v1/tokens/${mintOf(1)}`,
        readyz: '/readyz',
        healthz: '/healthz',
      }
      const took = Object.fromEntries([...Object.keys(paths), 'bare'].map((name) => [name, [] as number[]]))
      const crowded: number[] = []
      const until = performance.now() + (BLOCKS - FIRST) * BLOCK_MS
      const repeat = async (url: string, times: number[]): Promise<void> => {
        while (performance.now() < until) {
          const { status, ms } = await asking.keyed(url)
          if (status !== 200) throw new Error(`${url} was answered with ${status}`)
          times.push(ms)
          await sleep(5)
        }
      }
      await Promise.all([
        repeat(`${url}/v1/tokens/${mintOf(0)}`, crowded),
        repeat(bare.url, took.bare!),
        ...Object.entries(paths).map(([name, path]) => repeat(url + path, took[name]!)),
      ])
      const worst = Math.max(...Object.keys(paths).map((name) => longest(took[name]!)))
      return {
        name: `longest answer of others while a token of ${HOLDERS} holders is read after every block, ms (at most, or what a bare server took)`,
        ...{ ratio: worst, bar: BAR.otherMs, pass: worst <= Math.max(BAR.otherMs, longest(took.bare!)) },
        detail: `${Object.entries(took)
          .map(([name, times]) => `${name} ${words(times)}`)
          .join('; ')}; the token itself ${words(crowded)}`,
      }
    } finally {
      asking.close()
      await node.stop()
    }
  } finally {
    bare.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A folded history, and a source that goes on with it in real time: trades of holders, of former ones and of new wallets. */
async function prepare(dir: string): Promise<{ readonly dataDir: string; readonly source: string }> {
  const [history, later, dataDir] = [join(dir, 'history.capture'), join(dir, 'later.capture'), join(dir, 'data')]
  const market = createMarket()
  await capture(history, crowdedToken(market, HOLDERS, ONE_OF))
  await cli('replay', history, '--data-dir', dataDir)
  const random = seededRandom(HOLDERS)
  const blocks = Array.from({ length: 2 * BLOCKS }, () =>
    market.block((trade) => {
      for (let i = 0; i < TRADES; i++) trade(0, Math.floor(random() * HOLDERS * 1.01), random() < 0.5 ? 1_000_000 : -1)
    }),
  )
  await capture(later, blocks)
  return { dataDir, source: `capture:${later}?speed=1` }
}

export async function capture(file: string, entries: Iterable<Buffer>): Promise<void> {
  const about = {
    created_at: new Date(0).toISOString(),
    source: 'bench',
    chain: null,
    holds: 'a token with many holders',
  }
  const writer = await createCaptureWriter(file, about)
  for (const bytes of entries) {
    const entry = decodeEntry(0, bytes)
    if (entry.kind === 'facts') await writer.write(entry)
    else if (entry.kind === 'block') await writer.write({ ...entry, kind: 'decoded' })
  }
  await writer.finish()
}

/** CPU milliseconds of all threads of this process, including the collector's. Wall time would include other load. */
function processorMs(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

/** Folds an empty block, which invalidates every cached answer. */
function nextBlock(folder: Folder): void {
  const { slot, time: at } = folder.engine.globals
  folder.fold([encoded({ kind: 'block', slot: slot + 1, parent: slot, time: at + 0.4, events: [] })], 1)
}

const encoded = (entry: LogEntry): Buffer => Buffer.from(encodeEntry(entry))

/** A token with many holders; one in `oneOf` has traded elsewhere before and so has a history. */
export function* crowdedToken(market: BenchMarket, holders: number, oneOf = 1): Iterable<Buffer> {
  yield encoded({ kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] })
  yield market.block((trade) => trade(0, 0, 1_000_000))
  for (let wallet = 1; wallet < holders; wallet += 20) {
    const some = Array.from({ length: Math.min(20, holders - wallet) }, (_, i) => wallet + i)
    const old = some.filter((one) => one % oneOf === 0)
    yield market.block((trade) => {
      for (const one of old) trade(1 + (one % 40), one, 20_000_000)
      for (const one of old) trade(1 + (one % 40), one, -1)
    })
    yield market.block((trade) => {
      for (const one of some) trade(0, one, 1_000_000)
    })
  }
}

type BenchMarket = ReturnType<typeof createMarket>

const keyOf = (name: string, id: number): Key => `${name}-${id}`.padEnd(32, '.') as Key
const mintOf = (token: number): string => keyToBase58(keyOf('mint', token))

/** Curves with exact constant-product arithmetic; a negative amount sells everything the wallet has. */
export function createMarket() {
  const curves = new Map<number, { sol: number; token: number; held: Map<number, number> }>()
  let slot = 1_000
  let n = 0
  return {
    block(act: (trade: (token: number, wallet: number, lamports: number) => void) => void): Buffer {
      const events: ChainEvent[] = []
      slot++
      act((token, wallet, lamports) => {
        const at = { sig: `s${n}`.padEnd(64, '.') as Sig, txIndex: n++, outer: 1, inner: 0 }
        let curve = curves.get(token)
        if (curve === undefined) {
          curve = { sol: 30e9, token: 1_073_000_000e6, held: new Map() }
          curves.set(token, curve)
          events.push(creation(at, keyOf('mint', token), keyOf('curve', token), keyOf('dev', token), `token ${token}`))
        }
        const held = curve.held.get(wallet) ?? 0
        const isBuy = lamports > 0
        const tokens = isBuy ? curve.token - Math.ceil((curve.sol * curve.token) / (curve.sol + lamports)) : held
        if (tokens <= 0) return
        const quote = isBuy ? lamports : curve.sol - Math.ceil((curve.sol * curve.token) / (curve.token + tokens))
        curve.sol += isBuy ? quote : -quote
        curve.token += isBuy ? -tokens : tokens
        curve.held.set(wallet, isBuy ? held + tokens : 0)
        const user = keyOf('wallet', wallet)
        events.push({
          kind: 'trade',
          ...at,
          inner: 1,
          venue: VENUE.pump,
          mint: keyOf('mint', token),
          pool: keyOf('curve', token),
          user,
          isBuy,
          quote: QUOTE.SOL,
          quoteAmount: quote,
          userQuote: isBuy ? Math.ceil(quote * 1.0125) : Math.floor(quote * 0.9875),
          tokenAmount: tokens,
          quoteReserve: curve.sol,
          baseReserve: curve.token,
          quoteBefore: -1,
          realToken: curve.token - 279_900_000e6,
          supply: 1e15,
          decimals: 6,
          creator: keyOf('dev', token),
          mayhem: false,
          payer: user,
          tipper: null,
          solBefore: 5e9,
          solAfter: 4e9,
          hop: false,
          account: -1,
          held: 0,
        })
      })
      return encoded({ kind: 'block', slot, parent: slot - 1, time: slot * 0.4, events })
    },
  }
}

const creation = (
  at: { sig: Sig; txIndex: number; outer: number; inner: number },
  mint: Key,
  curve: Key,
  creator: Key,
  name: string,
): ChainEvent => ({
  kind: 'create',
  ...at,
  launchpad: 1,
  mint,
  pool: curve,
  creator,
  user: creator,
  payer: creator,
  signed: true,
  name,
  symbol: name,
  uri: '',
  nameNorm: name,
  symbolNorm: name,
  quote: QUOTE.SOL,
  supply: 1e15,
  decimals: 6,
  quoteReserve: 30e9,
  baseReserve: 1_073_000_000e6,
  mayhem: false,
})
