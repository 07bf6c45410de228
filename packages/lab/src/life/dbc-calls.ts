import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { AccountRole, type Address, type Instruction } from '@solana/kit'
import { TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'

/** Calls of Meteora's Dynamic Bonding Curve, by the interface and the derivations of its official SDK. */
export const DBC_SDK = '@meteora-ag/dynamic-bonding-curve-sdk'
/** The version that the driver was written for. */
export const DBC_SDK_VERSION = '1.5.12'

interface PublicKey {
  toBase58(): string
}

/** What is used of the SDK. */
interface Sdk {
  readonly DYNAMIC_BONDING_CURVE_PROGRAM_ID: PublicKey
  readonly METAPLEX_PROGRAM_ID: PublicKey
  createDbcProgram(connection: object): { readonly program: Program }
  buildCurve(params: object): object
  deriveDbcPoolAddress(quoteMint: PublicKey, baseMint: PublicKey, config: PublicKey): PublicKey
  deriveDbcTokenVaultAddress(pool: PublicKey, mint: PublicKey): PublicKey
  deriveMintMetadata(mint: PublicKey): PublicKey
  deriveDbcEventAuthority(): PublicKey
}

interface Program {
  readonly idl: { readonly instructions: readonly IdlInstruction[] }
  readonly coder: {
    readonly instruction: { encode(name: string, args: object): Buffer }
    readonly accounts: { decode(name: string, data: Buffer): PoolState }
  }
}

interface IdlInstruction {
  readonly name: string
  readonly accounts: readonly {
    readonly name: string
    readonly writable?: boolean
    readonly signer?: boolean
    readonly address?: string
  }[]
}

type Big = { toString(): string }
interface PoolState {
  readonly sqrtPrice: Big
  readonly quoteReserve: Big
  readonly baseReserve: Big
}

/** A pool to be, and all that its address follows from. */
export interface DbcPool {
  readonly config: Address
  readonly mint: Address
  readonly quoteMint: Address
  readonly is2022: boolean
}

/** By their numbers in the program; `partial fill` takes only what is left on the curve. */
const SWAP_MODES = ['exact in', 'partial fill'] as const
export type SwapMode = (typeof SWAP_MODES)[number]

export interface DbcCalls {
  /** The program, and the one that it calls for the metadata of SPL tokens. */
  readonly programs: readonly string[]
  /** `params` of the SDK's buildCurve. */
  curve(params: object): object
  config(payer: Address, feeClaimer: Address, pool: DbcPool, parameters: object): Instruction
  create(creator: Address, payer: Address, pool: DbcPool, name: object): Instruction
  /** `amounts`: the exact one, and the bound of the other. */
  swap(
    user: Address,
    accounts: { readonly input: Address; readonly output: Address },
    pool: DbcPool,
    mode: SwapMode,
    amounts: readonly [bigint, bigint],
  ): Instruction
  addressOf(pool: DbcPool): Address
  vaultsOf(pool: DbcPool): { readonly base: Address; readonly quote: Address }
  readPool(data: Uint8Array): PoolState
}

const SIGNER = { writable: AccountRole.WRITABLE_SIGNER, readonly: AccountRole.READONLY_SIGNER }
const OTHER = { writable: AccountRole.WRITABLE, readonly: AccountRole.READONLY }

const base58Of = (one: string | PublicKey): Address => (typeof one === 'string' ? one : one.toBase58()) as Address

/** `folder`: where the SDK is installed. */
export function openDbcCalls(folder: string | null): DbcCalls {
  const { sdk, web3, Bn } = load(folder)
  const { program } = sdk.createDbcProgram(new web3.Connection('http://127.0.0.1:1'))
  const keyOf = (text: string): PublicKey => new web3.PublicKey(text)
  const poolKey = ({ quoteMint, mint, config }: DbcPool) =>
    sdk.deriveDbcPoolAddress(keyOf(quoteMint), keyOf(mint), keyOf(config))
  const vault = (pool: DbcPool, mint: string) => sdk.deriveDbcTokenVaultAddress(poolKey(pool), keyOf(mint))
  const own = sdk.DYNAMIC_BONDING_CURVE_PROGRAM_ID.toBase58()
  const fixed = { program: own, eventAuthority: sdk.deriveDbcEventAuthority().toBase58() }

  /** Accounts that the interface fixes need no name; an optional one that is left out is the program itself. */
  function call(name: string, args: object, named: Readonly<Record<string, string | PublicKey>>): Instruction {
    const known = program.idl.instructions.find((one) => one.name === name)
    if (known === undefined) throw new OperatorError(`the SDK has no instruction ${name}`)
    const all: Readonly<Record<string, string | PublicKey>> = { ...fixed, ...named }
    const accounts = known.accounts.map(({ name, address, signer, writable }) => {
      const given = address ?? all[name]
      // the program is never written to, also where it stands for an account that is left out
      const roles = signer ? SIGNER : OTHER
      return {
        address: base58Of(given ?? own),
        role: given !== undefined && writable ? roles.writable : roles.readonly,
      }
    })
    return { programAddress: own as Address, accounts, data: program.coder.instruction.encode(name, args) }
  }

  const inPool = (pool: DbcPool) => ({
    config: pool.config,
    baseMint: pool.mint,
    quoteMint: pool.quoteMint,
    pool: poolKey(pool),
    baseVault: vault(pool, pool.mint),
    quoteVault: vault(pool, pool.quoteMint),
    tokenQuoteProgram: TOKEN_TEXT,
  })

  return {
    programs: [own, sdk.METAPLEX_PROGRAM_ID.toBase58()],
    curve: (params) => sdk.buildCurve(params),
    config: (payer, feeClaimer, { config, quoteMint }, configParameters) =>
      call(
        'createConfig',
        { configParameters },
        { config, feeClaimer, leftoverReceiver: feeClaimer, quoteMint, payer },
      ),
    create(creator, payer, pool, params) {
      const name = pool.is2022 ? 'initializeVirtualPoolWithToken2022' : 'initializeVirtualPoolWithSplToken'
      const mintMetadata = sdk.deriveMintMetadata(keyOf(pool.mint))
      return call(name, { params }, { ...inPool(pool), creator, payer, mintMetadata })
    },
    swap(user, { input, output }, pool, mode, [amount0, amount1]) {
      const [first, second] = [new Bn(String(amount0)), new Bn(String(amount1))]
      return call(
        'swap2',
        { params: { amount0: first, amount1: second, swapMode: SWAP_MODES.indexOf(mode) } },
        {
          ...inPool(pool),
          inputTokenAccount: input,
          outputTokenAccount: output,
          payer: user,
          tokenBaseProgram: pool.is2022 ? TOKEN_2022_TEXT : TOKEN_TEXT,
        },
      )
    },
    addressOf: (pool) => poolKey(pool).toBase58() as Address,
    vaultsOf: (pool) => ({
      base: vault(pool, pool.mint).toBase58() as Address,
      quote: vault(pool, pool.quoteMint).toBase58() as Address,
    }),
    readPool: (data) => program.coder.accounts.decode('virtualPool', Buffer.from(data)),
  }
}

interface Loaded {
  readonly sdk: Sdk
  readonly web3: {
    readonly PublicKey: new (text: string) => PublicKey
    readonly Connection: new (url: string) => object
  }
  readonly Bn: new (text: string) => object
}

/** The SDK is no dependency of ours: it brings 75 MB, and only this command needs it. */
function load(folder: string | null): Loaded {
  const where = resolve(folder ?? '.')
  const installed = createRequire(join(where, 'package.json'))
  try {
    return { sdk: installed(DBC_SDK) as Sdk, web3: installed('@solana/web3.js'), Bn: installed('bn.js') } as Loaded
  } catch (cause) {
    throw new OperatorError(
      `the SDK is not in ${where}: npm install --prefix FOLDER ${DBC_SDK}@${DBC_SDK_VERSION}, then --sdk FOLDER`,
      {
        exitCode: EXIT.badFile,
        cause,
      },
    )
  }
}
