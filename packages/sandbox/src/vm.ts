import { type Address, lamports as asLamports } from '@solana/kit'
import {
  AccountState,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { associatedTokenAccount } from '@ti/service/base/token-account.ts'
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { SYSTEM_PROGRAM, USDC_DECIMALS } from './addresses.ts'
import type { Decoded } from './transactions.ts'
import { type TransactionError, transactionError } from './vm-errors.ts'

/** wallets and token accounts made by its faucet, 300 bytes each */
const ACCOUNTS_MAX = 20_000
/** bytes of a transaction's logs, as on the network */
const LOG_BYTES = 10_000

export interface Account {
  readonly address: Address
  readonly lamports: bigint
  readonly owner: Address
  readonly data: Uint8Array
  readonly executable: boolean
}

export interface Amounts {
  /** Base units, 6 decimals. */
  readonly usdc?: bigint
  readonly lamports?: bigint
}

/** The result of running a transaction. */
export interface Ran {
  readonly err: TransactionError | null
  readonly meta: TransactionMetadata | null
  /** For a successful simulation. */
  readonly postAccounts: readonly Account[]
}

/** The accounts and programs, without slots, blockhashes or history. */
export interface Vm {
  account(address: Address): Account | null
  lamports(wallet: Address): bigint
  tokens(wallet: Address): bigint
  tokenAccountsOf(owner: Address): Account[]
  rentExempt(bytes: bigint): bigint
  /** Creates money without a transaction. */
  fund(wallet: Address, amounts: Amounts): void
  drain(wallet: Address, amounts: Amounts): void
  closeTokenAccount(wallet: Address): void
  simulate(decoded: Decoded, sigVerify: boolean): Ran
  execute(decoded: Decoded): Ran
  setClock(slot: number, unixSeconds: number): void
  readonly mint: Address
}

const U64_MAX = 2n ** 64n - 1n

/** `mint`: the address of its USDC */
export function createVm(mint: Address): Vm {
  // what has landed and which blockhashes count is the chain's business: one blockhash at a time would be too few
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n).withLogBytesLimit(BigInt(LOG_BYTES))
  let accountsMade = 0
  let supply = 0n

  const account = (address: Address): Account | null => {
    const found = svm.getAccount(address as never)
    return found.exists ? accountOf(found) : null
  }
  const put = ({ address, lamports, owner, data, executable }: Account): void => {
    const space = BigInt(data.length)
    const encoded = { address, lamports: asLamports(lamports), data, programAddress: owner, executable, space }
    svm.setAccount(encoded as unknown as Parameters<LiteSVM['setAccount']>[0])
  }
  const count = (): void => {
    if (++accountsMade > ACCOUNTS_MAX) throw new Error(`the sandbox holds ${ACCOUNTS_MAX} wallets`)
  }
  const setLamports = (address: Address, lamports: bigint): void => {
    if (lamports < 0n || lamports > U64_MAX) throw new Error('lamports beyond what an account can hold')
    const old = account(address)
    if (old === null) count()
    put({ ...(old ?? { address, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }), lamports })
  }
  const setSupply = (amount: bigint): void => {
    if (amount > U64_MAX) throw new Error('more tokens than a mint can count')
    supply = amount
    const state = { mintAuthority: null, supply, decimals: USDC_DECIMALS, isInitialized: true, freezeAuthority: null }
    const data = getMintEncoder().encode(state) as Uint8Array
    const lamports = svm.minimumBalanceForRentExemption(BigInt(data.length))
    put({ address: mint, lamports, owner: TOKEN_PROGRAM_ADDRESS, data, executable: false })
  }
  const tokens = (wallet: Address): bigint => {
    const found = account(associatedTokenAccount(wallet, mint))
    return found === null ? 0n : getTokenDecoder().decode(found.data).amount
  }
  const setTokens = (wallet: Address, amount: bigint): void => {
    const address = associatedTokenAccount(wallet, mint)
    const old = account(address)
    if (old === null) count()
    const before = old === null ? 0n : getTokenDecoder().decode(old.data).amount
    if (amount < 0n) throw new Error('fewer tokens than none')
    setSupply(supply - before + amount)
    const data = getTokenEncoder().encode({
      ...EMPTY_TOKEN_ACCOUNT,
      mint,
      owner: wallet,
      amount,
    }) as Uint8Array
    const lamports = old?.lamports ?? svm.minimumBalanceForRentExemption(BigInt(data.length))
    put({ address, lamports, owner: TOKEN_PROGRAM_ADDRESS, data, executable: false })
  }
  const run = (how: 'simulateTransaction' | 'sendTransaction', { transaction }: Decoded, sigVerify: boolean): Ran => {
    if (sigVerify && Object.values(transaction.signatures).includes(null)) return refused('SignatureFailure')
    svm.withSigverify(sigVerify)
    try {
      return ranOf(svm[how](transaction as unknown as Parameters<LiteSVM['sendTransaction']>[0]))
    } finally {
      svm.withSigverify(true)
    }
  }
  setSupply(0n)

  return {
    mint,
    account,
    lamports: (wallet) => svm.getBalance(wallet as never) ?? 0n,
    tokens,
    tokenAccountsOf: (owner) =>
      svm
        .getProgramAccounts(TOKEN_PROGRAM_ADDRESS as never)
        .map(accountOf)
        .filter(({ data }) => data.length === TOKEN_ACCOUNT_BYTES && getTokenDecoder().decode(data).owner === owner),
    rentExempt: (bytes) => svm.minimumBalanceForRentExemption(bytes),
    fund(wallet, { usdc, lamports }) {
      if (lamports !== undefined) setLamports(wallet, (account(wallet)?.lamports ?? 0n) + lamports)
      if (usdc !== undefined) setTokens(wallet, tokens(wallet) + usdc)
    },
    drain(wallet, { usdc, lamports }) {
      if (lamports !== undefined) setLamports(wallet, (account(wallet)?.lamports ?? 0n) - lamports)
      if (usdc !== undefined) setTokens(wallet, tokens(wallet) - usdc)
    },
    closeTokenAccount(wallet) {
      setTokens(wallet, 0n)
      setLamports(associatedTokenAccount(wallet, mint), 0n)
    },
    simulate: (decoded, sigVerify) => run('simulateTransaction', decoded, sigVerify),
    execute: (decoded) => run('sendTransaction', decoded, true),
    setClock: (slot, unixSeconds) => svm.setClock(new Clock(BigInt(slot), 0n, 0n, 0n, BigInt(unixSeconds))),
  }
}

/** bytes of a token account in the token program */
export const TOKEN_ACCOUNT_BYTES = 165

const EMPTY_TOKEN_ACCOUNT = {
  delegate: null,
  state: AccountState.Initialized,
  isNative: null,
  delegatedAmount: 0n,
  closeAuthority: null,
}

export const refused = (err: TransactionError): Ran => ({ err, meta: null, postAccounts: [] })

function ranOf(result: ReturnType<LiteSVM['simulateTransaction']> | ReturnType<LiteSVM['sendTransaction']>): Ran {
  if (result instanceof FailedTransactionMetadata) {
    return { err: transactionError(result.err()), meta: result.meta(), postAccounts: [] }
  }
  if (!('postAccounts' in result)) return { err: null, meta: result, postAccounts: [] }
  return { err: null, meta: result.meta(), postAccounts: result.postAccounts().map(accountOf) }
}

type VmAccount = ReturnType<LiteSVM['getProgramAccounts']>[number]

/** The package has its own version of the types, which is the same at run time. */
const accountOf = ({ address, lamports, programAddress, data, executable }: VmAccount): Account => ({
  address: address as string as Address,
  lamports: lamports as bigint,
  owner: programAddress as string as Address,
  data: data as Uint8Array,
  executable,
})
