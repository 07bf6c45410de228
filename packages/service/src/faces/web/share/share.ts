import type { IncomingMessage } from 'node:http'
import { DeadlineError, within } from '@ti/core/base/within.ts'
import type { Preview, PreviewKind, Previews } from '@ti/core/query/previews.ts'
import type { ClientAddress } from '../../../access/rate-limits/client-address.ts'
import { type Shared, type Taker, visitorAt } from '../../../access/shared/shared.ts'
import { isShortage } from '../../../base/shortage.ts'
import type { Headers } from '../../answer.ts'
import type { Serve } from '../../answering.ts'
import { sendTooMany } from '../../free-documents.ts'
import { send, sendError, sendText } from '../answer.ts'
import { withHead } from './head.ts'
import { pictureOf } from './picture.ts'
import { CROWDED, createPictures, type Pictures } from './pictures.ts'
import { withWords } from './words.ts'

/** milliseconds that the page of a token, deployer or actor waits for the data of its head: readings take some 10 ms, and
 * link readers cache a head for days, so this is longer than the wait of the board; heads read at once */
const PREVIEW_WAIT_MS = 250
/** milliseconds that a picture waits for its data: link readers give up after some seconds */
const PICTURE_WAIT_MS = 3_000
/** seconds that others may keep a picture */
const PICTURE_MAX_AGE_S = 60

/** Link previews of the page: each token, deployer and actor has a head and a picture of its own. */
export interface ShareOptions {
  readonly previews: Previews
  readonly shared: Shared
  readonly clientAddress: ClientAddress
  readonly isReady: () => boolean
  readonly publicUrl: string
  readonly pictures?: Pictures
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
export function createShare(options: ShareOptions, index: Index | null) {
  const { previews, shared, clientAddress, isReady, publicUrl } = options
  const pictures = options.pictures ?? createPictures()
  /** Readers of links ask for a head and a picture, and a chat's server asks for all its users. */
  const takerOf = (request: IncomingMessage): Taker => visitorAt(clientAddress(request))

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

  async function previewOf(kind: PreviewKind, id: string, taker: Taker): Promise<Found> {
    const key = `${kind} ${id}`
    const underWay = readings.get(key)
    if (underWay !== undefined) return underWay
    const place = isReady() ? shared.take('readings', taker) : null
    if (!place?.ok) return NOT_NOW
    const reading = read(kind, id).finally(() => {
      readings.delete(key)
      place.release()
    })
    readings.set(key, reading)
    return reading
  }

  /** Reads a preview; after `waitMs` the result is NOT_NOW. */
  function previewWithin(waitMs: number, kind: PreviewKind, id: string, taker: Taker): Promise<Found> {
    return within(waitMs, previewOf(kind, id, taker)).catch((error: unknown) => {
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
      const taker = takerOf(request)
      const mayAsk = shared.take('previews', taker).ok
      const preview = mayAsk ? await previewWithin(PREVIEW_WAIT_MS, kind, id, taker) : null
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
      const taker = takerOf(request)
      const asked = shared.take('previews', taker)
      if (!asked.ok) return sendTooMany(sendError, { response, requestId, what: 'pictures' }, asked)
      const preview = await previewWithin(PICTURE_WAIT_MS, kind, id!, taker)
      if (preview === null) return sendError(response, 404, `this ${kind} is not known here`, requestId)
      // a temporary failure is a 503: link readers would cache a 404
      const later = (why: string) => sendError(response, 503, `${why}: try again`, requestId, ['retry-after', '2'])
      if (preview === NOT_NOW) return later(`this ${kind} cannot be read at the moment`)
      const drawn = await pictures.of(pictureOf(preview, new URL(publicUrl).host), () => shared.take('pictures', taker))
      if (drawn === CROWDED) return later('too many pictures are being made')
      return send(response, 200, requestId, drawn, PICTURE_HEADERS, 'cross-origin')
    }
  }
  return {
    /** serves the page of the path's subject with a head of its own; null: the page was not built */
    page,
    picture,
  }
}
