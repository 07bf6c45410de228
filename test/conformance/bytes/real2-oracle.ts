import { getBase58Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import { canonicalPool, type Facts, factsOf, readEvent } from '../../golden/judge.ts'
import { fixedAccount, IDLS, type Program } from '../../outside/witness.ts'
import { readData } from './idl.ts'

/**
 * What a stored transaction must give, read from its JSON by the published interfaces: nothing here comes from `src`, and the
 * wire form is read by the official client.
 */
export interface Judged {
  readonly signature: string
  readonly failed: boolean
  /** 'inner': from the inner instructions; 'log': from the log alone */
  readonly from: 'inner' | 'log'
  readonly gives: readonly Facts[]
  /** program.Event, or the count, of what gives nothing, and why */
  readonly skipped: readonly { readonly event: string; readonly why: string }[]
  /** base units by owner and mint after it, as the node recorded them; null: it recorded none */
  readonly balances: ReadonlyMap<string, bigint> | null
}

interface Call {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Buffer
  readonly depth: number
}

interface Emitted {
  readonly program: Program
  readonly payload: Buffer
  /** of the program, which it emitted the payload in */
  readonly call: Call | null
}

/** what an event calls a quote whose price nobody tells */
const UNPRICED = 3

type Json = { readonly [field: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const strings = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : [])

const SELF_CPI = 'e445a52e51cb9a1d'
const SOL = fixedAccount('pump', 'migrate', 'wsol_mint')
/** no interface has it; its meaning is that of chain.md 14.3 */
const POST_COMPLETE = '6fb06d8b316cd5fb'
const PROGRAMS: readonly Program[] = ['pump', 'pump_amm', 'launchlab']

/** Every transaction with a result in a stored document, with what stands beside it. */
export function storedTransactions(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(storedTransactions)
  if (!isObject(value)) return []
  if (isObject(value.meta) && (value.transaction !== undefined || typeof value.signature === 'string')) return [value]
  return Object.values(value).flatMap(storedTransactions)
}

/** The transactions of which only the data lines were kept, as the logs that they stood in. */
export function completing(): Json[] {
  const { txs } = JSON.parse(readData('real2/transactions/completing_txs_20261009.part.json')) as {
    txs: { signature: string; slot: number; program_data_lines: string[] }[]
  }
  const [begin, end] = ['invoke [1]', 'success'].map((what) => `Program ${IDLS.pump.address} ${what}`)
  return txs.map(({ signature, slot, program_data_lines }) => {
    const logMessages = [begin, ...program_data_lines, end]
    return { signature, slot, meta: { err: null, logMessages } }
  })
}

interface Message {
  readonly signature: string
  readonly keys: readonly string[]
  readonly outer: readonly Call[]
}

const base58 = getBase58Encoder()
const bytesOf = (text: unknown): Buffer => Buffer.from(base58.encode(text as string))

function callOf(one: Json, keys: readonly string[], depth: number): Call {
  const program = keys[one.programIdIndex as number] ?? String(one.programId)
  const accounts = (one.accounts as (number | string)[] | undefined) ?? []
  return {
    program,
    accounts: accounts.map((account) => (typeof account === 'number' ? keys[account]! : account)),
    data: typeof one.data === 'string' ? bytesOf(one.data) : Buffer.alloc(0),
    depth,
  }
}

function messageOf(tx: Json): Message {
  const loaded = (tx.meta as Json).loadedAddresses as Json | undefined
  const more = [...strings(loaded?.writable), ...strings(loaded?.readonly)]
  if (Array.isArray(tx.transaction)) {
    const bytes = Buffer.from(tx.transaction[0] as string, 'base64')
    // version 1 is not known to the client; its signatures stand at the end, as many as its second byte says
    if (bytes[0]! >= 128) {
      const first = bytes.subarray(bytes.length - 64 * bytes[1]!, bytes.length - 64 * (bytes[1]! - 1))
      return { signature: first.toString('hex'), keys: [], outer: [] }
    }
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
    const keys = [...message.staticAccounts, ...more] as string[]
    const outer = message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      program: keys[programAddressIndex]!,
      accounts: accountIndices.map((index) => keys[index]!),
      data: Buffer.from(data ?? []),
      depth: 1,
    }))
    return { signature: Buffer.from(Object.values(signatures)[0]!).toString('hex'), keys, outer }
  }
  const transaction = tx.transaction as { signatures: string[]; message: Json } | undefined
  const listed = (transaction?.message.accountKeys ?? tx.accountKeys ?? []) as (string | { pubkey: string })[]
  const keys = [...listed.map((one) => (typeof one === 'string' ? one : one.pubkey)), ...more]
  const outer = ((transaction?.message.instructions ?? []) as Json[]).map((one) => callOf(one, keys, 1))
  const signature = bytesOf(transaction?.signatures[0] ?? tx.signature).toString('hex')
  return { signature, keys, outer }
}

