import { createHash, hash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { base64Decode } from '@ti/core/base/base64.ts'
import { isOnCurve } from '@ti/core/base/curve.ts'
import { candidates } from '@ti/core/base/derived.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { z } from 'zod'
import { parseJson } from '../../base/bounded-text.ts'
import type { RpcClient } from '../../observe/outbound/json-rpc.ts'
import { type Published, readPublished } from './published.ts'

/** Seed of the account in which Anchor keeps a program's interface, and the mark at its beginning. */
const SEED = 'anchor:idl'
const MARK = createHash('sha256').update('internal:IdlAccount').digest().subarray(0, 8)
/** After the mark: an authority, the length of what follows, and zlib-compressed JSON. */
const LENGTH_AT = 40
const JSON_AT = 44
/** bytes of an interface: the largest known has 270 kB */
const INTERFACE_BYTES = 8 << 20

/** The address of the account: the program's address without seeds is the base of an address with a seed. */
export function interfaceAccount(program: Key): Key {
  for (const base of candidates('', program))
    if (!isOnCurve(base)) return hash('sha256', Buffer.from(base + SEED + program, 'latin1'), 'binary') as Key
  throw new Error('a program without an address of its own')
}

/** `none`: the program keeps no interface there; `unreadable`: it is none; `failed`: the node did not tell. */
type OnChain =
  | { readonly kind: 'found'; readonly published: Published }
  | { readonly kind: 'none' | 'unreadable' | 'failed' }

const Account = z.object({ value: z.object({ data: z.tuple([z.string(), z.literal('base64')]) }).nullable() })

export async function askInterface(rpc: RpcClient, program: Key, signal: AbortSignal): Promise<OnChain> {
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const answer = await rpc.call('getAccountInfo', [keyToBase58(interfaceAccount(program)), config], signal)
  const account = Account.safeParse(answer.ok ? answer.result : null)
  if (!account.success) return { kind: 'failed' }
  if (account.data.value === null) return { kind: 'none' }
  const bytes = base64Decode(account.data.value.data[0])
  const published = bytes === null ? null : readAccount(bytes)
  return published === null ? { kind: 'unreadable' } : { kind: 'found', published }
}

/** Null if the account holds no interface. */
export function readAccount(bytes: Buffer): Published | null {
  if (bytes.length < JSON_AT || !bytes.subarray(0, 8).equals(MARK)) return null
  const packed = bytes.subarray(JSON_AT, JSON_AT + bytes.readUInt32LE(LENGTH_AT))
  try {
    return readPublished(parseJson(inflateSync(packed, { maxOutputLength: INTERFACE_BYTES }).toString('utf8')))
  } catch {
    return null
  }
}
