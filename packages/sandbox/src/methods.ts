import { associatedTokenAccount } from '@ti/service/base/token-account.ts'
import { SANDBOX_GENESIS_HASH, type Wallet } from './addresses.ts'
import { feeOf } from './fees.ts'
import type { Ledger } from './ledger.ts'
import { ACCOUNTS_PER_CALL, addressOf, configOf, FAUCET, listOf, wholeOf, wireOf } from './params.ts'
import { renderAccount, tokenAccount, tokenAmount } from './render-account.ts'
import { badParams } from './rpc-error.ts'
import { type Method, transactionMethods } from './transaction-methods.ts'
import { decodeMessage } from './transactions.ts'

/** slots of an epoch, as on mainnet */
const EPOCH_SLOTS = 432_000
const VERSION = '2.2.0'
/** the largest account on mainnet */
const ACCOUNT_BYTES_MAX = 10n << 20n

/** The sandbox's JSON-RPC methods. `faucet` pays for airdrops. */
export function createMethods(ledger: Ledger, faucet: Wallet): ReadonlyMap<string, Method> {
  const withContext = (value: unknown): object => ({
    context: { apiVersion: VERSION, slot: ledger.slots.slot },
    value,
  })
  return new Map(
    Object.entries({
      ...timeMethods(ledger, withContext),
      ...accountMethods(ledger, withContext),
      ...transactionMethods(ledger, faucet, withContext),
    }),
  )
}

type WithContext = (value: unknown) => object

function timeMethods({ slots }: Ledger, withContext: WithContext): Record<string, Method> {
  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': VERSION, 'feature-set': 0, sandbox: true }),
    getGenesisHash: () => SANDBOX_GENESIS_HASH,
    getSlot: () => slots.slot,
    getBlockHeight: () => slots.blockHeight,
    getEpochInfo: () => ({
      absoluteSlot: slots.slot,
      blockHeight: slots.blockHeight,
      epoch: Math.floor(slots.slot / EPOCH_SLOTS),
      slotIndex: slots.slot % EPOCH_SLOTS,
      slotsInEpoch: EPOCH_SLOTS,
      transactionCount: null,
    }),
    getLatestBlockhash: () =>
      withContext({ blockhash: slots.blockhash, lastValidBlockHeight: slots.lastValidBlockHeight }),
    isBlockhashValid: ([blockhash]) => withContext(slots.isValid(addressOf(blockhash))),
    getRecentPrioritizationFees: () => [{ slot: slots.slot, prioritizationFee: 0 }],
    getFeeForMessage([encoded]) {
      const message = decodeMessage(wireOf(encoded, 'base64'))
      return withContext(slots.isValid(message.lifetimeToken) ? feeOf(message) : null)
    },
  }
}

function accountMethods({ vm }: Ledger, withContext: WithContext): Record<string, Method> {
  return {
    getAccountInfo: ([address, options]) =>
      withContext(renderAccount(vm, vm.account(addressOf(address)), configOf(options))),
    getMultipleAccounts([addresses, options]) {
      const list = listOf(addresses, ACCOUNTS_PER_CALL).map(addressOf)
      const config = { encoding: 'base64', ...configOf(options) }
      return withContext(list.map((address) => renderAccount(vm, vm.account(address), config)))
    },
    getBalance: ([address]) => withContext(Number(vm.lamports(addressOf(address)))),
    getMinimumBalanceForRentExemption: ([bytes]) =>
      Number(vm.rentExempt(wholeOf(bytes, 0n, ACCOUNT_BYTES_MAX, 'bytes'))),
    getTokenAccountBalance([address]) {
      const token = tokenAccount(vm, vm.account(addressOf(address)))
      if (token === null) throw badParams('could not find account')
      return withContext(tokenAmount(token.amount, token.decimals))
    },
    getTokenAccountsByOwner([owner, filter, options]) {
      const { mint, programId } = configOf(filter)
      if (mint === undefined && programId === undefined) throw badParams('a mint or a programId is needed')
      const wanted = mint === undefined ? undefined : addressOf(mint)
      const accounts = vm
        .tokenAccountsOf(addressOf(owner))
        .filter((account) => wanted === undefined || tokenAccount(vm, account)?.mint === wanted)
        .filter((account) => programId === undefined || account.owner === programId)
      const config = configOf(options)
      return withContext(
        accounts.map((account) => ({ pubkey: account.address, account: renderAccount(vm, account, config) })),
      )
    },
    sandbox_faucet([address, options]) {
      const wallet = addressOf(address)
      const { usdc = 0, lamports = 0 } = configOf(options)
      vm.fund(wallet, {
        usdc: wholeOf(usdc, 0n, BigInt(FAUCET.usdc), 'usdc'),
        lamports: wholeOf(lamports, 0n, BigInt(FAUCET.lamports), 'lamports'),
      })
      return {
        usdc: vm.tokens(wallet).toString(),
        lamports: vm.lamports(wallet).toString(),
        tokenAccount: associatedTokenAccount(wallet, vm.mint),
      }
    },
  }
}
