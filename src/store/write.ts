import { createHash } from 'node:crypto'
import type { Changes, DupField, DupFlags, TradeRow } from '../engine/state.ts'
import { encodeAgents } from './agent-record.ts'
import { encodeBook } from './bundle-record.ts'
import type { ById, Databases } from './databases.ts'
import * as record from './records.ts'
import { encodeTokenEvent } from './token-event-record.ts'
import { encodeToken } from './token-record.ts'

const EMPTY = Buffer.alloc(0)

/** Writes everything of `changes`; the caller holds the transaction. */
export function writeChanges(db: Databases, changes: Changes): void {
  db.globals.putSync(0, record.encodeGlobals(changes.globals))
  for (const { mint, id } of changes.newTokens) db.mints.putSync(mint, idBytes(id))
  for (const { address, id } of changes.newWallets) db.walletIds.putSync(address, idBytes(id))
  for (const token of changes.tokens) db.tokens.putSync(token.id, encodeToken(token))
  for (const wallet of changes.wallets) db.wallets.putSync(wallet.id, record.encodeWallet(wallet))
  for (const position of changes.positions) {
    db.positions.putSync([position.token, position.wallet], record.encodePosition(position))
  }
  writeTrades(db, changes.trades)
  for (const row of changes.tokenEvents) append(db.tokenEvents, row.seq, encodeTokenEvent(row), 'token event')
  for (const [seq, no] of changes.frameMarks) append(db.frames, seq, wideNumber(no), 'frame')
  for (const [pool, token] of changes.pools) db.pools.putSync(pool, idBytes(token))
  for (const { field, norm, token } of changes.firstUses) {
    const key = firstUseKey(field, norm)
    if (!db.firstUses.doesExist(key)) db.firstUses.putSync(key, idBytes(token))
  }
  for (const { token, bundles } of changes.bundles) db.bundles.putSync(token.id, encodeBook(bundles))
  if (changes.agents !== null) db.agents.putSync(0, encodeAgents(changes.agents))
  for (const [deployer, token] of changes.launches) db.launches.putSync([deployer, token], EMPTY)
  for (const [id, isLive] of changes.live) {
    if (isLive) db.live.putSync(id, EMPTY)
    else db.live.removeSync(id)
  }
}

/** Rows in ascending `no`; the caller holds the transaction. */
export function writeTrades(db: Databases, rows: readonly TradeRow[]): void {
  for (const row of rows) append(db.trades, row.no, record.encodeTrade(row), 'trade row')
}

/** An append out of order is refused with a false that the types do not mention. */
function append(db: ById, key: number, bytes: Buffer, what: string): void {
  const written: unknown = db.putSync(key, bytes, { append: true })
  if (written === false) throw new Error(`${what} ${key} is not after the newest`)
}

/** lmdb copies a value before it returns, so one buffer serves every id. */
const id32 = Buffer.alloc(4)
function idBytes(id: number): Buffer {
  id32.writeUInt32LE(id)
  return id32
}

const id64 = Buffer.alloc(8)
function wideNumber(value: number): Buffer {
  id64.writeDoubleLE(value)
  return id64
}
export const readWideNumber = (bytes: Buffer): number => bytes.readDoubleLE(0)

export const idOf = (bytes: Buffer | undefined): number | undefined => bytes?.readUInt32LE(0)

/** First byte of a first use's key. The numbers are part of the store's format: never reuse one. */
const FIELD: Record<keyof DupFlags, number> = {
  name: 0,
  symbol: 1,
  symbolName: 2,
  image: 3,
  twitter: 4,
  telegram: 5,
  website: 6,
}

/** Field and half a SHA-256 of the text: texts are as long as their authors like. */
export function firstUseKey(field: DupField, norm: string): Buffer {
  const key = createHash('sha256').update(norm).digest().subarray(0, 17)
  key.copyWithin(1, 0, 16)
  key[0] = FIELD[field]
  return key
}
