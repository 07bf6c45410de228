import { z } from 'zod'

const INSTRUCTION = z.object({ program: z.string().optional(), parsed: z.unknown().optional() })

/** What is read of `getTransaction` with `jsonParsed`: account keys are all keys, those of lookup tables included. */
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

/**
 * Who gave `wallet` its first lamports, if this transaction did.
 * - none: the wallet has none before and after
 * - held: it had some before, so this is not its first transaction
 * - unnamed: lamports arrived, but not by a transfer from another wallet (a closed account, a program's own)
 */
export function firstSender(
  tx: ParsedTransaction,
  wallet: string,
): { sender: string; lamports: number } | 'none' | 'held' | 'unnamed' | null {
  const { meta, transaction } = tx
  const { accountKeys, instructions } = transaction.message
  const at = accountKeys.findIndex(({ pubkey }) => pubkey === wallet)
  const before = meta.preBalances[at]
  const after = meta.postBalances[at]
  if (before === undefined || after === undefined) return null
  if (before > 0) return 'held'
  if (after <= 0) return 'none'
  const inner = new Map((meta.innerInstructions ?? []).map((set) => [set.index, set.instructions]))
  for (const instruction of instructions.flatMap((outer, i) => [outer, ...(inner.get(i) ?? [])])) {
    if (instruction.program !== 'system') continue
    const parsed = TRANSFERS.safeParse(instruction.parsed)
    if (!parsed.success) continue
    const { source, destination, lamports } = parsed.data.info
    if (destination === wallet && source !== wallet) return { sender: source, lamports }
  }
  return 'unnamed'
}
