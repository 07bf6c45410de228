import type { Key } from '@ti/core/base/ids.ts'
import type { Builder } from './builder.ts'
import { RENT } from './exchange.ts'
import { deriveKey, tokenAccount } from './keys.ts'
import { dataLine, mayhemPayload } from './payload.ts'
import { ASSOCIATED, MAYHEM, type Program, ROUTER, SYSTEM, TOKEN_2022 } from './programs.ts'
import { putU64 } from './scratch.ts'
import { type SimToken, type TokenKeys, tokenKeys } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'

/** Accounts shared by every transaction. */
type Common = ReturnType<typeof createCommon>

export function createCommon(seed: number) {
  const named = (name: string): Key => deriveKey(seed, 'program', name)
  return {
    global: named('global'),
    feeRecipient: named('fee recipient'),
    swapFeeRecipient: named('swap fee recipient'),
    config: named('config'),
    feeConfig: named('fee config'),
    pumpAuthority: named('pump event authority'),
    swapAuthority: named('swap event authority'),
    volume: named('volume'),
    mintAuthority: named('mint authority'),
    mayhemState: named('mayhem state'),
    labAuthority: named('launchlab authority'),
  }
}

/** Balances of shared accounts, which are not tracked between transactions. */
export const COMMON_LAMPORTS = 10_000_000_000
export const COMMON_TOKENS = 50_000_000_000

/** The context for writing one transaction. `time`: whole Unix seconds. */
export interface Scene {
  readonly seed: number
  readonly builder: Builder
  readonly common: Common
  readonly time: number
}

export const keysOf = (scene: Scene, token: SimToken): TokenKeys => tokenKeys(scene.seed, token)
export const keyOf = (scene: Scene, wallet: Wallet): Key => walletKey(scene.seed, wallet)

export function transferData(lamports: number): Buffer {
  const data = Buffer.allocUnsafe(12)
  data.fill(0, 0, 4)
  data[0] = 2
  putU64(data, lamports, 4)
  return data
}

/** A checked transfer of a token with 6 decimals. */
export function checkedData(tokens: number): Buffer {
  const data = Buffer.allocUnsafe(10)
  data[0] = 12
  putU64(data, tokens, 1)
  data[9] = 6
  return data
}

/** A call without log lines of its own. */
export function quiet(scene: Scene, program: Program, depth: number, accounts: readonly Key[], data: Buffer): void {
  const { builder } = scene
  builder.call(program, depth, accounts, data)
  builder.log(program.invoke[depth]!)
  builder.log(program.success)
}

/** Begins a call that logs its instruction's name; the caller logs its end. */
export function begin(
  scene: Scene,
  program: Program,
  depth: number,
  accounts: readonly Key[],
  data: Buffer,
  name: string,
): void {
  const { builder } = scene
  builder.call(program, depth, accounts, data)
  builder.log(program.invoke[depth]!)
  builder.log(instructionLine(name))
}

const lines = new Map<string, string>()

/** Cached, because there are few names. */
function instructionLine(name: string): string {
  let line = lines.get(name)
  if (line === undefined) {
    line = `Program log: Instruction: ${name}`
    lines.set(name, line)
  }
  return line
}

/** Emits an event, both in the log and as the program's call of itself. */
export function event(scene: Scene, program: Program, depth: number, authority: Key, data: Buffer): void {
  scene.builder.log(dataLine(data))
  quiet(scene, program, depth, [authority], data)
}

const CREATE_IDEMPOTENT = Buffer.from([1])
const CLOSE_ACCOUNT = Buffer.from([9])

/** The owner's token account, created first if it does not exist. */
export function openVault(scene: Scene, mint: Key, owner: Key, payer: Key, opens: boolean, tokens: number): Key {
  const { builder } = scene
  const vault = tokenAccount(owner, mint)
  builder.account(vault, opens ? 0 : RENT.tokenAccount)
  builder.holds(vault, mint, owner, 6, opens ? null : tokens)
  if (!opens) return vault
  begin(
    scene,
    ASSOCIATED,
    1,
    [payer, vault, owner, mint, SYSTEM.key, TOKEN_2022.key],
    CREATE_IDEMPOTENT,
    'CreateIdempotent',
  )
  builder.log(ASSOCIATED.success)
  builder.pay(payer, vault, RENT.tokenAccount)
  builder.mint(vault, 0)
  return vault
}

/** Closes an emptied token account for its rent. */
export function closeVault(scene: Scene, vault: Key, owner: Key): void {
  const { builder } = scene
  begin(scene, TOKEN_2022, 1, [vault, owner, owner], CLOSE_ACCOUNT, 'CloseAccount')
  builder.log(TOKEN_2022.success)
  builder.pay(vault, owner, RENT.tokenAccount)
  builder.closeTokens(vault)
}

const ROUTE = Buffer.from('c1209b3341d69c81', 'hex')

/** Begins the program that calls the venue for this wallet, if any, and returns the venue's depth. */
export function approach(scene: Scene, wallet: Wallet, user: Key, mint: Key): number {
  const program = middleman(wallet)
  if (program === null) return 1
  begin(scene, program, 1, [user, mint], ROUTE, 'Route')
  return 2
}

/** Ends that program after the venue's call. */
export function leave(scene: Scene, wallet: Wallet, token: SimToken): void {
  const program = middleman(wallet)
  if (program === null) return
  if (program === MAYHEM)
    event(scene, MAYHEM, 2, scene.common.mayhemState, mayhemPayload(keysOf(scene, token), scene.time))
  scene.builder.log(program.success)
}

function middleman(wallet: Wallet): Program | null {
  if (wallet.habit === 'mayhem') return MAYHEM
  return wallet.routed ? ROUTER : null
}
