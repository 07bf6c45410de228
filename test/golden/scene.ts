import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import { fixedAccount, IDLS, instructionHex, instructionOf, type Program } from '../outside/witness.ts'
import { instruction, keyOf, rawTx, selfCpi } from '../support/encode.ts'
import { curveOf, type Facts, type GoldenEvent, isProgram, readEvent } from './judge.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

export const goldenEvents = JSON.parse(read('events.json')) as readonly GoldenEvent[]
/** file → getTransaction's answer, or the part of it that was published */
export const goldenTransactions: ReadonlyMap<string, Record<string, unknown>> = new Map(
  readdirSync(join(import.meta.dirname, 'transactions'))
    .sort()
    .map((name) => [name, (JSON.parse(read(`transactions/${name}`)) as { tx: Record<string, unknown> }).tx]),
)

/** The mint of swaps whose event does not name it: the call that emits them does. */
export const MINT = keyToBase58(keyOf(900))
const SOL = fixedAccount('pump', 'migrate', 'wsol_mint')

/** Which instruction emits the event in the scene, and what its accounts are, by their names in the interface. */
async function callOf(program: Program, facts: Facts | null): Promise<[string, Record<string, string>]> {
  const mint = typeof facts?.mint === 'string' ? facts.mint : MINT
  if (program === 'pump') return ['buy', { mint, bonding_curve: await curveOf(mint) }]
  if (program === 'pump_fees') return ['create_fee_sharing_config', { mint }]
  const pool = typeof facts?.pool === 'string' ? facts.pool : MINT
  if (program === 'pump_amm') return ['buy', { pool, base_mint: MINT, quote_mint: SOL }]
  return ['buy_exact_in', { pool_state: pool, base_token_mint: MINT, quote_token_mint: SOL }]
}

/** A payload as its program emits it: sent to itself, inside a call whose accounts stand where the interface has them. */
export async function emitted(program: string, payload: Buffer, facts: Facts | null): Promise<RawTransaction> {
  const keys: Key[] = []
  const id = key(isProgram(program) ? IDLS[program].address : program)
  const [name, accounts] = isProgram(program) ? await callOf(program, facts) : ['', {}]
  const listed = isProgram(program) ? instructionOf(program, name).accounts : []
  const places = listed.map((one, i) => (accounts[one.name] === undefined ? keyOf(800 + i) : key(accounts[one.name]!)))
  const data = isProgram(program) ? Buffer.from(instructionHex(program, name), 'hex') : Buffer.alloc(8)
  const outer = instruction(keys, id, places, data)
  const event = instruction(keys, id, [], selfCpi(payload))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions: [event] }] })
}

const KEYS: readonly string[] = ['mint', 'pool', 'user', 'creator']

/** The fields of a decoded event that the facts speak of; keys in base58. */
export function comparable(event: ChainEvent, facts: Facts): Record<string, unknown> {
  const fields = event as unknown as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(facts).map((name) => {
      const value = fields[name]
      // lists are told in one text
      if (Array.isArray(value)) return [name, value.map((one) => (name === 'owners' ? keyToBase58(one) : one)).join()]
      return [name, KEYS.includes(name) && typeof value === 'string' ? keyToBase58(value as Key) : value]
    }),
  )
}

/** What the facts leave to the call: the curve of a trade on it, the mint of a swap. */
export async function withCall(program: string, payload: Buffer, facts: Facts): Promise<Facts> {
  const name = readEvent(program, payload)?.name
  if (program === 'pump' && name === 'TradeEvent') return { ...facts, pool: await curveOf(facts.mint as string) }
  return facts.kind === 'trade' && facts.mint === undefined ? { ...facts, mint: MINT } : facts
}
