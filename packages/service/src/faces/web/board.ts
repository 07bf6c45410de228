import { setTimeout as pause } from 'node:timers/promises'
import { CODINGS } from '@ti/core/base/coding.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { Serve } from '../answering.ts'
import { packed } from '../packing.ts'
import { formOf, type WebFile } from './files.ts'

/** milliseconds that the page of the board waits to know which lists are empty */
const WAIT_MS = 50

interface BoardOptions {
  readonly query: Pick<AppQuery, 'empty'>
  readonly isReady: () => boolean
  /** the board with places for all lists */
  readonly plain: WebFile
  readonly serve: (file: WebFile) => Serve
}

/** The board without places for lists that are empty now, so that the page does not shift when it loads. */
export function createBoard({ query, isReady, plain, serve }: BoardOptions): Serve {
  /** by the names of the empty lists: at most 32 */
  const made = new Map<string, Promise<Serve>>()

  async function make(empty: readonly string[]): Promise<Serve> {
    if (empty.length === 0) return serve(plain)
    const text = empty.reduce(
      (html, id) => html.replace(`data-column="${id}"`, (column) => `${column} data-empty="true"`),
      plain.plain.bytes.toString(),
    )
    const bytes = Buffer.from(text)
    const encoded = await Promise.all(
      CODINGS.map(async (coding) => [coding, formOf((await packed(bytes, coding)).body)]),
    )
    return serve({ type: plain.type, plain: formOf(bytes), encoded: Object.fromEntries(encoded) })
  }

  let known: readonly string[] = []
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    try {
      known = await query.empty()
    } catch {
      // the empty lists affect only the layout, and the page's own requests report a failure of this read
    } finally {
      reading = null
    }
  }

  /** Keeps the last known lists if they cannot be read now or if the read takes longer than a reader should wait. */
  async function emptyNow(): Promise<readonly string[]> {
    if (!isReady()) return []
    const end = new AbortController()
    reading ??= read()
    await Promise.race([reading, pause(WAIT_MS, null, { signal: end.signal }).catch(() => null)])
    end.abort()
    return known
  }

  return async (request, response, requestId, args, search) => {
    const empty = await emptyNow()
    const key = empty.join(' ')
    const page = made.get(key) ?? make(empty)
    made.set(key, page)
    page.catch(() => made.delete(key))
    return (await page)(request, response, requestId, args, search)
  }
}
