import type { Key } from '@ti/core/base/ids.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { seededRandom } from '../support/random.ts'

/** Writes transactions as they travel on the wire, from our own shape; written from SIMD-0385, not from the reader. */

/** How many keys at the end come out of lookup tables: of a version 0 transaction, those that no instruction runs. */
export function loadedKeys({ tables, keys, instructions }: RawTransaction): number {
  if (tables.length === 0) return 0
  const last = Math.max(0, ...instructions.map(({ program }) => program))
  return Math.min(LOADED_MOST, keys.length - 1 - last)
}
const LOADED_MOST = 5

export function wireOf(tx: RawTransaction): Buffer {
  return tx.version === 1 ? wireOfV1(tx) : wireOfOlder(tx)
}

/** Signatures, header, keys, blockhash, instructions, lookup tables. */
function wireOfOlder(tx: RawTransaction): Buffer {
  const loaded = loadedKeys(tx)
  const keys = tx.keys.slice(0, tx.keys.length - loaded)
  const parts: Buffer[] = [compact(1), Buffer.from(tx.signature, 'latin1')]
  if (tx.version === 0) parts.push(Buffer.from([0x80]))
  parts.push(Buffer.from([tx.signers, 0, 0]), compact(keys.length), ...keys.map(bytes), Buffer.alloc(32, 7))
  parts.push(compact(tx.instructions.length))
  for (const { program, accounts, data } of tx.instructions)
    parts.push(Buffer.from([program]), compact(accounts.length), Buffer.from(accounts), compact(data.length), data)
  if (tx.version !== 0) return Buffer.concat(parts)
  parts.push(compact(tx.tables.length))
  for (const [i, table] of tx.tables.entries()) {
    const readonly = i === 0 ? Uint8Array.from({ length: loaded }, (_, at) => at) : []
    parts.push(bytes(table), compact(0), compact(readonly.length), Buffer.from(readonly))
  }
  return Buffer.concat(parts)
}

/** `more`: config values of other bits, as [bit, value], ascending. */
export function wireOfV1(tx: RawTransaction, more: readonly (readonly [number, number])[] = []): Buffer {
  const { priorityFee, computeUnitLimit } = tx.config!
  let mask = 0
  const values: Buffer[] = []
  if (priorityFee > 0) {
    mask |= 0b11
    values.push(u64(priorityFee))
  }
  if (computeUnitLimit > 0) {
    mask |= 0b100
    values.push(u32(computeUnitLimit))
  }
  for (const [bit, value] of more) {
    mask |= 1 << bit
    values.push(u32(value))
  }
  const headers = tx.instructions.map(({ program, accounts, data }) =>
    Buffer.from([program, accounts.length, data.length & 255, data.length >> 8]),
  )
  return Buffer.concat([
    Buffer.from([129, 1, 0, 0]),
    u32(mask >>> 0),
    Buffer.alloc(32, 7),
    Buffer.from([tx.instructions.length, tx.keys.length]),
    ...tx.keys.map(bytes),
    ...values,
    ...headers,
    ...tx.instructions.flatMap(({ accounts, data }) => [Buffer.from(accounts), data]),
    Buffer.from(tx.signature, 'latin1'),
  ])
}

/** The most that the format takes. */
export function fitsV1(tx: RawTransaction): boolean {
  const { keys, instructions } = tx
  return keys.length > 0 && keys.length <= 64 && instructions.length <= 64 && wireOfV1(tx).length <= 4_096
}

const TABLES: readonly Key[] = ['one', 'two'].map((name) => `table ${name}`.padEnd(32, '.') as Key)

/** The same blocks, their transactions of mixed versions by `seed`. */
export function withVersions(blocks: readonly RawBlock[], seed: number): RawBlock[] {
  const random = seededRandom(seed)
  const mixed = (tx: RawTransaction): RawTransaction => {
    const config = {
      priorityFee: random() < 0.2 ? 0 : Math.floor(random() * 1e7),
      computeUnitLimit: Math.floor(random() * 1.4e6),
    }
    const drawn = Math.floor(random() * 3)
    const tables = TABLES.slice(0, Math.floor(random() * 3))
    const v1 = withFields(tx, { version: 1, config, tables: [] })
    if (drawn === 1 && fitsV1(v1)) return v1
    return drawn === 2 ? withFields(tx, { version: 0, config: null, tables }) : tx
  }
  return blocks.map(({ slot, parent, time, transactions }) => ({
    slot,
    parent,
    time,
    transactions: transactions.map((tx) => (tx.keys.length === 0 ? tx : mixed(tx))),
  }))
}

/** `logs` may be a getter of the transaction's class, which a spread would leave behind. */
const withFields = (tx: RawTransaction, fields: Partial<RawTransaction>): RawTransaction => ({
  signature: tx.signature,
  index: tx.index,
  version: tx.version,
  config: tx.config,
  tables: tx.tables,
  failed: tx.failed,
  keys: tx.keys,
  signers: tx.signers,
  instructions: tx.instructions,
  inner: tx.inner,
  logs: tx.logs,
  preBalances: tx.preBalances,
  postBalances: tx.postBalances,
  preTokens: tx.preTokens,
  postTokens: tx.postTokens,
  ...fields,
})

const bytes = (key: Key): Buffer => Buffer.from(key, 'latin1')

function u32(value: number): Buffer {
  const four = Buffer.alloc(4)
  four.writeUInt32LE(value)
  return four
}

function u64(value: number): Buffer {
  const eight = Buffer.alloc(8)
  eight.writeBigUInt64LE(BigInt(value))
  return eight
}

function compact(value: number): Buffer {
  const out: number[] = []
  for (let left = value; ; left >>= 7) {
    if (left < 0x80) return Buffer.from([...out, left])
    out.push((left & 0x7f) | 0x80)
  }
}
