import { type Address, getProgramDerivedAddress, type Instruction, type KeyPairSigner } from '@solana/kit'
import {
  AuthorityType,
  extension,
  findAssociatedTokenPda,
  getApproveInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getHarvestWithheldTokensToMintInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getPreInitializeInstructionsForMintExtensions,
  getSetAuthorityInstruction,
  getTokenSize,
  getTransferCheckedInstruction,
  getWithdrawWithheldTokensFromMintInstruction,
} from '@solana-program/token-2022'
import { TOKEN_2022_TEXT, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import type { Driver, Expectation, Stage } from './driver.ts'
import type { Holding } from './node-answer.ts'
import { createAccount } from './system.ts'

/**
 * Lives on the token programs alone, which the runtime brings: all that can happen to tokens without a market. The wallet `market`
 * holds the supply at first; tokens that leave it are labelled `buy`, those that return to it `sell`.
 */
const WALLETS = 6
/** The highest transfer fee a life may have, basis points. */
const FEE_MAX = 900

interface Token {
  readonly program: Address
  readonly mint: Address
  readonly decimals: number
  readonly hasFee: boolean
}

interface Scene extends Token {
  readonly stage: Stage
  readonly market: KeyPairSigner
  /** To whom withheld fees are paid. */
  readonly feeOwner: KeyPairSigner
  readonly wallets: readonly KeyPairSigner[]
  /** A program's address, which cannot sign. */
  readonly vault: Address
  step(
    what: string,
    instructions: readonly Instruction[],
    signers: readonly KeyPairSigner[],
    fails?: true,
  ): Promise<void>
}

const stepName = (n: number, what: string): string => `s${String(n).padStart(3, '0')}_${what}`

export const TOKEN_DRIVER: Driver = {
  programs: [],
  async play(stage) {
    const { vm, random } = stage
    const market = await vm.wallet('market')
    const feeOwner = await vm.wallet('fee owner')
    const wallets = await Promise.all(Array.from({ length: WALLETS }, (_, i) => vm.wallet(`trader ${i}`)))
    const [vault] = await getProgramDerivedAddress({ programAddress: TOKEN_TEXT as Address, seeds: ['vault'] })
    const is2022 = random.chance(0.6)
    const token: Token = {
      program: (is2022 ? TOKEN_2022_TEXT : TOKEN_TEXT) as Address,
      mint: (await vm.key('mint')).address,
      decimals: random.chance(0.3) ? 9 : 6,
      hasFee: is2022 && random.chance(0.6),
    }
    let steps = 0
    const scene: Scene = {
      ...token,
      stage,
      market,
      feeOwner,
      wallets,
      vault,
      async step(what, instructions, signers, fails) {
        const expect = () => expectation(stage, token, what, market.address)
        await stage.act(stepName(steps++, what), instructions, { signers, expect, ...(fails && { fails }) })
      },
    }
    await create(scene)
    while (steps <= stage.steps) await random.pick(ACTIONS)(scene)
  },
}

/** The supply and all balances, as the accounts of the programs have them. */
function expectation({ vm }: Stage, { mint }: Token, what: string, market: Address): Expectation {
  const held = new Map<string, bigint>()
  for (const { owner, amount } of vm.holdings(mint)) held.set(owner, (held.get(owner) ?? 0n) + amount)
  const supply = Buffer.from(vm.data(mint)!).readBigUInt64LE(36)
  const balances = [...held].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    kind: 'token',
    what,
    mint,
    market,
    supply: String(supply),
    held: Object.fromEntries(balances.map(([owner, amount]) => [owner, String(amount)])),
  }
}

