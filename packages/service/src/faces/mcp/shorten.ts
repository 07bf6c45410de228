import { ANSWER_BYTES } from '@ti/core/contract/tools.ts'
import { type Answer, type Forms, latin1 } from '@ti/core/query/envelope.ts'
import type { Json } from './payment.ts'

/** An answer that does not fit a model's context is cut; its `meta.left_out` says where and how to get the rest. */

/** words of strangers that no judgement needs; they go first */
const STRANGERS: ReadonlySet<string> = new Set(['description', 'image_uri', 'telegram', 'twitter', 'website'])
/** characters of any other text */
const TEXT_LENGTH = 600
/** items of each list, tried in this order: with one each, every answer fits */
const LENGTHS = [50, 40, 30, 25, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2, 1]

interface LeftOut {
  /** by path */
  readonly lists: Record<string, string>
  readonly fields: Set<string>
}

function cut(value: unknown, most: number, strangers: boolean, path: string, left: LeftOut): unknown {
  if (typeof value === 'string') return value.length > TEXT_LENGTH ? `${value.slice(0, TEXT_LENGTH)}…` : value
  if (Array.isArray(value)) {
    if (value.length > most)
      left.lists[path] = `the first ${most} of ${path.includes('[]') ? 'up to ' : ''}${value.length}`
    return value.slice(0, most).map((item) => cut(item, most, strangers, `${path}[]`, left))
  }
  if (typeof value !== 'object' || value === null) return value
  const kept: Json = {}
  for (const [name, item] of Object.entries(value)) {
    if (!strangers && STRANGERS.has(name) && typeof item === 'string') left.fields.add(name)
    else kept[name] = cut(item, most, strangers, path === '' ? name : `${path}.${name}`, left)
  }
  return kept
}

interface Cut {
  readonly text: string
  /** JSON that extends `meta`; empty: nothing is left out */
  readonly left: string
}

function cutTo(whole: Json, most: number, strangers: boolean, more: string): Cut {
  const left: LeftOut = { lists: {}, fields: new Set() }
  const text = JSON.stringify(cut(whole, most, strangers, '', left)).slice(0, -1)
  const fields = [...left.fields]
  const nothing = fields.length === 0 && Object.keys(left.lists).length === 0
  const said = JSON.stringify({ lists: left.lists, ...(fields.length > 0 && { fields }), more })
  return { text: latin1(Buffer.from(text)), left: nothing ? '' : `,"left_out":${said}` }
}

function fit(whole: Json, bytes: number, more: string): Cut {
  let made: Cut
  let n = 0
  do made = cutTo(whole, LENGTHS[n++]!, false, more)
  while (n < LENGTHS.length && made.text.length + made.left.length > bytes)
  return made
}

/** of answers that were made to fit, while the whole ones are kept */
const fitted = new WeakMap<Forms, { readonly forms: Forms; readonly left: string }>()

/** `most`: items of each list; null: as many as fit; Infinity: all. `more` says how to get what is left out. */
export function shortened(answer: Answer, most: number | null, more: string): Answer {
  const { body, forms } = answer
  const fits = body.length <= ANSWER_BYTES
  if (most === Infinity || (most === null && fits)) return answer
  const known = most === null && forms !== null ? fitted.get(forms) : undefined
  if (known !== undefined) return withEnd(answer, known.forms, known.forms.text, answer.end, known.left)
  const { meta, ...whole } = JSON.parse(Buffer.from(body, 'latin1').toString()) as Json
  const end = latin1(Buffer.from(`,"meta":${JSON.stringify(meta)}}`))
  const { text, left } = most === null ? fit(whole, ANSWER_BYTES - end.length, more) : cutTo(whole, most, fits, more)
  const kept = forms && { text, etag: '', lines: '', coded: {} }
  if (most === null && forms !== null) fitted.set(forms, { forms: kept!, left })
  return withEnd(answer, kept, text, end, left)
}

function withEnd(answer: Answer, forms: Forms | null, text: string, meta: string, left: string): Answer {
  const end = `${meta.slice(0, -2)}${left}}}`
  return { ...answer, forms, end, body: text + end }
}
