import type { Preview } from '@ti/core/query/previews.ts'
import { escapeMarkup } from './escape.ts'

const MARK = /\{\{(\w+)\}\}/g
const ROOT = '<div id="page">'

/**
 * Fills a token's skeleton (packages/page/skeletons.tsx) with the known values: in its placeholders for the reader, and as
 * data for the script that replaces it with the page.
 */
export function withWords(skeleton: string, { id, rating, words }: Preview): string {
  if (words === null) return skeleton
  const short = `${id.slice(0, 4)}…${id.slice(-4)}`
  const values = new Map(Object.entries({ ...words, id, short }))
  // all at once, so that a placeholder inside a name stays plain text
  const filled = skeleton.replace(MARK, (mark, name) => escapeMarkup(values.get(name) ?? mark))
  // escaped, so that no text can end the element
  const data = JSON.stringify({ ...words, id, colour: rating }).replaceAll('<', '\\u003c')
  return filled.replace(ROOT, (root) => `<script type="application/json" id="words">${data}</script>\n    ${root}`)
}
