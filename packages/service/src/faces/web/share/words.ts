import type { Preview } from '@ti/core/query/previews.ts'
import { escapeMarkup } from './escape.ts'

const MARK = /\{\{(\w+)\}\}/g
const ROOT = '<div id="page">'

/**
 * A token's skeleton (packages/page/skeletons.tsx) with what is known of it: in the marks for who looks at it, and as data for the script
 * that makes the page in its place.
 */
export function withWords(skeleton: string, { id, rating, words }: Preview): string {
  if (words === null) return skeleton
  const short = `${id.slice(0, 4)}…${id.slice(-4)}`
  const values = new Map(Object.entries({ ...words, id, short }))
  // all at once, so that a mark in a name stays a text
  const filled = skeleton.replace(MARK, (mark, name) => escapeMarkup(values.get(name) ?? mark))
  // nothing in a text ends the element
  const data = JSON.stringify({ ...words, id, severity: rating }).replaceAll('<', '\\u003c')
  return filled.replace(ROOT, (root) => `<script type="application/json" id="words">${data}</script>\n    ${root}`)
}
