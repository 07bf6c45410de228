import type { Decoded } from './transactions.ts'
import type { TransactionError } from './vm-errors.ts'

/** landed transactions it remembers (about 4 kB each), and transactions of one slot: 151 full slots are fewer, so that
 * nothing forgotten can land again */
export const TRANSACTIONS_KEPT = 10_000
export const BLOCK_TRANSACTIONS = 64

/** A transaction on the chain, successful or not. */
export interface Landed {
  readonly decoded: Decoded
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number
  readonly err: TransactionError | null
  /** `meta` of a getTransaction answer. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly memo: string | null
  /** Unix milliseconds from which it counts as confirmed. */
  confirmedAtMs: number
}

/** The newest landed transactions, indexed by signature, message and account key. */
export interface History {
  add(landed: Landed): void
  bySignature(signature: string): Landed | undefined
  has(decoded: Decoded): boolean
  /** Oldest first. */
  ofAddress(address: string): readonly Landed[]
  all(): Iterable<Landed>
}

export function createHistory(max: number = TRANSACTIONS_KEPT): History {
  /** in order of landing */
  const landedBySignature = new Map<string, Landed>()
  const hashes = new Set<string>()
  const byAddress = new Map<string, Landed[]>()

  const forget = ({ decoded }: Landed): void => {
    landedBySignature.delete(decoded.signature)
    hashes.delete(decoded.hash)
    for (const key of decoded.keys) {
      const list = byAddress.get(key)
      // the oldest transaction is also the oldest of each of its addresses
      list?.shift()
      if (list?.length === 0) byAddress.delete(key)
    }
  }

  return {
    add(landed) {
      landedBySignature.set(landed.decoded.signature, landed)
      hashes.add(landed.decoded.hash)
      for (const key of landed.decoded.keys) {
        const list = byAddress.get(key)
        if (list === undefined) byAddress.set(key, [landed])
        else list.push(landed)
      }
      if (landedBySignature.size <= max) return
      const [oldest] = landedBySignature.values()
      if (oldest !== undefined) forget(oldest)
    },
    bySignature: (signature) => landedBySignature.get(signature),
    has: ({ signature, hash }) => landedBySignature.has(signature) || hashes.has(hash),
    ofAddress: (address) => byAddress.get(address) ?? [],
    all: () => landedBySignature.values(),
  }
}
