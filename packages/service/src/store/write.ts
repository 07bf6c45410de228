import { createHash } from 'node:crypto'
import type { Changes } from '@ti/core/engine/state.ts'
import { encodeActor, encodeActorEdges } from '@ti/core/model/generated/actors.ts'
import { encodeAgentBook, encodeBundleBook } from '@ti/core/model/generated/books.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import { encodeReadingRow, encodeTokenEventRow, encodeTradeRow } from '@ti/core/model/generated/rows.ts'
import { encodeToken } from '@ti/core/model/generated/token.ts'
import { encodeGlobals, encodePosition, encodeWallet } from '@ti/core/model/generated/wallet.ts'
import type { DupField, DupFlags } from '@ti/core/model/metadata.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import { type Databases, LIVE_CHUNK } from './databases.ts'
import type { StatePosition } from './meta.ts'

/** The value of records that are only a key; an empty one would have no checksum. */
const PRESENT = Buffer.alloc(1)

/** Writes `changes` without trade rows, in the caller's transaction, after position `before`; returns the counts. */
export function writeChanges(
  db: Databases,
  changes: Changes,
  before: StatePosition,
): Pick<StatePosition, 'frames' | 'pools' | 'firstUses' | 'agents'> {
  db.globals.put(0, encodeGlobals(changes.globals))
  for (const { mint, id } of changes.newTokens) db.mints.add(mint, id)
  for (const { address, id } of changes.newWallets) db.addresses.add(address, id)
  db.tokens.putAll(
    changes.tokens,
    ({ token }) => token.id,
    ({ token, positionCount }) => withCount(encodeToken(token), positionCount),
  )
  db.wallets.putAll(changes.wallets, ({ id }) => id, encodeWallet)
  db.positions.putAll(
    changes.positions,
    ({ token }) => token,
    ({ wallet }) => wallet,
    encodePosition,
  )
  for (const row of changes.tokenEvents) {
    db.tokenEvents.put(row.seq - 1, encodeTokenEventRow(row))
    if (row.kind === 'verdict') db.verdicts.put(row.no - 1, numberBytes(row.seq))
  }
  db.readings.putAll(changes.readings, ({ no }) => no, encodeReadingRow)
  const frames = writeFrames(db, changes, before.frames)
  for (const [pool, token] of changes.pools) if (db.pools.find(pool) === undefined) db.pools.add(pool, token)
  for (const { field, norm, token } of changes.firstUses) {
    const key = firstUseKey(field, norm)
    if (db.firstUses.find(key) === undefined) db.firstUses.add(key, token)
    else db.firstUses.set(key, token)
  }
  writeBundles(db, changes)
  if (changes.agents !== null) db.agents.put(0, encodeAgentBook(changes.agents))
  for (const actor of changes.actors) db.actors.put(actor.id, encodeActor(actor))
  for (const edges of changes.actorEdges) db.actorEdges.put(edges.id, encodeActorEdges(edges))
  for (const [deployer, token] of changes.launches) db.launches.put(deployer, token, PRESENT)
  writeLive(db, changes)
  for (const index of [db.mints, db.addresses, db.pools, db.firstUses]) index.flush()
  return {
    frames,
    pools: db.pools.count(),
    firstUses: db.firstUses.count(),
    agents: changes.agents === null ? before.agents : 1,
  }
}

/** Writes rows in ascending `no`, within the caller's transaction. */
export function writeTrades(db: Pick<Databases, 'trades'>, rows: readonly TradeRow[]): void {
  db.trades.putAll(rows, ({ no }) => no, encodeTradeRow)
}

/** Checks the number of a new row: one that replaces another or leaves a gap would be found later, as damage. */
export function checkNext(name: string, no: number, next: number): void {
  if (no !== next) throw new Error(`${name} ${no} is not after the newest: ${next} would be`)
}

function writeFrames(db: Databases, { frameMarks }: Changes, before: number): number {
  let at = before
  let last = before === 0 || frameMarks.length === 0 ? -1 : readFrame(db.frames.get(before - 1)!)[0]
  for (const [seq, no] of frameMarks) {
    if (seq <= last) throw new Error(`frame mark ${seq} is not after the newest, ${last}`)
    last = seq
    const bytes = Buffer.alloc(16)
    bytes.writeDoubleLE(seq, 0)
    bytes.writeDoubleLE(no, 8)
    db.frames.put(at++, bytes)
  }
  return at
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value, 0)
  return bytes
}

export const readFrame = (bytes: Buffer): readonly [seq: number, no: number] => [
  bytes.readDoubleLE(0),
  bytes.readDoubleLE(8),
]

/** Every token gets a record, so that a lost one is noticed. */
function writeBundles(db: Databases, { bundles, newTokens }: Changes): void {
  const written = new Set<number>()
  db.bundles.putAll(
    bundles,
    ({ token }) => token.id,
    ({ bundles }) => encodeBundleBook(bundles),
  )
  for (const { token } of bundles) written.add(token.id)
  for (const { id } of newTokens) if (!written.has(id)) db.bundles.put(id, encodeBundleBook(emptyBundleBook()))
}

/** One bit per token, in records of LIVE_CHUNK tokens. */
function writeLive(db: Databases, { live, newTokens }: Changes): void {
  const chunks = new Map<number, Buffer>()
  const chunkOf = (id: number): Buffer => {
    const chunk = Math.floor(id / LIVE_CHUNK)
    const known = chunks.get(chunk)
    if (known !== undefined) return known
    const bytes = Buffer.alloc(LIVE_CHUNK / 8)
    db.live.get(chunk)?.copy(bytes)
    chunks.set(chunk, bytes)
    return bytes
  }
  for (const { id } of newTokens) chunkOf(id)
  for (const [id, isLive] of live) {
    const bytes = chunkOf(id)
    const bit = id % LIVE_CHUNK
    const at = bit >> 3
    const mask = 1 << (bit & 7)
    bytes[at] = isLive ? bytes[at]! | mask : bytes[at]! & ~mask
  }
  for (const [chunk, bytes] of chunks) db.live.put(chunk, bytes)
}

export function* liveIn({
  id: chunk,
  bytes,
}: {
  readonly id: number
  readonly bytes: Buffer
}): IterableIterator<number> {
  for (let bit = 0; bit < LIVE_CHUNK; bit++) {
    if ((bytes[bit >> 3]! & (1 << (bit & 7))) !== 0) yield chunk * LIVE_CHUNK + bit
  }
}

/** Appends the number of positions to a token's record. */
function withCount(bytes: Buffer, count: number): Buffer {
  const all = Buffer.allocUnsafe(bytes.length + 4)
  bytes.copy(all)
  all.writeUInt32LE(count, bytes.length)
  return all
}
export const tokenBytes = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 4)
export const positionCount = (bytes: Buffer): number => bytes.readUInt32LE(bytes.length - 4)

/** First byte of a first use's key. The numbers are part of the store's format and never reused. */
const FIELD: Record<keyof DupFlags, number> = {
  name: 0,
  symbol: 1,
  symbolName: 2,
  image: 3,
  twitter: 4,
  telegram: 5,
  website: 6,
}

/** Field and half a SHA-256 of the text, as latin-1, because texts can have any length. */
export function firstUseKey(field: DupField, norm: string): string {
  const key = createHash('sha256').update(norm).digest().subarray(0, 17)
  key.copyWithin(1, 0, 16)
  key[0] = FIELD[field]
  return key.toString('latin1')
}
