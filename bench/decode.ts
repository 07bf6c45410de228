import { createRequire } from 'node:module'
import { base58Encode, keyToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { keyAt, NO_SIG } from '@ti/core/base/ids.ts'
import type { Emission } from '@ti/core/decode/emission.ts'
import { createPoolBook, pairFacts } from '@ti/core/decode/pools.ts'
import { decodePump } from '@ti/core/decode/pump.ts'
import { decodePumpSwap } from '@ti/core/decode/pumpswap.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import type { ChainEvent, TradeEvent } from '@ti/core/model/events.ts'
import { WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { transactionFromJson } from '@ti/service/source/shape/json.ts'
import { goldenEvents, goldenTransactions } from '../test/golden/scene.ts'
import { IDLS } from '../test/outside/witness.ts'
import { agreement, type DexTrade } from './parser-differences.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** The required speed relative to Anchor's coder (same events) and to solana-dex-parser (same transactions). */
const EVENTS_BAR = 10
const TRANSACTIONS_BAR = 50
const ROUNDS = 9
const ROUND_MS = 150

const require = createRequire(import.meta.url)

/** The used parts of the compared tools, which are installed only in this folder. */
interface Anchor {
  BorshCoder: new (idl: unknown) => { events: { decode(base64: string): { name: string; data: AnchorTrade } | null } }
}
interface AnchorTrade {
  user?: { toBase58(): string }
  tokenAmount?: { toString(): string }
  baseAmountOut?: { toString(): string }
  baseAmountIn?: { toString(): string }
  [field: string]: unknown
}
interface DexParserModule {
  DexParser: new () => { parseTrades(tx: unknown): DexTrade[] }
}
interface Web3 {
  VersionedTransaction: { deserialize(bytes: Uint8Array): { signatures: Uint8Array[]; message: unknown } }
  PublicKey: new (text: string) => unknown
}

function tool<T>(name: string): T {
  try {
    return require(name) as T
  } catch (cause) {
    throw new Error(`${name} is missing: run npm install in bench/`, { cause })
  }
}

/** Runs per second of each task: medians of interleaved rounds. `task` processes `size` units of work. */
function race(tasks: readonly { readonly size: number; readonly task: () => void }[]): number[] {
  const rates: number[][] = tasks.map(() => [])
  for (let round = -2; round < ROUNDS; round++) {
    for (const [i, { size, task }] of tasks.entries()) {
      const start = performance.now()
      let done = 0
      let elapsed = 0
      while (elapsed < ROUND_MS) {
        task()
        done += size
        elapsed = performance.now() - start
      }
      // the first rounds are warm-up
      if (round >= 0) rates[i]!.push((done / elapsed) * 1_000)
    }
  }
  return rates.map(median)
}

const rate = (perSecond: number): string =>
  perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(2)} M/s` : `${(perSecond / 1e3).toFixed(2)} k/s`

interface EventCase {
  readonly base64: string
  readonly payload: Buffer
  readonly program: 'pump' | 'pump_amm'
}

function benchEvents(): BenchRow {
  const { BorshCoder } = tool<Anchor>('@coral-xyz/anchor')
  const coders = { pump: new BorshCoder(IDLS.pump).events, pump_amm: new BorshCoder(IDLS.pump_amm).events }
  const pools = createPoolBook()
  const out: ChainEvent[] = []
  const at: Emission = {
    tx: { keys: [], preBalances: [], postBalances: [], preTokens: [], postTokens: [] } as unknown as RawTransaction,
    sig: NO_SIG,
    txIndex: 0,
    payer: null,
    tipper: null,
    outer: 0,
    inner: 0,
    call: null,
    mayhem: false,
    pools,
    out,
    counts: createCounts(),
    vaults: [],
    firstSwap: null,
    burned: [],
    refused: '',
    unknown: null,
  }
  const ours = ({ program, payload }: EventCase): ChainEvent | undefined => {
    out.length = 0
    at.vaults.length = 0
    at.burned.length = 0
    if (program === 'pump') decodePump(payload, 0, at)
    else decodePumpSwap(payload, 0, at)
    return out[0]
  }
  const anchors = ({ program, base64 }: EventCase): AnchorTrade | null => {
    try {
      return coders[program].decode(base64)?.data ?? null
    } catch {
      return null
    }
  }
  const cases: EventCase[] = []
  let thrown = 0
  for (const { program, event, payload } of goldenEvents) {
    if (!/^(Trade|Create|Buy|Sell)Event$/.test(event) || (program !== 'pump' && program !== 'pump_amm')) continue
    const one: EventCase = { base64: payload, payload: Buffer.from(payload, 'base64'), program }
    if (program === 'pump_amm')
      pools.set(
        keyAt(one.payload, 120),
        pairFacts(keyAt(one.payload, 152), WRAPPED_SOL, () => 6),
      )
    const said = anchors(one)
    if (said === null) thrown++
    else {
      assertAgree(ours(one), said)
      cases.push(one)
    }
  }
  const [anchorRate, ourRate] = race([
    {
      size: cases.length,
      task: () => {
        for (const one of cases) coders[one.program].decode(one.base64)
      },
    },
    {
      size: cases.length * 50,
      task: () => {
        for (let i = 0; i < 50; i++) for (const one of cases) ours(one)
      },
    },
  ])
  const ratio = ourRate! / anchorRate!
  const detail = `${cases.length} real events (${thrown} more on which anchor throws), ours ${rate(ourRate!)} from Buffers, only the fields the service uses; anchor 0.32.1 ${rate(anchorRate!)} from base64 text as its API takes, all fields; same amounts and users`
  return { name: 'event decoding against anchor BorshCoder', ratio, bar: EVENTS_BAR, pass: ratio >= EVENTS_BAR, detail }
}

function assertAgree(ours: ChainEvent | undefined, said: AnchorTrade): void {
  const amount =
    said.tokenAmount ??
    said.token_amount ??
    said.baseAmountOut ??
    said.base_amount_out ??
    said.baseAmountIn ??
    said.base_amount_in
  if (ours === undefined) throw new Error('anchor decodes an event that we skip')
  if (ours.kind !== 'trade' && ours.kind !== 'create') throw new Error(`unexpected ${ours.kind}`)
  const same =
    keyToBase58(ours.user) === said.user?.toBase58() &&
    (ours.kind === 'create' || String(ours.tokenAmount) === String(amount))
  if (!same) throw new Error('anchor and we disagree on an event')
}

interface TransactionCase {
  readonly file: string
  readonly raw: RawTransaction
  /** The inputs that solana-dex-parser takes without conversion: jsonParsed, or a deserialized message of web3.js. */
  readonly native: unknown
  readonly trades: readonly TradeEvent[]
}

/** Real transactions in which one of the tools finds a trade, loaded before the clock starts. */
function loadTransactions(): TransactionCase[] {
  const { DexParser } = tool<DexParserModule>('solana-dex-parser')
  const parser = new DexParser()
  const cases: TransactionCase[] = []
  for (const [file, tx] of goldenTransactions) {
    const raw = transactionFromJson(tx, createCounts())
    if (raw === null) continue
    const events: ChainEvent[] = []
    decodeTransaction(raw, 0, events, createCounts())
    const trades = events.filter((event) => event.kind === 'trade')
    const native = nativeOf(tx)
    if (trades.length + parser.parseTrades(native).length > 0) cases.push({ file, raw, native, trades })
  }
  return cases
}

function nativeOf(tx: Record<string, unknown>): unknown {
  if (!Array.isArray(tx.transaction)) return tx
  const { VersionedTransaction, PublicKey } = tool<Web3>('@solana/web3.js')
  const { signatures, message } = VersionedTransaction.deserialize(Buffer.from(tx.transaction[0] as string, 'base64'))
  const meta = tx.meta as { loadedAddresses?: { writable: string[]; readonly: string[] } }
  const keys = (list: readonly string[] = []) => list.map((text) => new PublicKey(text))
  const loadedAddresses = {
    writable: keys(meta.loadedAddresses?.writable),
    readonly: keys(meta.loadedAddresses?.readonly),
  }
  return {
    ...tx,
    transaction: { signatures: signatures.map((one) => base58Encode(Buffer.from(one).toString('latin1'))), message },
    meta: { ...meta, loadedAddresses },
  }
}

/** Transactions per second of solana-dex-parser, for comparison in other benchmarks of the same run. */
export async function measureDexParser(): Promise<number> {
  return race([dexTask(loadTransactions())])[0]!
}

function dexTask(cases: readonly TransactionCase[]): { size: number; task: () => void } {
  const parser = new (tool<DexParserModule>('solana-dex-parser').DexParser)()
  return {
    size: cases.length,
    task: () => {
      for (const { native } of cases) parser.parseTrades(native)
    },
  }
}

function benchTransactions(): BenchRow {
  const cases = loadTransactions()
  const parser = new (tool<DexParserModule>('solana-dex-parser').DexParser)()
  const compared = cases.map(({ file, native, trades }) => ({ file, ours: trades, theirs: parser.parseTrades(native) }))
  const agreed = agreement(compared)
  const counts = createCounts()
  const pools = createPoolBook()
  const out: ChainEvent[] = []
  const task = (): void => {
    for (let i = 0; i < 50; i++) {
      for (const { raw } of cases) {
        out.length = 0
        decodeTransaction(raw, 0, out, counts, pools)
      }
    }
  }
  const [dexRate, ourRate] = race([dexTask(cases), { size: cases.length * 50, task }])
  const ratio = ourRate! / dexRate!
  const detail = `${cases.length} real transactions, ours ${rate(ourRate!)} from the internal shape, solana-dex-parser 2.6.7 ${rate(dexRate!)} from jsonParsed objects and web3.js messages; ${agreed}`
  return {
    name: 'whole transactions against solana-dex-parser',
    ratio,
    bar: TRANSACTIONS_BAR,
    pass: ratio >= TRANSACTIONS_BAR,
    detail,
  }
}

/** Measures all ratios. */
export async function benchDecode(): Promise<BenchRow[]> {
  return [benchEvents(), benchTransactions()]
}
