import type { RatingValue } from '@ti/core/contract/token.ts'
import type { Preview } from '@ti/core/query/previews.ts'
import { escapeMarkup } from './escape.ts'

/** The large format of link previews: 1.91 to 1. */
export const PICTURE = { width: 1_200, height: 630 } as const

/** the page's dark colours */
const GROUND = '#0e1217'
const SURFACE = '#151a21'
const LINE = '#2a333e'
const TEXT = '#e3e8ef'
const MUTED = '#9aa5b5'
const COLOUR: Readonly<Record<RatingValue, string>> = {
  green: '#62d18c',
  yellow: '#e7bd5a',
  red: '#ff938a',
  neutral: '#9aa5b5',
}
/** the page's shapes in a square of 10: colour is never the only sign */
const SHAPE: Readonly<Record<RatingValue, string>> = {
  green: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4z',
  yellow: 'M5 .9 9.6 9H.4z',
  red: 'M1 1h8v8H1z',
  neutral: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4zm0 1.6a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 0 0 0-5.2z',
}

const KIND = { deployer: 'deployer', actor: 'crew' } as const
const EDGE = 64
/** the font would show a character it lacks as a crossed box, so it is dropped */
const UNDRAWN = /[^\u0020-\u007e\u00a0-\u024f\u0370-\u03ff\u0400-\u04ff\u1e00-\u1eff\u2010-\u2027\u20ac\u2212]/gu

const drawable = (text: string): string => text.replace(UNDRAWN, '').replace(/\s+/g, ' ').trim()

interface Words {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly fill?: string
  readonly bold?: boolean
  readonly end?: boolean
}

const words = (text: string, { x, y, size, fill = TEXT, bold = false, end = false }: Words): string =>
  `<text x="${x}" y="${y}" font-family="Inter" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${fill}"${end ? ' text-anchor="end"' : ''}>${escapeMarkup(text)}</text>`

const shape = (rating: RatingValue, x: number, y: number, size: number): string =>
  `<path transform="translate(${x} ${y}) scale(${size / 10})" d="${SHAPE[rating]}" fill="${COLOUR[rating]}" fill-rule="evenodd"/>`

const box = (x: number, y: number, width: number, height: number, fill: string, stroke = fill): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="14" fill="${fill}" stroke="${stroke}" stroke-width="2"/>`

/** size of the verdict, the largest text; characters per line, and lines */
const VERDICT = { size: 54, characters: 33, lines: 4, step: 64, y: 176 } as const
/** px of its shape, and between both */
const MARK = 46

export function linesOf(text: string, most: number, lines: number): string[] {
  const found: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= most || line === '') {
      line = longer
      continue
    }
    found.push(line)
    line = word
  }
  found.push(line)
  if (found.length <= lines) return found
  return [...found.slice(0, lines - 1), `${found[lines - 1]!.slice(0, most - 1)}…`]
}

function figure({ label, value }: Preview['figures'][number], no: number, of: number): string {
  const gap = 16
  const width = (PICTURE.width - 2 * EDGE - (of - 1) * gap) / of
  const x = EDGE + no * (width + gap)
  const y = 436
  return [
    box(x, y, width, 112, SURFACE, LINE),
    words(drawable(label), { x: x + 18, y: y + 38, size: label.length > 14 ? 18 : 22, fill: MUTED }),
    words(drawable(value), {
      x: x + 18,
      y: y + 86,
      bold: true,
      size: value.length > 10 ? 28 : 38,
    }),
  ].join('')
}

/** The picture of a page, as SVG. It references nothing external. */
export function pictureOf(preview: Preview, host: string): string {
  const { kind, name, more, verdict, rating, figures, id } = preview
  const sentences = linesOf(drawable(verdict), VERDICT.characters, VERDICT.lines)
  const names = [name, more]
    .map(drawable)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .join('   ')
  const end = PICTURE.width - EDGE
  const judged = kind === 'token'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}">`,
    `<rect width="100%" height="100%" fill="${GROUND}"/><rect width="24" height="100%" fill="${judged ? COLOUR[rating] : LINE}"/>`,
    `<circle cx="82" cy="72" r="13" fill="none" stroke="#83b4ff" stroke-width="5"/><circle cx="82" cy="72" r="5" fill="#83b4ff"/>`,
    words('Token Intelligence', { x: 112, y: 81, size: 26, fill: MUTED }),
    words(kind === 'token' ? `mint …${id.slice(-8)}` : KIND[kind], { x: end, y: 81, size: 26, fill: MUTED, end: true }),
    judged ? shape(rating, EDGE, VERDICT.y - MARK + 6, MARK) : '',
    ...sentences.map((line, i) =>
      words(line, {
        ...{ x: EDGE + (judged ? MARK + 22 : 0), y: VERDICT.y + i * VERDICT.step },
        ...{ size: VERDICT.size, bold: true, fill: rating === 'neutral' ? TEXT : COLOUR[rating] },
      }),
    ),
    words(names, { x: EDGE, y: 412, size: 30, fill: MUTED }),
    ...figures.map((one, i) => figure(one, i, figures.length)),
    words(drawable(host), { x: EDGE, y: 594, size: 22, fill: MUTED }),
    words('who is behind it, not what it will be worth', { x: end, y: 594, size: 22, fill: MUTED, end: true }),
    '</svg>',
  ].join('')
}
