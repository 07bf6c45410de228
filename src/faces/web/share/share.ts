import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClientAddress } from '../../../access/limits/client-address.ts'
import type { Windows } from '../../../access/limits/windows.ts'
import { rateHeaders, rateLimitMessage } from '../../../access/refusals.ts'
import { isShortage } from '../../../base/shortage.ts'
import { DeadlineError, within } from '../../../base/within.ts'
import { LIMITS } from '../../../config/limits.ts'
import type { Preview, PreviewKind, Previews } from '../../../query/previews.ts'
import { type Headers, send, sendError, sendText } from '../answer.ts'
import type { ServeFile } from '../static.ts'
import { withHead } from './head.ts'
import { pictureOf } from './picture.ts'
import { CROWDED, createPictures, type Pictures } from './pictures.ts'
import { withWords } from './words.ts'

/** What links to the page show elsewhere: a head of its own for each token, deployer and actor, and a picture. */
export interface ShareOptions {
  readonly previews: Previews
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  readonly isReady: () => boolean
  readonly publicUrl: string
  readonly pictures?: Pictures
}

type Answer = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<number>

interface Share {
  /** who answers the page at a path with its own head; null: it has none */
  page(path: string): Answer | null
  /** the handler of a picture; null: the path is not one */
  picture(path: string): Answer | null
}

const KINDS = 'token|deployer|actor'
const PAGE = new RegExp(`^/(${KINDS})/([A-Za-z0-9_]{1,${LIMITS.webSegmentLength}})$`)
const PICTURE = new RegExp(`^/share/(${KINDS})/([A-Za-z0-9_]{1,${LIMITS.webSegmentLength}})\\.png$`)

const named = (found: RegExpExecArray | null): { kind: PreviewKind; id: string } | null =>
  found === null ? null : { kind: found[1] as PreviewKind, id: found[2]! }

/** elsewhere pages may show it, other than everything else here */
const PICTURE_HEADERS: Headers = [
  ...['content-type', 'image/png'],
  ...['cache-control', `public, max-age=${LIMITS.pictureMaxAgeS}`],
]

/** What a path of the page gets. */
interface Index {
  text(path: string, preview: Preview): string
  readonly headers: Headers
  /** as it is */
  plain(path: string): ServeFile
}

/** `index` null: the page was not built, so there is nothing to put a head on. */
export function createShare(options: ShareOptions, index: Index | null): Share {
  const { previews, windows, clientAddress, isReady, publicUrl } = options
  const pictures = options.pictures ?? createPictures(LIMITS)
  const take = (request: IncomingMessage) => windows.take(`share ${clientAddress(request)}`, LIMITS.rateShare)

  /** under way, by what is asked for: one that hangs is begun once */
  const readings = new Map<string, Promise<Preview | null>>()

  async function read(kind: PreviewKind, id: string): Promise<Preview | null> {
    try {
      return await previews.of(kind, id)
    } catch (error) {
      if (isShortage(error)) return null
      throw error
    }
  }

  /** Null: unknown, or not now. */
  async function previewOf(kind: PreviewKind, id: string): Promise<Preview | null> {
    const key = `${kind} ${id}`
    const underWay = readings.get(key)
    if (underWay !== undefined) return underWay
    if (!isReady() || readings.size >= LIMITS.previewsReading) return null
    const reading = read(kind, id).finally(() => readings.delete(key))
    readings.set(key, reading)
    return reading
  }

  /** The same, null also where it takes longer than somebody who opens the page should wait for a sentence. */
  function previewSoon(kind: PreviewKind, id: string): Promise<Preview | null> {
    return within(LIMITS.previewWaitMs, previewOf(kind, id)).catch((error: unknown) => {
      if (error instanceof DeadlineError) return null
      throw error
    })
  }

  function page(path: string): Answer | null {
    const asked = named(PAGE.exec(path))
    if (asked === null || index === null) return null
    return async (request, response, requestId) => {
      // beyond the limit the page comes with its general head, as for an unknown token
      const preview = (await take(request)).allowed ? await previewSoon(asked.kind, asked.id) : null
      if (preview === null) return index.plain(path)(request, response, requestId)
      const picture = `${publicUrl}/share/${asked.kind}/${asked.id}.png`
      const skeleton = withWords(index.text(path, preview), preview)
      const text = withHead(skeleton, { preview, url: publicUrl + path, picture })
      return sendText(request, response, requestId, text, index.headers)
    }
  }

  function picture(path: string): Answer | null {
    const asked = named(PICTURE.exec(path))
    if (asked === null) return null
    return async (request, response, requestId) => {
      const window = await take(request)
      if (!window.allowed) {
        const extra = [...rateHeaders(window), 'retry-after', `${window.resetS}`]
        return sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: window.resetS })
      }
      const preview = await previewOf(asked.kind, asked.id)
      if (preview === null) return sendError(response, 404, `this ${asked.kind} is not known here`, requestId)
      const drawn = await pictures.of(pictureOf(preview, new URL(publicUrl).host))
      if (drawn === CROWDED) {
        return sendError(response, 503, 'too many pictures are being made: try again', requestId, ['retry-after', '2'])
      }
      return send(response, 200, requestId, drawn, PICTURE_HEADERS, 'cross-origin')
    }
  }
  return { page, picture }
}
