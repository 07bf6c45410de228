import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'

/** What others have published about the chain, read from their files. Nothing here comes from `src`. */
const ROOT = join(import.meta.dirname, '../..')
function text(path: string): string {
  if (!existsSync(join(ROOT, path))) throw new Error(`${path} is not installed: run \`npm ci\``)
  return readFileSync(join(ROOT, path), 'utf8')
}

export type IdlType =
  | string
  | { vec: IdlType }
  | { option: IdlType }
  | { array: [IdlType, number] }
  | { defined: { name: string } }

export interface IdlField {
  name: string
  type: IdlType
}

type Seed = { kind: 'const'; value: number[] } | { kind: 'account'; path: string } | { kind: 'arg'; path: string }

export interface IdlAccount {
  name: string
  address?: string
  pda?: { seeds: Seed[]; program?: Seed }
}

/** An Anchor interface, as far as it is read here. */
export interface Idl {
  address: string
  instructions: { name: string; discriminator: number[]; accounts: IdlAccount[] }[]
  events: { name: string; discriminator: number[] }[]
  types: {
    name: string
    type: { kind: 'struct'; fields?: IdlField[] } | { kind: 'enum'; variants: { name: string; fields?: IdlField[] }[] }
  }[]
}

const idl = (path: string): Idl => JSON.parse(text(path)) as Idl

/** The interface that a bundle of JavaScript has as the object `name`. */
function bundledIdl<Found = Idl>(path: string, name: string): Found {
  const bundle = text(path)
  const from = bundle.indexOf(`${name} = {`)
  const end = bundle.indexOf('\n};', from)
  if (from < 0 || end < 0) throw new Error(`${path} has no ${name}`)
  return runInContext(`(${bundle.slice(bundle.indexOf('{', from), end)}\n})`, createContext()) as Found
}

interface OldField {
  name: string
  type: IdlType | { defined: string }
}

/** An interface from before Anchor 0.30: without discriminators, names of instructions in camel case. */
interface OldIdl {
  instructions: { name: string; accounts: IdlAccount[] }[]
  events: { name: string; fields: OldField[] }[]
  types: {
    name: string
    type: { kind: 'struct'; fields: OldField[] } | { kind: 'enum'; variants: { name: string }[] }
  }[]
  metadata: { address: string }
}

function renewed({ instructions, events, types, metadata }: OldIdl): Idl {
  const hash = (text: string): number[] => [...createHash('sha256').update(text).digest().subarray(0, 8)]
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const fields = (old: OldField[]): IdlField[] =>
    JSON.parse(JSON.stringify(old).replaceAll('"publicKey"', '"pubkey"'), (key, value: unknown) =>
      key === 'defined' && typeof value === 'string' ? { name: value } : value,
    ) as IdlField[]
  const calls = instructions.map(({ name, accounts }) => ({ name: snake(name), accounts }))
  return {
    address: metadata.address,
    instructions: calls.map((call) => ({ ...call, discriminator: hash(`global:${call.name}`) })),
    events: events.map(({ name }) => ({ name, discriminator: hash(`event:${name}`) })),
    types: [
      ...types.map(({ name, type }) => ({
        name,
        type: type.kind === 'struct' ? { ...type, fields: fields(type.fields) } : type,
      })),
      ...events.map((event) => ({
        name: event.name,
        type: { kind: 'struct' as const, fields: fields(event.fields) },
      })),
    ],
  }
}

/** program's short name → its interface, and who published it */
export const IDLS = {
  pump: idl('test/witnesses/node_modules/@pump-fun/pump-sdk/src/idl/pump.json'),
  pump_amm: idl('test/witnesses/node_modules/@pump-fun/pump-swap-sdk/src/idl/pump_amm.json'),
  pump_fees: idl('test/witnesses/node_modules/@pump-fun/pump-sdk/src/idl/pump_fees.json'),
  launchlab: idl('test/outside/launchlab.idl.json'),
  meteora_dbc: bundledIdl(
    'test/witnesses/node_modules/@meteora-ag/dynamic-bonding-curve-sdk/dist/index.cjs',
    'var idl_default',
  ),
  damm_v2: bundledIdl('test/witnesses/node_modules/@meteora-ag/cp-amm-sdk/dist/index.js', 'var cp_amm_default'),
  moonit: renewed(
    bundledIdl<OldIdl>(
      'test/witnesses/node_modules/@wen-moon-ser/moonshot-sdk/dist/solana/program/tokenLaunchpadIdlV4.js',
      'exports.IDL_V4',
    ),
  ),
}
export type Program = keyof typeof IDLS

