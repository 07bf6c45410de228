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
 * A Solana chain of one process: real programs on an in-process virtual machine behind a node's JSON-RPC face on
 * loopback. It borrows the address of USDC, so that payments are built, signed, verified and settled exactly as on
 * mainnet, without any money. What it keeps is gone when it closes.
 */
export interface SandboxChain {
  readonly rpcUrl: string
  /** wallet that is paid, base58; its USDC account exists */
  readonly seller: string
  readonly feePayer: string
  /** 64 bytes; its wallet holds SOL */
  readonly feePayerSecret: Uint8Array
  /** 6 decimals */
  readonly mint: string
  readonly knobs: SandboxKnobs
  /** conjures up money and the token account it needs; an Error beyond what accounts can hold */
  fund(wallet: string, amounts: Amounts): void
  /** the faucet pays the seller and names `reference` as wallets do: the signature; twice in a block is once */
  pay(reference: string, lamports: bigint): string
  /** takes away; without `amounts`, all USDC of the wallet; an Error when there is less */
  drain(wallet: string, amounts?: Amounts): void
  /** as if the wallet never had a USDC account */
  closeTokenAccount(wallet: string): void
  /** USDC units of the wallet's associated token account */
  tokens(wallet: string): bigint
  lamports(wallet: string): bigint
  slot(): number
  /** 151 kill every blockhash known so far, 32 make what has landed final */
  advanceSlots(slots: number): void
  close(): Promise<void>
}

export interface SandboxOptions {
  /** 0, the default: any free one */
  readonly port?: number | undefined
  /** milliseconds of a slot, default 400; 0: only `advanceSlots` (and a full block) moves the chain */
  readonly slotMs?: number | undefined
  /** base58; default a new wallet */
  readonly seller?: string | undefined
  /** 64 bytes; default a new wallet */
  readonly feePayerSecret?: Uint8Array | undefined
  /** called for unknown methods */
  readonly logger?: Logger | undefined
}

const SOL = 1_000_000_000n

/** An OperatorError when the port cannot be had. */
export async function startSandboxChain(options: SandboxOptions = {}): Promise<SandboxChain> {
  const ledger = createLedger(options.slotMs ?? 400)
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
    mint: USDC_MINT,
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
