import { isAddress, isOffCurveAddress } from '@solana/kit'
import { z } from 'zod'

const INSTRUCTION = z.object({ program: z.string().optional(), parsed: z.unknown().optional() })

/** The fields read from `getTransaction` with `jsonParsed`; its account keys include those of lookup tables. */
export const TRANSACTION = z.object({
  slot: z.int().min(0),
  meta: z.object({
    err: z.unknown(),
    preBalances: z.array(z.number()),
    postBalances: z.array(z.number()),
    innerInstructions: z.array(z.object({ index: z.number(), instructions: z.array(INSTRUCTION) })).nullish(),
  }),
  transaction: z.object({
    message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string() })), instructions: z.array(INSTRUCTION) }),
  }),
})
type ParsedTransaction = z.infer<typeof TRANSACTION>

const LAMPORTS = z.int().positive()
/** The system program's ways of giving an account lamports out of another's. */
const TRANSFERS = z.union([
  z.object({
    type: z.enum(['transfer', 'transferWithSeed']),
    info: z.object({ source: z.string(), destination: z.string(), lamports: LAMPORTS }),
  }),
  z
    .object({
      type: z.enum(['createAccount', 'createAccountWithSeed']),
      info: z.object({ source: z.string(), newAccount: z.string(), lamports: LAMPORTS }),
    })
    .transform(({ type, info }) => ({ type, info: { ...info, destination: info.newAccount } })),
])

function* transfersOf({ meta, transaction }: ParsedTransaction) {
  const inner = new Map((meta.innerInstructions ?? []).map((set) => [set.index, set.instructions]))
  for (const instruction of transaction.message.instructions.flatMap((outer, i) => [outer, ...(inner.get(i) ?? [])])) {
    if (instruction.program !== 'system') continue
    const parsed = TRANSFERS.safeParse(instruction.parsed)
    if (parsed.success) yield parsed.data
  }
}

/** Wallets that `payer` gave lamports and that had none before; accounts of programs and newly made ones do not count. */
export function firstPayouts(tx: ParsedTransaction, payer: string): { taker: string; lamports: number }[] {
  const found = new Map<string, number>()
  for (const { type, info } of transfersOf(tx)) {
    const { source, destination, lamports } = info
    if (source !== payer || destination === payer || found.has(destination)) continue
    if (type !== 'transfer' && type !== 'transferWithSeed') continue
    const at = tx.transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === destination)
    if (tx.meta.preBalances[at] !== 0 || !isAddress(destination) || isOffCurveAddress(destination)) continue
    found.set(destination, lamports)
  }
  return [...found].map(([taker, lamports]) => ({ taker, lamports }))
}

/**
 * Finds the sender of the first lamports of `wallet`, if this transaction has it.
 * - none: the wallet has none before and after
 * - held: it had some before, so this is not its first transaction
 * - unnamed: lamports arrived, but not by a transfer from another wallet (a closed account, a program's own)
 */
export function firstSender(
  tx: ParsedTransaction,
  wallet: string,
): { sender: string; lamports: number } | 'none' | 'held' | 'unnamed' | null {
  const { meta, transaction } = tx
  const { accountKeys } = transaction.message
  const at = accountKeys.findIndex(({ pubkey }) => pubkey === wallet)
  const before = meta.preBalances[at]
  const after = meta.postBalances[at]
  if (before === undefined || after === undefined) return null
  if (before > 0) return 'held'
  if (after <= 0) return 'none'
  for (const { info } of transfersOf(tx)) {
    const { source, destination, lamports } = info
    if (destination === wallet && source !== wallet) return { sender: source, lamports }
  }
  return 'unnamed'
}
