import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import { SYSTEM_GIVES } from '@ti/core/model/programs.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'

/** SOL that a wallet sent to one that had none. */
export interface FirstPayment {
  readonly wallet: Key
  readonly funder: Key
  readonly lamports: number
}

/** Layout of both kinds of transfer and of account creation: tag u32, lamports u64; from and to are the first accounts, but
 * `TransferWithSeed` has the base of the sender's address between them. */
const LAMPORTS_AT = 4
const LEAST_BYTES = 12

interface Given {
  /** indices into the transaction's keys */
  readonly from: number
  readonly to: number
  readonly lamports: bigint
  /** not by creating an account, which programs do for their own */
  readonly isTransfer: boolean
}

/**
 * Payments of wallets that `isFunder` names to others that had no lamports before the transaction and have some after it. Of several
 * senders only the first counts, as for a funder that is traced. An inner instruction counts like an outer one; where inner ones are
 * unknown nothing is said.
 */
export function firstPayments(tx: RawTransaction, isFunder: (key: Key) => boolean): FirstPayment[] {
  const found: FirstPayment[] = []
  if (tx.failed || tx.inner === null || !tx.keys.some(isFunder)) return found
  const seen = new Set<number>()
  for (const { from, to, lamports, isTransfer } of givenIn(tx)) {
    if (from === to || seen.has(to) || tx.preBalances[to] !== 0) continue
    seen.add(to)
    const funder = tx.keys[from]!
    if (!isTransfer || !isFunder(funder) || !(tx.postBalances[to]! > 0) || isTokenAccount(tx, to)) continue
    if (lamports <= 0n || lamports > Number.MAX_SAFE_INTEGER) continue
    found.push({ wallet: tx.keys[to]!, funder, lamports: Number(lamports) })
  }
  return found
}

const isTokenAccount = ({ postTokens }: RawTransaction, index: number): boolean =>
  postTokens.some(({ account }) => account === index)

/** In the order in which they ran: inner instructions run under their outer one. */
function* givenIn(tx: RawTransaction): Generator<Given> {
  const inner = tx.inner ?? []
  for (let i = 0; i < tx.instructions.length; i++) {
    yield* givenBy([tx.instructions[i]!], tx)
    for (const { outer, instructions } of inner) if (outer === i) yield* givenBy(instructions, tx)
  }
}

function* givenBy(instructions: readonly RawInstruction[], tx: RawTransaction): Generator<Given> {
  for (const instruction of instructions) {
    const given = readGiven(instruction, tx)
    if (given !== null) yield given
  }
}

function readGiven(instruction: RawInstruction, { keys }: RawTransaction): Given | null {
  if (keys[instruction.program] !== ZERO_KEY) return null
  const { data, accounts } = instruction
  if (data.length < LEAST_BYTES) return null
  const tag = data.readUInt32LE(0)
  const isSeeded = tag === SYSTEM_GIVES.transferWithSeed
  const isTransfer = tag === SYSTEM_GIVES.transfer || isSeeded
  if (!isTransfer && tag !== SYSTEM_GIVES.createAccount && tag !== SYSTEM_GIVES.createAccountWithSeed) return null
  const from = accounts[0]
  const to = accounts[isSeeded ? 2 : 1]
  if (from === undefined || to === undefined || from >= keys.length || to >= keys.length) return null
  return { from, to, lamports: data.readBigUInt64LE(LAMPORTS_AT), isTransfer }
}
