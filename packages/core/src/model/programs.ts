import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { ZERO_KEY } from '../base/ids.ts'
import { QUOTE, type Quote, type Quoted } from './events.ts'

export const PUMP_TEXT = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'
export const PUMPSWAP_TEXT = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA'
export const LAUNCHLAB_TEXT = 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj'
/** Meteora's Dynamic Bonding Curve and the AMM (DAMM v2) its launches graduate to. */
export const METEORA_DBC_TEXT = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN'
export const METEORA_DAMM_TEXT = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG'
export const BOOP_TEXT = 'boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4'
/** Moonit, which was Moonshot: launches on a curve of its own. */
export const MOONIT_TEXT = 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG'
export const MAYHEM_TEXT = 'MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e'
export const PUMP_FEES_TEXT = 'pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ'
export const TOKEN_TEXT = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_TEXT = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN_TEXT = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

export const PUMP = key(PUMP_TEXT)
/** Pump's fee program. */
export const PUMP_FEES = key(PUMP_FEES_TEXT)
export const PUMPSWAP = key(PUMPSWAP_TEXT)
export const METEORA_DBC = key(METEORA_DBC_TEXT)
/** Each owns the token accounts of all its program's pools: custody of a market, never a holder. */
export const METEORA_DBC_AUTHORITY = key('FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM')
export const METEORA_DAMM_AUTHORITY = key('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC')
/** Trades pump curves automatically: real volume without a human holder. */
export const MAYHEM = key(MAYHEM_TEXT)

export const WRAPPED_SOL = key('So11111111111111111111111111111111111111112')
export const USDC_TEXT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const USDC = key(USDC_TEXT)
/** World Liberty's dollar, a quote of LaunchLab launches. */
export const USD1 = key('USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB')

/** Sets limit and price of compute units in transactions before version 1. */
export const COMPUTE_BUDGET = key('ComputeBudget111111111111111111111111111111')

/** Instructions of the system program that move lamports, by tag. */
export const SYSTEM_GIVES = { createAccount: 0, transfer: 2, createAccountWithSeed: 3, transferWithSeed: 11 } as const

/** Tip accounts of Jito's block engine (getTipAccounts). Only a transfer to one marks a bundle on chain. */
export const TIP_ACCOUNTS_TEXT = [
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
  'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
  'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
  'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
  'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
  'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
] as const

/**
 * Roles of keys. Programs whose events are read come before `mayhem`; `tip` (an account) and programs that show a
 * transaction's payments come after it.
 */
export const ROLE = {
  none: 0,
  pump: 1,
  pumpswap: 2,
  launchlab: 3,
  meteoraDbc: 4,
  meteoraDamm: 5,
  pumpFees: 6,
  moonit: 7,
  boop: 8,
  mayhem: 9,
  tip: 10,
  system: 11,
  computeBudget: 12,
} as const
export type Role = (typeof ROLE)[keyof typeof ROLE]

/** Roles of programs whose events are read. */
export type Emitter = Exclude<Role, (typeof ROLE)['none' | 'mayhem' | 'tip' | 'system' | 'computeBudget']>

export const emits = (role: number): role is Emitter => role !== ROLE.none && role < ROLE.mayhem

const EMITTERS: Readonly<Record<Emitter, string>> = {
  [ROLE.pump]: PUMP_TEXT,
  [ROLE.pumpswap]: PUMPSWAP_TEXT,
  [ROLE.launchlab]: LAUNCHLAB_TEXT,
  [ROLE.meteoraDbc]: METEORA_DBC_TEXT,
  [ROLE.meteoraDamm]: METEORA_DAMM_TEXT,
  [ROLE.moonit]: MOONIT_TEXT,
  [ROLE.pumpFees]: PUMP_FEES_TEXT,
  [ROLE.boop]: BOOP_TEXT,
}

/** Programs whose transactions a source has to bring. Those of pump's fee program that matter name pump as well. */
export const LAUNCHPAD_PROGRAMS: readonly Key[] = Object.values(EMITTERS)
  .filter((text) => text !== PUMP_FEES_TEXT)
  .map(key)

const ROLES: readonly (readonly [Key, string, Role])[] = [
  ...Object.entries(EMITTERS).map(([role, text]) => [key(text), text, Number(role) as Emitter] as const),
  [MAYHEM, MAYHEM_TEXT, ROLE.mayhem],
]

/** The program of a role; undefined for roles of accounts. */
export const programOf = (role: number): Key | undefined => ROLES.find(([, , its]) => its === role)?.[0]

/** Keys with a role, indexed by first byte: most other keys cost one table read. */
const firstBytes = new Uint8Array(256)
const byFirstByte: { readonly key: Key; readonly role: Role }[][] = Array.from({ length: 256 }, () => [])
for (const [program, , role] of ROLES) byFirstByte[program.charCodeAt(0)]!.push({ key: program, role })
for (const account of TIP_ACCOUNTS_TEXT.map(key))
  byFirstByte[account.charCodeAt(0)]!.push({ key: account, role: ROLE.tip })
byFirstByte[ZERO_KEY.charCodeAt(0)]!.push({ key: ZERO_KEY, role: ROLE.system })
byFirstByte[COMPUTE_BUDGET.charCodeAt(0)]!.push({ key: COMPUTE_BUDGET, role: ROLE.computeBudget })
for (const [byte, { length }] of byFirstByte.entries()) firstBytes[byte] = length

export function roleOf(program: Key): Role {
  const byte = program.charCodeAt(0) & 255
  if (firstBytes[byte] === 0) return ROLE.none
  const alike = byFirstByte[byte]!
  for (let i = 0; i < alike.length; i++) if (alike[i]!.key === program) return alike[i]!.role
  return ROLE.none
}

/** The same index for base58 texts. */
const firstCharacters = new Uint8Array(128)
for (const [, text] of ROLES) firstCharacters[text.charCodeAt(0)] = 1

/** The role of the base58 program id in `line` from `start` to `end`. */
export function roleOfText(line: string, start: number, end: number): Role {
  if (firstCharacters[line.charCodeAt(start) & 127] === 0) return ROLE.none
  // slicing and comparing costs a fifth of startsWith
  const given = line.slice(start, Math.max(start, end))
  for (let i = 0; i < ROLES.length; i++) if (ROLES[i]![1] === given) return ROLES[i]![2]
  return ROLE.none
}

/** Mints of the quote assets with a known price, by number. */
const QUOTE_MINTS: readonly Key[] = [WRAPPED_SOL, USDC, USD1]

export function quoteOf(mint: Key): Quote {
  if (mint === WRAPPED_SOL || mint === ZERO_KEY) return QUOTE.SOL
  if (mint === USDC) return QUOTE.USDC
  return mint === USD1 ? QUOTE.USD1 : QUOTE.other
}

/** The quote's mint; `asset` is set for quotes of unknown price. */
export const quoteMintOf = ({ quote, asset }: Quoted): Key => asset?.mint ?? QUOTE_MINTS[quote]!