const programOf = (address: string): Program | undefined => PROGRAMS.find((one) => IDLS[one].address === address)

/** What the programs sent to themselves, each with the call around it. */
function fromInner(groups: readonly Json[], { keys, outer }: Message): Emitted[] {
  const found: Emitted[] = []
  for (const { index, instructions } of groups) {
    const stack: Call[] = [outer[index as number]!]
    for (const one of instructions as Json[]) {
      const depth = (one.stackHeight as number | null | undefined) ?? 2
      const call = callOf(one, keys, depth)
      const program = programOf(call.program)
      if (program !== undefined && call.data.toString('hex', 0, 8) === SELF_CPI)
        found.push({ program, payload: call.data.subarray(8), call: stack[depth - 2] ?? null })
      stack[depth - 1] = call
    }
  }
  return found
}

/** Data lines, each of the program that runs where it stands. */
function fromLog(lines: readonly string[]): Emitted[] {
  const found: Emitted[] = []
  const running: string[] = []
  for (const line of lines) {
    const [, address, what] = /^Program (\w{32,44}) (invoke|success|failed)/.exec(line) ?? []
    if (what === 'invoke') running.push(address!)
    else if (what !== undefined) running.pop()
    const data = /^Program data: ([A-Za-z0-9+/=]+)$/.exec(line)?.[1]
    const program = programOf(running.at(-1) ?? '')
    if (data !== undefined && program !== undefined)
      found.push({ program, payload: Buffer.from(data, 'base64'), call: null })
  }
  return found
}

/** The two mints of a pool: by the names of the call's accounts, else by what the pool's own accounts hold. */
function pairOf({ program, call }: Emitted, pool: string, meta: Json): { base: string; quote: string } | null {
  const names = program === 'launchlab' ? ['base_token_mint', 'quote_token_mint'] : ['base_mint', 'quote_mint']
  const word = call?.data.toString('hex', 0, 8)
  const known = IDLS[program].instructions.find(
    ({ discriminator }) => Buffer.from(discriminator).toString('hex') === word,
  )
  const [base, quote] = names.map((name) => call?.accounts[known?.accounts.findIndex((one) => one.name === name) ?? -1])
  if (base !== undefined && quote !== undefined) return { base, quote }
  const rows = (meta.postTokenBalances ?? []) as { mint: string; owner: string }[]
  const held = new Set(rows.filter(({ owner }) => owner === pool).map(({ mint }) => mint))
  held.delete(SOL)
  return held.size === 1 ? { base: [...held][0]!, quote: SOL } : null
}

/** In a pool whose base is SOL: who buys it sells the token, and pays the fees in the token. */
function turned(facts: Facts, mint: string, poolBase: number): Facts {
  const { pool, user, isBuy, tokenAmount, userQuote, quoteReserve, baseReserve } = facts
  return {
    ...{ kind: 'trade', mint, pool: pool!, user: user!, isBuy: isBuy !== true },
    ...{ quoteAmount: tokenAmount!, userQuote: tokenAmount!, tokenAmount: userQuote!, quoteBefore: poolBase },
    ...{ quoteReserve: baseReserve!, baseReserve: quoteReserve! },
  }
}

