import { hash } from 'node:crypto'
import { type Beginning, begin, type Coding, finish } from '../base/coding.ts'
import type { Rendered } from './query.ts'

/** bytes of `[]` */
const EMPTY_BYTES = 2
/** bytes of data below which compressing and comparing cost more than they save: an answer then fits one packet anyway */
const SMALL_BYTES = 1_024
/** base64url characters of an entity tag: 132 bits */
const TAG_LENGTH = 22

export const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

/** What an answer begins with, in the forms it was asked for; kept as long as the data are. */
interface Forms {
  /** `{"data":…`, UTF-8 bytes in a latin-1 string */
  readonly text: string
  /** of the data: answers differ in their `meta`, so it is weak. Empty: too small for one */
  readonly etag: string
  /** header lines of an answer that is not compressed */
  readonly lines: string
  readonly coded: Partial<Record<Coding, Beginning>>
}

const forms = new WeakMap<Buffer, Forms>()

function formsOf({ bytes }: Rendered, summary: Buffer | undefined): Forms {
  const known = forms.get(bytes)
  if (known !== undefined) return known
  const text = `{"data":${latin1(bytes)}${summary === undefined ? '' : `,"summary":${latin1(summary)}`}`
  const etag = text.length < SMALL_BYTES ? '' : etagOf(Buffer.from(text, 'latin1'))
  const form = { text, etag, lines: `etag: ${etag}\r\nvary: Accept-Encoding\r\n`, coded: {} }
  forms.set(bytes, form)
  return form
}

/** Weak: one tag for a text in every coding. */
export const etagOf = (bytes: Buffer | string): string =>
  `W/"${hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)}"`

/** A whole answer. */
export interface Answer {
  /** JSON as UTF-8 bytes in a latin-1 string: the form that leaves in one piece with its head */
  readonly body: string
  /** it has no data, not even a summary, so it is not charged */
  readonly empty: boolean
  /** newest block in what was answered; null where that is not known any more */
  readonly slot: number | null
  /** null: it is sent as it is */
  readonly forms: Forms | null
}

/**
 * `{ data, meta }`, or `{ data, summary, meta }`, around bytes that are encoded already. `more` is what else `meta` has: JSON
 * that begins with a comma, or empty. Data and summary are of one log entry, so that the same data always have the same summary.
 */
export function envelope(data: Rendered, requestId: string, more = '', summary?: Buffer): Answer {
  const form = formsOf(data, summary)
  const meta = `,"meta":{"cached_at":"${data.renderedAt}","request_id":"${requestId}"${more}}}`
  return {
    body: form.text + meta,
    empty: summary === undefined && data.bytes.length <= EMPTY_BYTES,
    slot: data.slot,
    forms: form.etag === '' ? null : form,
  }
}

/** An answer's body in a coding: its data are compressed once, what is its own follows as it is. */
export function coded(answer: Answer, { text, coded: kept }: Forms, coding: Coding): string {
  kept[coding] ??= begin(coding, Buffer.from(text, 'latin1'))
  return finish(coding, kept[coding], answer.body.slice(text.length))
}
