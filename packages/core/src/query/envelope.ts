import { hash } from 'node:crypto'
import { type Beginning, begin, type Coding, finish } from '../base/coding.ts'
import type { Rendered } from './query.ts'

/** length of `[]` */
const EMPTY_BYTES = 2
/** below this, compressing and comparing cost more than they save: the answer fits one packet anyway */
const SMALL_BYTES = 1_024
/** base64url characters of an entity tag: 132 bits */
const TAG_LENGTH = 22

export const latin1 = (bytes: Buffer): string => bytes.toString('latin1')

/** The start of an answer in the requested codings, cached with its data. */
export interface Forms {
  /** `{"data":…`, UTF-8 bytes in a latin-1 string. */
  readonly text: string
  /** Hash of the data. Weak, because answers differ in `meta`. Empty for small answers. */
  readonly etag: string
  /** Header lines of an uncompressed answer. */
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

/** A weak tag: the same for a text in every coding. */
export const etagOf = (bytes: Buffer | string): string =>
  `W/"${hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)}"`

export interface Answer {
  /** JSON as UTF-8 bytes in a latin-1 string, which can be written together with its head. */
  readonly body: string
  /** What follows `forms.text` in the body. */
  readonly end: string
  /** True without any data or summary; such an answer is not charged. */
  readonly empty: boolean
  /** The newest block in the answer; null if no longer known. */
  readonly slot: number | null
  /** As in `Rendered`. */
  readonly dropped?: number | undefined
  readonly emptyReason?: string | null | undefined
  /** Null if the answer is sent as it is. */
  readonly forms: Forms | null
}

/**
 * Builds `{ data, meta }` or `{ data, summary, meta }` around encoded bytes. `more` extends `meta`: JSON that begins
 * with a comma, or empty. Data and summary are of one log entry, so equal data have equal summaries.
 */
export function envelope(data: Rendered, requestId: string, more = '', summary?: Buffer): Answer {
  const form = formsOf(data, summary)
  const meta = `,"meta":{"cached_at":"${data.renderedAt}","request_id":"${requestId}"${more}}}`
  return {
    body: form.text + meta,
    end: meta,
    empty: summary === undefined && data.bytes.length <= EMPTY_BYTES,
    slot: data.slot,
    dropped: data.dropped,
    emptyReason: data.emptyReason,
    forms: form.etag === '' ? null : form,
  }
}

/** The part of an answer that is compressed once: what its body begins with. */
export type Opening = Pick<Forms, 'text' | 'coded'>

/** A body in a coding: its opening was compressed once, and the rest is appended uncompressed. */
export function coded({ text, coded: kept }: Opening, end: string, coding: Coding): string {
  kept[coding] ??= begin(coding, Buffer.from(text, 'latin1'))
  return finish(coding, kept[coding], end)
}
