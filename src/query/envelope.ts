import type { Rendered } from './query.ts'

/** bytes of `[]` */
const EMPTY_BYTES = 2

export const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

/** Cached answers are sent many times: their latin-1 form is kept as long as they are. */
const forms = new WeakMap<Buffer, string>()

function cachedLatin1(bytes: Buffer): string {
  const known = forms.get(bytes)
  if (known !== undefined) return known
  const form = latin1(bytes)
  forms.set(bytes, form)
  return form
}

/** A whole answer. */
export interface Answer {
  /** JSON as UTF-8 bytes in a latin-1 string: the form that leaves in one piece with its head */
  readonly body: string
  /** it has no data, not even a summary, so it is not charged */
  readonly empty: boolean
}

/** `{ data, meta }`, or `{ data, summary, meta }`, around bytes that are encoded already. `page` is JSON or empty. */
export function envelope(data: Rendered, requestId: string, summary?: Buffer, page = ''): Answer {
  const middle = summary === undefined ? '' : `,"summary":${latin1(summary)}`
  const meta = `,"meta":{"cached_at":"${data.renderedAt}","request_id":"${requestId}"${page}}}`
  return {
    body: `{"data":${cachedLatin1(data.bytes)}${middle}${meta}`,
    empty: summary === undefined && data.bytes.length <= EMPTY_BYTES,
  }
}
