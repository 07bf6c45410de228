import { createHash } from 'node:crypto'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { type Holding, holdingOf, type NodeAnswer, type Tokens, tokensOf, writeAnswer } from './node-answer.ts'

/** The runtime with its accounts and programs, one transaction a slot; the same seed makes the same bytes. */
export interface Vm {
  /** A wallet with SOL, always the same for a name. */
  wallet(name: string): Promise<KeyPairSigner>
  /** A key of its own for an account that signs its creation. */
  key(name: string): Promise<KeyPairSigner>
  addProgram(program: Address, file: string): void
  data(account: Address): Uint8Array | null
  rent(bytes: number): bigint
  /** All accounts that a token program keeps for a mint, by address. */
  holdings(mint: Address): Holding[]
  /** Runs a transaction that the first of `signers` pays for, and renders it as a node answers getTransaction. */
  run(instructions: readonly Instruction[], signers: readonly KeyPairSigner[]): Promise<NodeAnswer>
}

const FIRST_SLOT = 300_000_000
const FIRST_TIME = 1_790_000_000
const WEALTH = 10_000_000_000_000n

export function createVm(seed: number): Vm {
  // each transaction has a blockhash of its own, so that two equal ones are two
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n)
  const signers = new Map<string, KeyPairSigner>()
  let ran = 0

  const hash = (text: string): Uint8Array => createHash('sha256').update(`${seed} ${text}`).digest()
  const stored = (account: Address) => {
    const found = svm.getAccount(account as never)
    return found.exists ? found : null
  }
  const key = async (name: string): Promise<KeyPairSigner> => {
    const known = signers.get(name) ?? (await createKeyPairSignerFromPrivateKeyBytes(hash(`key ${name}`)))
    signers.set(name, known)
    return known
  }
  const tokens: Tokens = (account) => {
    const found = stored(account)
    if (found === null) return null
    const owner = found.programAddress as string as Address
    const holding = holdingOf(account, owner, found.data as Uint8Array)
    const mint = holding === null ? null : stored(holding.mint)
    return holding === null || mint === null ? null : { ...holding, decimals: (mint.data as Uint8Array)[44]! }
  }

  return {
    key,
    async wallet(name) {
      const signer = await key(`wallet ${name}`)
      if (stored(signer.address) === null) svm.airdrop(signer.address as never, lamports(WEALTH) as never)
      return signer
    },
    addProgram: (program, file) => svm.addProgramFromFile(program as never, file),
    data: (account) => (stored(account)?.data as Uint8Array | undefined) ?? null,
    rent: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    holdings: (mint) =>
      tokensOf((program) =>
        svm.getProgramAccounts(program as never).map((one) => ({
          address: one.address as string as Address,
          program,
          data: one.data as Uint8Array,
        })),
      )
        .filter((holding) => holding.mint === mint)
        .sort((a, b) => (a.account < b.account ? -1 : 1)),
    async run(instructions, given) {
      const slot = FIRST_SLOT + ran
      const blockTime = FIRST_TIME + ran
      svm.setClock(new Clock(BigInt(slot), 0n, 0n, 0n, BigInt(blockTime)))
      const blockhash = base58Encode(Buffer.from(hash(`blockhash ${ran++}`)).toString('latin1')) as Blockhash
      const message = pipe(
        createTransactionMessage({ version: 'legacy' }),
        (m) => setTransactionMessageFeePayer(given[0]!.address, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: BigInt(slot) }, m),
        (m) => appendTransactionMessageInstructions(instructions, m),
      )
      const transaction = await signTransaction(
        given.map(({ keyPair }) => keyPair),
        compileTransaction(message),
      )
      const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
      const keys = compiled.staticAccounts.map((one) => address(one))
      const state = () => ({
        lamports: keys.map((one) => (svm.getBalance(one as never) as bigint | null) ?? 0n),
        tokens: keys.map(tokens),
      })
      const before = state()
      const result = svm.sendTransaction(transaction as unknown as Parameters<LiteSVM['sendTransaction']>[0])
      const failed = result instanceof FailedTransactionMetadata
      const meta = failed ? result.meta() : result
      return writeAnswer({
        slot,
        blockTime,
        transaction,
        message: compiled,
        error: failed ? result.err() : null,
        meta,
        before,
        after: state(),
      })
    },
  }
}
