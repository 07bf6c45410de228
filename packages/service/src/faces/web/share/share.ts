import type { IncomingMessage } from 'node:http'
import { DeadlineError, within } from '@ti/core/base/within.ts'
import type { Preview, PreviewKind, Previews } from '@ti/core/query/previews.ts'
import type { ClientAddress } from '../../../access/rate-limits/client-address.ts'
import type { Windows } from '../../../access/rate-limits/windows.ts'
import { rateHeaders, rateLimitMessage } from '../../../access/refusals.ts'
import { isShortage } from '../../../base/shortage.ts'
import type { Headers } from '../../answer.ts'
import type { Serve } from '../../answering.ts'
import { send, sendError, sendText } from '../answer.ts'
import { withHead } from './head.ts'
import { pictureOf } from './picture.ts'
import { CROWDED, createPictures, type Pictures } from './pictures.ts'
import { withWords } from './words.ts'

/** heads and pictures a minute and address: readers of links ask for both, and a chat's server asks for all its users */
export const RATE_SHARE = 120
/** milliseconds that the page of a token, deployer or actor waits for the data of its head: readings take some 10 ms, and
 * link readers cache a head for days, so this is longer than the wait of the board; heads read at once */
const PREVIEW_WAIT_MS = 250
const PREVIEWS_READING = 200
/** milliseconds that a picture waits for its data: link readers give up after some seconds */
const PICTURE_WAIT_MS = 3_000
/** seconds that others may keep a picture */
const PICTURE_MAX_AGE_S = 60

/** Link previews of the page: each token, deployer and actor has a head and a picture of its own. */
export interface ShareOptions {
  readonly previews: Previews
  readonly windows: Windows
  readonly clientAddress: ClientAddress
  readonly isReady: () => boolean
  readonly publicUrl: string
  readonly pictures?: Pictures
}

interface Share {
  /** serves the page of the path's subject with a head of its own; null: the page was not built */
  page(kind: PreviewKind): Serve | null
  picture(kind: PreviewKind): Serve
}

export const SHARED: readonly PreviewKind[] = ['token', 'deployer', 'actor']

/** pages of other origins may embed the picture, unlike all other files here */
const PICTURE_HEADERS: Headers = [
  ...['content-type', 'image/png'],
  ...['cache-control', `public, max-age=${PICTURE_MAX_AGE_S}`],
]

/** The subject may exist, but it could not be read in time. */
const NOT_NOW = Symbol('not now')

/** Null: there is no such subject. */
type Found = Preview | null | typeof NOT_NOW

/** Serves index.html for a path of the page. */
interface Index {
  text(path: string, preview: Preview): string
  readonly headers: Headers
  /** serves index.html unchanged */
  plain(path: string): Serve
}

/** `index` null: the page was not built, so no head can be added. */
export function createShare(options: ShareOptions, index: Index | null): Share {
  const { previews, windows, clientAddress, isReady, publicUrl } = options
  const pictures = options.pictures ?? createPictures()
  const take = (request: IncomingMessage) => windows.take(`share ${clientAddress(request)}`, RATE_SHARE)

  /** reads in progress, by subject, so that a read that hangs is started only once */
  const readings = new Map<string, Promise<Found>>()

  async function read(kind: PreviewKind, id: string): Promise<Found> {
    try {
      return await previews.of(kind, id)
    } catch (error) {
      if (isShortage(error)) return NOT_NOW
      throw error
    }
  }

  async function previewOf(kind: PreviewKind, id: string): Promise<Found> {
    const key = `${kind} ${id}`
    const underWay = readings.get(key)
    if (underWay !== undefined) return underWay
    if (!isReady() || readings.size >= PREVIEWS_READING) return NOT_NOW
    const reading = read(kind, id).finally(() => readings.delete(key))
    readings.set(key, reading)
    return reading
  }

  /** Reads a preview; after `waitMs` the result is NOT_NOW. */
  function previewWithin(waitMs: number, kind: PreviewKind, id: string): Promise<Found> {
    return within(waitMs, previewOf(kind, id)).catch((error: unknown) => {
      if (error instanceof DeadlineError) return NOT_NOW
      throw error
    })
  }

  function page(kind: PreviewKind): Serve | null {
    if (index === null) return null
    return async (request, response, requestId, args, search) => {
      const id = args[0]!
      const path = `/${kind}/${id}`
      // above the rate limit the page gets its general head, as for an unknown token
      const preview = (await take(request)).allowed ? await previewWithin(PREVIEW_WAIT_MS, kind, id) : null
      if (preview === null || preview === NOT_NOW) {
        return index.plain(path)(request, response, requestId, args, search)
      }
      const picture = `${publicUrl}/share/${kind}/${id}.png`
      const skeleton = withWords(index.text(path, preview), preview)
      const text = withHead(skeleton, { preview, url: publicUrl + path, picture })
      return sendText(request, response, requestId, text, index.headers)
    }
  }

  function picture(kind: PreviewKind): Serve {
    return async (request, response, requestId, [id]) => {
      const window = await take(request)
      if (!window.allowed) {
        const extra = [...rateHeaders(window), 'retry-after', `${window.resetS}`]
        return sendError(response, 429, rateLimitMessage(window), requestId, extra, { retry_after: window.resetS })
      }
      const preview = await previewWithin(PICTURE_WAIT_MS, kind, id!)
      if (preview === null) return sendError(response, 404, `this ${kind} is not known here`, requestId)
      // a temporary failure is a 503: link readers would cache a 404
      const later = (why: string) => sendError(response, 503, `${why}: try again`, requestId, ['retry-after', '2'])
      if (preview === NOT_NOW) return later(`this ${kind} cannot be read at the moment`)
      const drawn = await pictures.of(pictureOf(preview, new URL(publicUrl).host))
      if (drawn === CROWDED) return later('too many pictures are being made')
      return send(response, 200, requestId, drawn, PICTURE_HEADERS, 'cross-origin')
    }
  }
  return { page, picture }
}
