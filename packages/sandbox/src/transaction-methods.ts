import type { Wallet } from './addresses.ts'
import type { Landed } from './history.ts'
import type { Commitment, Ledger } from './ledger.ts'
import {
  ACCOUNTS_PER_CALL,
  addressOf,
  type Config,
  configOf,
  FAUCET,
  listOf,
  signatureOf,
  wholeOf,
  wireOf,
} from './params.ts'
import { renderAccount } from './render-account.ts'
import { renderSimulation, renderTransaction } from './render-transaction.ts'
import { badParams, RPC_CODE, RpcError } from './rpc-error.ts'
import { type Decoded, decodeTransaction } from './transactions.ts'
import { signedTransfer } from './transfer.ts'
import type { Ran } from './vm.ts'
import type { TransactionError } from './vm-errors.ts'

/** One JSON-RPC method, which returns the `result`. */
export type Method = (params: readonly unknown[]) => unknown

/** The most statuses or signatures in one answer, as with nodes. */
const STATUSES_MAX = 256
const SIGNATURES_MAX = 1_000

/** Methods to send, simulate and look up transactions. */
export function transactionMethods(
  ledger: Ledger,
  faucet: Wallet,
  withContext: (value: unknown) => object,
): Record<string, Method> {
  const { slots, history, gate } = ledger

  const statusOf = (value: unknown): object | null => {
    const landed = history.bySignature(signatureOf(value))
    if (landed === undefined || gate.hideStatuses) return null
    const confirmationStatus = ledger.commitmentOf(landed)
    return {
      slot: landed.slot,
      confirmations: confirmationStatus === 'finalized' ? null : slots.slot - landed.slot,
      err: landed.err,
      status: landed.err === null ? { Ok: null } : { Err: landed.err },
      confirmationStatus,
    }
  }

  return {
    simulateTransaction([encoded, options]) {
      const config = configOf(options)
      const anyBlockhash = config.replaceRecentBlockhash === true
      if (anyBlockhash && config.sigVerify === true) {
        throw badParams('sigVerify may not be used with replaceRecentBlockhash')
      }
      const decoded = decodeTransaction(wireOf(encoded, config.encoding))
      const ran = ledger.simulate(decoded, { sigVerify: config.sigVerify === true, anyBlockhash })
      if (ran.err === 'SignatureFailure') throw signatureFailure()
      const { blockhash, lastValidBlockHeight } = slots
      return withContext({
        ...renderSimulation(ran, config.innerInstructions === true),
        accounts: config.accounts === undefined ? null : simulatedAccounts(ledger, ran, configOf(config.accounts)),
        ...(anyBlockhash ? { replacementBlockhash: { blockhash, lastValidBlockHeight } } : {}),
      })
    },
    async sendTransaction([encoded, options]) {
      const config = configOf(options)
      const decoded = decodeTransaction(wireOf(encoded, config.encoding))
      if (config.skipPreflight !== true) preflight(ledger, decoded)
      await send(ledger, decoded)
      return decoded.signature
    },
    getSignatureStatuses: ([list]) => withContext(listOf(list, STATUSES_MAX).map(statusOf)),
    getTransaction([signature, options]) {
      const config = typeof options === 'string' ? { encoding: options } : configOf(options)
      const landed = history.bySignature(signatureOf(signature))
      if (landed === undefined || !ledger.isAtLeast(landed, wantedCommitment(config))) return null
      return renderTransaction(landed, config)
    },
    getSignaturesForAddress([address, options]) {
      const config = configOf(options)
      const commitment = wantedCommitment(config)
      return page(history.ofAddress(addressOf(address)), config, (one) => ledger.isAtLeast(one, commitment)).map(
        (one) => ({
          signature: one.decoded.signature,
          slot: one.slot,
          err: one.err,
          memo: one.memo,
          blockTime: one.blockTime,
          confirmationStatus: ledger.commitmentOf(one),
        }),
      )
    },
    async requestAirdrop([wallet, lamports]) {
      const amount = wholeOf(lamports, 1n, BigInt(FAUCET.lamports), 'lamports')
      const transfer = signedTransfer(faucet, addressOf(wallet), amount, slots.blockhash)
      preflight(ledger, transfer)
      await send(ledger, transfer)
      return transfer.signature
    },
  }
}

const signatureFailure = (): RpcError => new RpcError(RPC_CODE.signature, 'Transaction signature verification failure')

/** A node's preflight check of a transaction, unless skipped on request. */
function preflight(ledger: Ledger, decoded: Decoded): void {
  const ran = ledger.simulate(decoded, { sigVerify: true, anyBlockhash: false })
  if (ran.err === null) return
  if (ran.err === 'SignatureFailure') throw signatureFailure()
  const message = `Transaction simulation failed: ${inWords(ran.err)}`
  throw new RpcError(RPC_CODE.preflight, message, { ...renderSimulation(ran, false), accounts: null })
}

/** Error messages as nodes write them, because some clients parse them. */
function inWords(err: TransactionError): string {
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  return typeof err === 'string' ? err : JSON.stringify(err)
}

async function send(ledger: Ledger, decoded: Decoded): Promise<void> {
  const { gate } = ledger
  const fault = gate.sends
  if (fault === 'refuse') throw new RpcError(RPC_CODE.internal, 'the sandbox refuses sends (knob)')
  if (fault === 'drop') return
  if (fault === 'hold') return gate.later(() => ledger.land(decoded))
  if (fault === 'hang') await gate.wait()
  ledger.land(decoded)
  if (fault === 'accept-then-fail') throw new RpcError(RPC_CODE.internal, 'accepted, but you are not told (knob)')
  if (fault === 'accept-then-hang') await gate.wait()
}

function simulatedAccounts({ vm }: Ledger, ran: Ran, config: Config): (object | null)[] {
  const after = new Map(ran.postAccounts.map((account) => [account.address, account]))
  return listOf(config.addresses, ACCOUNTS_PER_CALL)
    .map(addressOf)
    .map((address) => renderAccount(vm, after.get(address) ?? vm.account(address), { encoding: 'base64', ...config }))
}

/** History defaults to `finalized` and does not offer `processed`. */
function wantedCommitment({ commitment }: Config): Commitment {
  if (commitment === undefined || commitment === 'finalized') return 'finalized'
  if (commitment === 'confirmed') return 'confirmed'
  throw badParams('this method does not support commitment below confirmed')
}

/** Newest first, from below `before` down to above `until`. */
function page(oldestFirst: readonly Landed[], config: Config, visible: (one: Landed) => boolean): Landed[] {
  const limit =
    config.limit === undefined ? SIGNATURES_MAX : Number(wholeOf(config.limit, 1n, BigInt(SIGNATURES_MAX), 'limit'))
  const [before, until] = [config.before, config.until].map((one) =>
    one === undefined || one === null ? null : signatureOf(one),
  )
  const from =
    before === null ? oldestFirst.length : oldestFirst.findIndex(({ decoded }) => decoded.signature === before)
  const found: Landed[] = []
  for (let at = from - 1; at >= 0 && found.length < limit; at--) {
    const one = oldestFirst[at]!
    if (one.decoded.signature === until) break
    if (visible(one)) found.push(one)
  }
  return found
}
