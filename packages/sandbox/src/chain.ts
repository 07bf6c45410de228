import type { Logger } from '@ti/service/base/log.ts'
import { openWallet, USDC_MINT } from './addresses.ts'
import type { SandboxKnobs } from './knobs.ts'
import { createLedger } from './ledger.ts'
import { createMethods } from './methods.ts'
import { addressOf } from './params.ts'
import { startRpcServer } from './server.ts'
import { signedTransfer } from './transfer.ts'
import type { Amounts } from './vm.ts'

export { SANDBOX_GENESIS_HASH } from './addresses.ts'
export type { SandboxKnobs, SendFault } from './knobs.ts'

/**
 * A Solana chain in one process: real programs on an in-process virtual machine, with a node's JSON-RPC on loopback. It
 * borrows the address of USDC, so payments are built, signed, verified and settled as on mainnet, without real money.
 * Its contents are lost when it closes.
 */
export interface SandboxChain {
  readonly rpcUrl: string
  /** The payee's wallet, base58; its USDC account exists. */
  readonly seller: string
  readonly feePayer: string
  /** 64 bytes; its wallet holds SOL. */
  readonly feePayerSecret: Uint8Array
  /** 6 decimals. */
  readonly mint: string
  readonly knobs: SandboxKnobs
  /** Creates money and the token account for it; throws beyond an account's capacity. */
  fund(wallet: string, amounts: Amounts): void
  /** Pays the seller from the faucet, naming `reference`; returns the signature. Twice in a block counts once. */
  pay(reference: string, lamports: bigint): string
  /** Removes `amounts`, or all USDC of the wallet; throws if it has less. */
  drain(wallet: string, amounts?: Amounts): void
  /** Removes the wallet's USDC account as if it had never existed. */
  closeTokenAccount(wallet: string): void
  /** USDC units of the wallet's associated token account. */
  tokens(wallet: string): bigint
  lamports(wallet: string): bigint
  slot(): number
  /** 151 slots expire every known blockhash, 32 finalise landed transactions. */
  advanceSlots(slots: number): void
  close(): Promise<void>
}

export interface SandboxOptions {
  /** 0, the default: any free port. */
  readonly port?: number | undefined
  /** Milliseconds per slot, default 400. With 0 only `advanceSlots` and full blocks advance the chain. */
  readonly slotMs?: number | undefined
  /** Base58; a new wallet by default. */
  readonly seller?: string | undefined
  /** 64 bytes; a new wallet by default. */
  readonly feePayerSecret?: Uint8Array | undefined
  /** The address of its USDC, that of mainnet by default. */
  readonly mint?: string | undefined
  /** Called for unknown methods. */
  readonly logger?: Logger | undefined
}

const SOL = 1_000_000_000n

/** Throws an OperatorError if the port is not available. */
export async function startSandboxChain(options: SandboxOptions = {}): Promise<SandboxChain> {
  const ledger = createLedger(options.slotMs ?? 400, addressOf(options.mint ?? USDC_MINT))
  const { vm, slots, gate } = ledger
  const faucet = openWallet()
  const feePayer = openWallet(options.feePayerSecret)
  const seller = options.seller === undefined ? openWallet().address : addressOf(options.seller)
  vm.fund(faucet.address, { lamports: 1_000_000n * SOL })
  vm.fund(feePayer.address, { lamports: 10n * SOL })
  vm.fund(seller, { lamports: SOL / 100n, usdc: 0n })
  ledger.catchUp()
  const methods = createMethods(ledger, faucet)
  const server = await startRpcServer({ port: options.port ?? 0, ledger, methods, logger: options.logger })

  return {
    rpcUrl: server.url,
    seller,
    feePayer: feePayer.address,
    feePayerSecret: feePayer.secret,
    mint: vm.mint,
    knobs: gate,
    fund: (wallet, amounts) => vm.fund(addressOf(wallet), amounts),
    pay(reference, lamports) {
      ledger.catchUp()
      const transfer = signedTransfer(faucet, seller, lamports, slots.blockhash, addressOf(reference))
      ledger.land(transfer)
      return transfer.signature
    },
    drain: (wallet, amounts) => vm.drain(addressOf(wallet), amounts ?? { usdc: vm.tokens(addressOf(wallet)) }),
    closeTokenAccount: (wallet) => vm.closeTokenAccount(addressOf(wallet)),
    tokens: (wallet) => vm.tokens(addressOf(wallet)),
    lamports: (wallet) => vm.lamports(addressOf(wallet)),
    slot() {
      ledger.catchUp()
      return slots.slot
    },
    advanceSlots(count) {
      slots.advance(count)
      ledger.catchUp()
    },
    async close() {
      gate.shut()
      await server.close()
    },
  }
}