async function create(scene: Scene): Promise<void> {
  const { stage, program, mint, market, decimals, hasFee, step } = scene
  const config = { programAddress: program }
  const maximumFee = 10n ** BigInt(decimals + 6)
  const extensions = hasFee
    ? [
        extension('TransferFeeConfig', {
          transferFeeConfigAuthority: market.address,
          withdrawWithheldAuthority: scene.feeOwner.address,
          withheldAmount: 0n,
          olderTransferFee: { epoch: 0n, maximumFee, transferFeeBasisPoints: 1 },
          newerTransferFee: {
            epoch: 0n,
            maximumFee,
            transferFeeBasisPoints: 1 + Math.floor(stage.random.float() * FEE_MAX),
          },
        }),
      ]
    : []
  const size = getMintSize(hasFee ? extensions : undefined)
  const signer = await stage.vm.key('mint')
  const [vaultAccount, open] = await accountFor(scene, market.address, market)
  await step(
    'create',
    [
      createAccount(market.address, mint, { lamports: stage.vm.rent(size), bytes: size, owner: program }),
      ...getPreInitializeInstructionsForMintExtensions(mint, extensions),
      getInitializeMint2Instruction({ mint, decimals, mintAuthority: market.address }, config),
      open,
      getMintToInstruction(
        { mint, token: vaultAccount, mintAuthority: market, amount: 10n ** BigInt(decimals + 9) },
        config,
      ),
      getSetAuthorityInstruction(
        { owned: mint, owner: market, authorityType: AuthorityType.MintTokens, newAuthority: null },
        config,
      ),
    ],
    [market, signer],
  )
}

/** An owner's associated account, and the instruction that opens it if it is not there. */
async function accountFor(
  { program, mint }: Token,
  owner: Address,
  payer: KeyPairSigner,
): Promise<readonly [Address, Instruction]> {
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram: program })
  return [ata, getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram: program })]
}

/** Sends tokens to an owner's associated account, which is opened at the payer's cost. */
async function send(
  scene: Scene,
  from: Address,
  authority: KeyPairSigner,
  to: Address,
  amount: bigint,
): Promise<Instruction[]> {
  const { program, mint, decimals } = scene
  const [destination, open] = await accountFor(scene, to, authority)
  const input = { source: from, mint, destination, authority, amount, decimals }
  return [open, getTransferCheckedInstruction(input, { programAddress: program })]
}

/** Accounts of wallets with tokens, each with its owner. */
function funded(scene: Scene): (Holding & { readonly signer: KeyPairSigner })[] {
  return scene.stage.vm.holdings(scene.mint).flatMap((holding) => {
    const signer = scene.wallets.find(({ address }) => address === holding.owner)
    return signer === undefined || holding.amount === 0n ? [] : [{ ...holding, signer }]
  })
}

/** A random part of an amount, at least 1; all of it now and then. */
function partOf({ stage: { random } }: Scene, amount: bigint): bigint {
  if (random.chance(0.2)) return amount
  const part = (amount * BigInt(1 + Math.floor(random.float() * 1e6))) / 1_000_000n
  return part < 1n ? 1n : part
}

type Action = (scene: Scene) => Promise<void>

/** An action on a random account with tokens; without one, a purchase. */
const withTokens =
  (action: (scene: Scene, from: ReturnType<typeof funded>[number]) => Promise<void>): Action =>
  async (scene) => {
    const accounts = funded(scene)
    if (accounts.length === 0) await buy(scene)
    else await action(scene, scene.stage.random.pick(accounts))
  }

async function buy(scene: Scene): Promise<void> {
  const { stage, wallets, market, mint, step } = scene
  const [account] = await accountFor(scene, market.address, market)
  const left = stage.vm.holdings(mint).find((holding) => holding.account === account)!.amount
  const amount = partOf(scene, left / 20n)
  if (left < 20n) return
  const [payer, owner] = [stage.random.pick(wallets), stage.random.pick(wallets)]
  // the market signs in the place of a program that would
  const sent = await send(scene, account, market, owner.address, amount)
  await step(payer === owner ? 'buy' : 'buy_for', sent, [payer, market])
}