/** `pools`: those met before. A canonical pool that is first met in a swap says that its token has graduated. */
async function judgeOne(one: Emitted, before: readonly Facts[], meta: Json, pools: Set<string>) {
  const { program, payload } = one
  const said = readEvent(program, payload)
  if (said === null) {
    const complete = before.find(({ kind }) => kind === 'complete')
    const bought = before.find(({ kind, mint }) => kind === 'trade' && mint === complete?.mint)
    if (payload.toString('hex', 0, 8) === POST_COMPLETE && bought !== undefined)
      return [{ kind: 'trade', mint: bought.mint!, user: bought.user!, isBuy: true }]
    return `${program}.?`
  }
  const event = `${program}.${said.name}`
  const facts = factsOf(program, payload)
  if (facts === null) return event
  // of unknown price: followed in its own unit
  if (facts.quote === -1) return [{ ...facts, quote: UNPRICED }]
  if (facts.kind === 'pool' || facts.kind === 'migrate') pools.add(facts.pool as string)
  if (facts.kind === 'pool' && program === 'pump_amm') {
    const amounts = { tokens: Number(said.fields.base_amount_in), quoteAmount: Number(said.fields.quote_amount_in) }
    return [facts, { kind: 'liquidity', mint: facts.mint!, pool: facts.pool!, ...amounts }]
  }
  if (facts.kind !== 'trade' || facts.mint !== undefined) return [facts]
  const pair = pairOf(one, facts.pool as string, meta)
  if (pair === null) return event
  if (pair.base === SOL) return [turned(facts, pair.quote, Number(said.fields.pool_base_token_reserves))]
  const trade = { ...facts, mint: pair.base }
  const isNew = program === 'pump_amm' && !pools.has(facts.pool as string)
  pools.add(facts.pool as string)
  if (!isNew || (await canonicalPool(pair.base)) !== facts.pool) return [trade]
  return [{ kind: 'migrate', mint: pair.base, pool: facts.pool }, trade]
}

/** Why an event gives nothing. What is in no row here fails. */
const WHY: Readonly<Record<string, string>> = {
  'pump.DistributeCreatorFeesEvent': 'pays fees, moves no tokens',
  'pump.ExtendAccountEvent': 'moves nothing',
  'pump.MigrateBondingCurveCreatorEvent': 'moves nothing; the creator stays who launched it',
  'pump_amm.InitBoostEvent': 'moves nothing',
  'pump_amm.BoostBuyAndBurnEvent': 'says that what the buy before it bought was burned',
}

export async function judgeTransaction(tx: Json, pools: Set<string>): Promise<Judged> {
  const meta = tx.meta as Json
  const message = messageOf(tx)
  const failed = meta.err !== null && meta.err !== undefined
  const groups = meta.innerInstructions as Json[] | undefined
  const emitted = failed ? [] : groups ? fromInner(groups, message) : fromLog(strings(meta.logMessages))
  const gives: Facts[] = []
  const skipped: { event: string; why: string }[] = []
  for (const one of emitted) {
    const facts = await judgeOne(one, gives, meta, pools)
    if (typeof facts !== 'string') gives.push(...(facts as Facts[]))
    else skipped.push({ event: facts, why: WHY[facts] ?? `no reason is known for ${facts}` })
  }
  if (!groups && strings(meta.logMessages).includes('Log truncated'))
    skipped.push({ event: 'log_truncated', why: 'what the node cut off its log' })
  if (failed) skipped.push({ event: 'failed_transaction', why: 'nothing of it happened' })
  const rows = meta.postTokenBalances as
    | { mint: string; owner: string; uiTokenAmount: { amount: string } }[]
    | undefined
  const balances = rows === undefined ? null : new Map<string, bigint>()
  for (const { owner, mint, uiTokenAmount } of rows ?? []) {
    const key = `${owner} ${mint}`
    balances!.set(key, (balances!.get(key) ?? 0n) + BigInt(uiTokenAmount.amount))
  }
  return { signature: message.signature, failed, from: groups ? 'inner' : 'log', gives, skipped, balances }
}
