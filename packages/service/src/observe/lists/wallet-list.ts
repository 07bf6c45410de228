import { open, stat } from 'node:fs/promises'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { plainLine } from '@ti/core/base/plain-text.ts'
import { z } from 'zod'
import type { Outbound } from '../outbound/outbound.ts'

/** bytes of a list, wallets, characters of a name, and milliseconds of a request */
export const LIST_BYTES = 2 << 20
export const LIST_WALLETS = 10_000
const NAME_LENGTH = 64
const REQUEST_MS = 10_000

export type WalletList = ReadonlyMap<Key, string>

/**
 * - same: nothing new since the last good one
 * - broken: `why` in words for the operator; the last good list stays in use
 */
type ListLook =
  | { readonly state: 'same' }
  | { readonly state: 'new'; readonly list: WalletList }
  | { readonly state: 'broken'; readonly why: string }

/** Reads the operator's list, a file or an http(s) URL, at each call. */
export type ListReader = (signal: AbortSignal) => Promise<ListLook>

export const isUrl = (place: string): boolean => /^https?:\/\//i.test(place)

export const createListReader = (place: string, outbound: Outbound): ListReader =>
  isUrl(place) ? urlReader(place, outbound) : fileReader(place)

function fileReader(path: string): ListReader {
  let stamp = ''
  return async () => {
    try {
      // a pipe would be waited for
      if (!(await stat(path)).isFile()) return broken('it is not a file')
      const file = await open(path, 'r')
      try {
        const { size, mtimeMs, ino } = await file.stat()
        const now = `${ino} ${size} ${mtimeMs}`
        if (now === stamp) return { state: 'same' }
        if (size > LIST_BYTES) return broken(`it has ${size} bytes, at most ${LIST_BYTES} are read`)
        const bytes = Buffer.alloc(LIST_BYTES + 1)
        const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
        const look = parsed(bytes.subarray(0, bytesRead))
        // a file that is broken is read again: it may have been half written
        if (look.state === 'new') stamp = now
        return look
      } finally {
        await file.close()
      }
    } catch (error) {
      return broken((error as NodeJS.ErrnoException).code ?? 'it cannot be read')
    }
  }
}

function urlReader(url: string, outbound: Outbound): ListReader {
  let last = ''
  return async (signal) => {
    const limits = { bytesMax: LIST_BYTES, timeoutMs: REQUEST_MS }
    const answer = await outbound.get({ url, namedBy: 'operator', purpose: 'list', accept: TYPES, signal, ...limits })
    if (!answer.ok) return broken(`the request ended as ${answer.reason}`)
    const text = answer.bytes.toString('latin1')
    if (text === last) return { state: 'same' }
    const look = parsed(answer.bytes)
    if (look.state === 'new') last = text
    return look
  }
}

const TYPES = ['application/json', 'text/json', 'text/plain', 'application/octet-stream']
const broken = (why: string): ListLook => ({ state: 'broken', why })

const LIST = z
  .array(
    z.object({
      wallet: z.string().transform((text, context) => {
        const wallet = keyFromBase58(text)
        if (wallet === null) context.addIssue({ code: 'custom', message: 'base58 of 32 bytes' })
        return wallet ?? z.NEVER
      }),
      name: z
        .string()
        .max(NAME_LENGTH * 4)
        .transform((text) => plainLine(text, NAME_LENGTH))
        .refine((text) => text !== '', 'a visible name'),
    }),
  )
  .max(LIST_WALLETS)

/** Whole or not at all: half a list would un-name the other half. The first name of a wallet counts. */
function parsed(bytes: Buffer): ListLook {
  if (bytes.length > LIST_BYTES) return broken(`it has more than ${LIST_BYTES} bytes`)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return broken('it is not JSON')
  }
  const result = LIST.safeParse(json)
  if (result.success)
    return { state: 'new', list: new Map(result.data.map((w) => [w.wallet, w.name] as const).reverse()) }
  const [issue] = result.error.issues
  return broken(`${issue!.path.join('.') || 'the list'}: ${issue!.message}`)
}