export const PUBLISHED: Record<Program, string> = {
  pump: 'IDL in npm @pump-fun/pump-sdk',
  pump_amm: 'IDL in npm @pump-fun/pump-swap-sdk',
  pump_fees: 'IDL in npm @pump-fun/pump-sdk',
  launchlab: 'LaunchLab IDL (chainstacklabs)',
  meteora_dbc: 'IDL in npm @meteora-ag/dynamic-bonding-curve-sdk',
  damm_v2: 'IDL in npm @meteora-ag/cp-amm-sdk',
  moonit: 'IDL in npm @wen-moon-ser/moonshot-sdk',
}

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex')

export function instructionOf(program: Program, name: string): Idl['instructions'][number] {
  const found = IDLS[program].instructions.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${PUBLISHED[program]} has no instruction ${name}`)
  return found
}

export const instructionHex = (program: Program, name: string): string =>
  hex(instructionOf(program, name).discriminator)

export function eventHex(program: Program, name: string): string {
  const found = IDLS[program].events.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${PUBLISHED[program]} has no event ${name}`)
  return hex(found.discriminator)
}

/** Address that the interface fixes for an account of an instruction. */
export function fixedAccount(program: Program, instruction: string, account: string): string {
  const address = instructionOf(program, instruction).accounts.find((one) => one.name === account)?.address
  if (address === undefined) throw new Error(`${PUBLISHED[program]}: ${instruction}.${account} has no address`)
  return address
}

/** Constants of solana-dex-parser. Its web3.js is not installed, so the one class that the file uses is stood in for. */
interface DexParser {
  DEX_PROGRAMS: Record<string, { id: string }>
  SKIP_PROGRAM_IDS: string[]
  PUMPFUN_MIGRATORS: string[]
  TOKEN_PROGRAM_ID: string
  TOKEN_2022_PROGRAM_ID: string
  ASSOCIATED_TOKEN_PROGRAM_ID: string
  TOKENS: Record<string, string>
}
const PARSER = 'test/witnesses/node_modules/solana-dex-parser/dist/src/constants'
function evaluate(path: string): object {
  const exports = {}
  class PublicKey {
    constructor(readonly address: string) {}
    toString = (): string => this.address
  }
  runInContext(text(path), createContext({ exports, require: () => ({ PublicKey }) }))
  return exports
}
export const dexParser = {
  ...evaluate(`${PARSER}/programId.js`),
  ...evaluate(`${PARSER}/token.js`),
} as DexParser

/** Its list of fee accounts is named only in remarks: the addresses whose remark says so. */
export const dexParserTips: readonly string[] = [
  ...text(`${PARSER}/programId.js`).matchAll(/'(\w+)', \/\/ Jitotip \d/g),
].map((found) => found[1]!)

/** The address that a published source file names `name`; the package wants a newer kit than ours, so it is only read. */
function named(path: string, name: string): string {
  const found = new RegExp(`export const ${name} =\\s*'(\\w{32,44})'`).exec(text(path))
  if (found === null) throw new Error(`${path} has no ${name}`)
  return found[1]!
}
const MEMO = 'node_modules/@solana-program/memo/src'
export const memoPrograms = {
  v1: named(`${MEMO}/constants.ts`, 'LEGACY_MEMO_PROGRAM_ADDRESS_V1'),
  v3: named(`${MEMO}/constants.ts`, 'LEGACY_MEMO_PROGRAM_ADDRESS_V3'),
  v4: named(`${MEMO}/generated/programs/memo.ts`, 'MEMO_PROGRAM_ADDRESS'),
}

/** Whether the runtime that litesvm ships as machine code has these 32 bytes among its constants. */
export function inRuntime(address: Buffer): boolean {
  const folder = join(ROOT, 'node_modules')
  for (const name of readdirSync(folder).filter((one) => one.startsWith('litesvm-'))) {
    for (const file of readdirSync(join(folder, name)).filter((one) => one.endsWith('.node')))
      if (readFileSync(join(folder, name, file)).includes(address)) return true
  }
  return false
}