const ACTIONS: readonly Action[] = [
  buy,
  buy,
  withTokens(async (scene, { account, signer, amount }) => {
    const { market, step } = scene
    await step('sell', await send(scene, account, signer, market.address, partOf(scene, amount)), [signer])
  }),
  withTokens(async (scene, { account, signer, amount }) => {
    const to = scene.stage.random.pick(scene.wallets)
    await scene.step('gift', await send(scene, account, signer, to.address, partOf(scene, amount)), [signer])
  }),
  // to a new owner, whose account is opened with it
  withTokens(async (scene, { account, signer, amount }) => {
    const to = await scene.stage.vm.key(`stranger ${scene.stage.random.float()}`)
    await scene.step('gift_new', await send(scene, account, signer, to.address, partOf(scene, amount)), [signer])
  }),
  withTokens(async (scene, { account, signer, amount }) => {
    const { program, mint, step } = scene
    const burned = partOf(scene, amount)
    const input = { account, mint, authority: signer, amount: burned }
    await step('burn', [getBurnInstruction(input, { programAddress: program })], [signer])
  }),
  // all of it burned or sent away, and the account is gone
  withTokens(async (scene, { account, signer, amount }) => {
    const { program, mint, hasFee, stage, step, wallets } = scene
    const config = { programAddress: program }
    const others = wallets.filter((one) => one !== signer)
    const emptied = stage.random.chance(0.5)
      ? [getBurnInstruction({ account, mint, authority: signer, amount }, config)]
      : await send(scene, account, signer, stage.random.pick(others).address, amount)
    // withheld fees keep an account open
    const harvest = hasFee ? [getHarvestWithheldTokensToMintInstruction({ mint, sources: [account] })] : []
    const close = getCloseAccountInstruction({ account, destination: signer.address, owner: signer }, config)
    await step('close', [...emptied, ...harvest, close], [signer])
  }),
  // another account of the same owner
  withTokens(async (scene, { account, signer, amount }) => {
    const { stage, program, mint, decimals, hasFee, step } = scene
    const config = { programAddress: program }
    const made = await stage.vm.key(`account ${stage.random.float()}`)
    const size = getTokenSize(hasFee ? [extension('TransferFeeAmount', { withheldAmount: 0n })] : undefined)
    const input = { source: account, mint, destination: made.address, authority: signer, decimals }
    await step(
      'second_account',
      [
        createAccount(signer.address, made.address, { lamports: stage.vm.rent(size), bytes: size, owner: program }),
        getInitializeAccount3Instruction({ account: made.address, mint, owner: signer.address }, config),
        getTransferCheckedInstruction({ ...input, amount: partOf(scene, amount) }, config),
      ],
      [signer, made],
    )
  }),
  // a delegate moves the tokens
  withTokens(async (scene, { account, signer, amount }) => {
    const { program, stage, wallets, step } = scene
    const delegate = stage.random.pick(wallets.filter((one) => one !== signer))
    const input = { source: account, delegate: delegate.address, owner: signer, amount }
    await step('approve', [getApproveInstruction(input, { programAddress: program })], [signer])
    const to = stage.random.pick(wallets)
    await step('delegated', await send(scene, account, delegate, to.address, partOf(scene, amount)), [delegate])
  }),
  // an account gets another owner, and nothing is transferred
  withTokens(async (scene, { account, signer }) => {
    const { program, wallets, stage, step } = scene
    const [own] = await accountFor(scene, signer.address, signer)
    if (account === own) return
    const to = stage.random.pick(wallets.filter((one) => one !== signer))
    const input = {
      owned: account,
      owner: signer,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: to.address,
    }
    await step('hand_over', [getSetAuthorityInstruction(input, { programAddress: program })], [signer])
  }),
  withTokens(async (scene, { account, signer, amount }) => {
    await scene.step('lock', await send(scene, account, signer, scene.vault, partOf(scene, amount)), [signer])
  }),
  withTokens(async (scene, { account, signer, amount }) => {
    const to = scene.stage.random.pick(scene.wallets)
    await scene.step('too_much', await send(scene, account, signer, to.address, amount + 1n), [signer], true)
  }),
  // withheld fees are collected
  async (scene) => {
    const { stage, mint, feeOwner, hasFee, step } = scene
    if (!hasFee) return
    const sources = stage.vm.holdings(mint).map(({ account }) => account)
    const [feeReceiver, open] = await accountFor(scene, feeOwner.address, feeOwner)
    await step(
      'collect_fees',
      [
        open,
        getHarvestWithheldTokensToMintInstruction({ mint, sources: sources.slice(0, 20) }),
        getWithdrawWithheldTokensFromMintInstruction({ mint, feeReceiver, withdrawWithheldAuthority: feeOwner }),
      ],
      [feeOwner],
    )
  },
]
