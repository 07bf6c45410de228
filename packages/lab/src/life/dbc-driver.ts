import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from '@solana-program/token-2022'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { TOKEN_2022_TEXT, TOKEN_TEXT, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import type { Random } from '../simulator/random.ts'
import { type DbcCalls, type DbcPool, openDbcCalls, type SwapMode } from './dbc-calls.ts'
import type { Driver, Expectation, Stage } from './driver.ts'
import { transferLamports } from './system.ts'

/**
 * Lives on Meteora's bonding curve, from its configuration to the trade that sells it out. What follows in the pool of DAMM v2 needs
 * configurations that only Meteora can make.
 */
const WALLETS = 6
const NAME = { name: 'Witness', symbol: 'WIT', uri: 'https://example.org/witness.json' }
/** SOL that sells any of these curves out. */
const ENOUGH = 900_000_000_000n

interface Scene {
  readonly stage: Stage
  readonly calls: DbcCalls
  readonly pool: DbcPool
  readonly wallets: readonly KeyPairSigner[]
}

export function openDbcDriver(folder: string | null): Driver {
  const calls = openDbcCalls(folder)
  return { programs: calls.programs, play: (stage) => play(stage, calls) }
}

async function play(stage: Stage, calls: DbcCalls): Promise<void> {
  const { vm, random } = stage
  const [creator, mint, config] = await Promise.all([vm.wallet('creator'), vm.key('mint'), vm.key('config')])
  const wallets = await Promise.all(Array.from({ length: WALLETS }, (_, i) => vm.wallet(`trader ${i}`)))
  const is2022 = random.chance(0.5)
  const decimals = random.chance(0.3) ? 9 : 6
  const pool: DbcPool = {
    config: config.address,
    mint: mint.address,
    quoteMint: keyToBase58(WRAPPED_SOL) as Address,
    is2022,
  }
  const scene: Scene = { stage, calls, pool, wallets }
  const parameters = calls.curve(curveOf(random, is2022, decimals))
  await stage.act('config', [calls.config(creator.address, creator.address, pool, parameters)], {
    signers: [creator, config],
  })
  const supply = (): bigint => Buffer.from(vm.data(pool.mint)!).readBigUInt64LE(36)
  await stage.act('create', [calls.create(creator.address, creator.address, pool, NAME)], {
    signers: [creator, mint],
    expect: () => ({
      kind: 'create',
      mint: pool.mint,
      pool: calls.addressOf(pool),
      creator: creator.address,
      supply: String(supply()),
    }),
  })
  for (let n = 0; n < stage.steps; n++) await trade(scene, `c${String(n).padStart(3, '0')}`)
  await swap(scene, 'complete_partial', wallets[0]!, true, 'partial fill', [ENOUGH, 0n])
}

/** A random configuration of a curve that asks for 85 SOL. */
export function curveOf(random: Random, is2022: boolean, decimals: number): object {
  const feeBps = 25 + Math.floor(random.float() * 1_000)
  return {
    token: {
      tokenType: is2022 ? 1 : 0,
      tokenBaseDecimal: decimals,
      tokenQuoteDecimal: 9,
      tokenAuthorityOption: 1,
      totalTokenSupply: 1_000_000_000,
      leftover: 0,
    },
    fee: {
      baseFeeParams: {
        baseFeeMode: 0,
        feeSchedulerParam: { startingFeeBps: feeBps, endingFeeBps: feeBps, numberOfPeriod: 0, totalDuration: 0 },
      },
      dynamicFeeEnabled: random.chance(0.5),
      // in quote, or in what the trader gets
      collectFeeMode: random.chance(0.5) ? 1 : 0,
      creatorTradingFeePercentage: 50,
      poolCreationFee: 0,
      enableFirstSwapWithMinFee: false,
    },
    migration: {
      migrationOption: 1,
      migrationFeeOption: 2,
      migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
    },
    liquidityDistribution: {
      partnerPermanentLockedLiquidityPercentage: 50,
      partnerLiquidityPercentage: 0,
      creatorPermanentLockedLiquidityPercentage: 50,
      creatorLiquidityPercentage: 0,
    },
    lockedVesting: {
      totalLockedVestingAmount: 0,
      numberOfVestingPeriod: 0,
      cliffUnlockAmount: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
    activationType: 0,
    percentageSupplyOnMigration: 20,
    migrationQuoteThreshold: 85,
  }
}

/** A purchase, or a sale of what the wallet has. */
async function trade(scene: Scene, label: string): Promise<void> {
  const { stage, wallets, pool } = scene
  const { random, vm } = stage
  const user = random.pick(wallets)
  const held = vm.holdings(pool.mint).find(({ owner }) => owner === user.address)?.amount ?? 0n
  if (held > 0n && random.chance(0.45)) {
    const part = random.chance(0.2) ? held : (held * BigInt(1 + Math.floor(random.float() * 999))) / 1_000n
    if (part > 0n) return swap(scene, label, user, false, 'exact in', [part, 0n])
  }
  // few enough that the curve does not sell out before the end
  const lamports = BigInt(Math.floor(1e5 + random.float() ** 3 * 6e8))
  await swap(scene, label, user, true, 'exact in', [lamports, 0n])
}

async function swap(
  scene: Scene,
  label: string,
  user: KeyPairSigner,
  isBuy: boolean,
  mode: SwapMode,
  amounts: readonly [bigint, bigint],
): Promise<void> {
  const { stage, calls, pool } = scene
  const [sol, openSol] = await accountOf(user, pool.quoteMint, TOKEN_TEXT)
  const [tokens, openTokens] = await accountOf(user, pool.mint, pool.is2022 ? TOKEN_2022_TEXT : TOKEN_TEXT)
  const native = { programAddress: TOKEN_TEXT as Address }
  const accounts = isBuy ? { input: sol, output: tokens } : { input: tokens, output: sol }
  const wrapped = isBuy
    ? [transferLamports(user.address, sol, amounts[0]), getSyncNativeInstruction({ account: sol }, native)]
    : []
  const instructions = [
    openSol,
    openTokens,
    ...wrapped,
    calls.swap(user.address, accounts, pool, mode, amounts),
    getCloseAccountInstruction({ account: sol, destination: user.address, owner: user }, native),
  ]
  const expect = expectationOf(scene, user.address, tokens)
  await stage.act(label, instructions, { signers: [user], expect })
}

/** Looks at the accounts now, and says afterwards what has changed. */
function expectationOf({ stage, calls, pool }: Scene, user: Address, tokens: Address): () => Expectation {
  const vaults = calls.vaultsOf(pool)
  const amountOf = (account: Address): bigint => {
    const data = stage.vm.data(account)
    return data === null ? 0n : Buffer.from(data).readBigUInt64LE(64)
  }
  const look = () => [tokens, vaults.quote, vaults.base].map(amountOf)
  const before = look()
  return () => {
    const [userTokens, quoteVault, baseVault] = look().map((amount, i) => String(amount - before[i]!))
    const state = calls.readPool(stage.vm.data(calls.addressOf(pool))!)
    return {
      kind: 'trade',
      user,
      userTokens,
      quoteVault,
      baseVault,
      sqrtPrice: state.sqrtPrice.toString(),
      quoteReserve: state.quoteReserve.toString(),
      baseReserve: state.baseReserve.toString(),
    }
  }
}

async function accountOf(
  owner: KeyPairSigner,
  mint: Address,
  program: string,
): Promise<readonly [Address, Instruction]> {
  const tokenProgram = program as Address
  const [ata] = await findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram })
  const input = { payer: owner, ata, owner: owner.address, mint, tokenProgram }
  return [ata, getCreateAssociatedTokenIdempotentInstruction(input)]
}
