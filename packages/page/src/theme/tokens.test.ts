import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const CSS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

const coloursOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]))

const [light, system, chosen] = CSS.split(/@media|:root\[data-theme=["']dark["']\]/).map(coloursOf)

/** WCAG 2: relative luminance */
function luminance(hex: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

test('dark is the same colours, chosen or by the system', () => {
  assert.deepEqual(system, chosen)
  assert.deepEqual(Object.keys(light!).sort(), Object.keys(chosen!).sort())
})

for (const [scheme, colours] of Object.entries({ light: light!, dark: chosen! })) {
  const check = (text: string, ground: string, least: number): void => {
    const [a, b] = [colours[text], colours[ground]]
    assert.ok(a !== undefined && b !== undefined, `${text} or ${ground} has no colour`)
    const found = contrast(a, b)
    assert.ok(found >= least, `${scheme}: ${text} on ${ground} has ${found.toFixed(2)}, needs ${least}`)
  }

  test(`${scheme}: text can be read on every ground it stands on`, () => {
    for (const text of ['text', 'muted', 'accent', 'green', 'yellow', 'red', 'violet', 'neutral']) {
      for (const ground of ['bg', 'surface', 'raised']) check(text, ground, 4.5)
    }
    for (const ground of ['green', 'yellow', 'red', 'neutral', 'accent']) {
      check(ground, `${ground}-soft`, 4.5)
      check('text', `${ground}-soft`, 7)
    }
    for (const ground of ['neutral-soft', 'accent-soft', 'red-soft']) check('muted', ground, 4.5)
    check('on-accent', 'accent', 4.5)
  })

  test(`${scheme}: edges of controls can be seen`, () => {
    for (const ground of ['bg', 'surface']) check('line-strong', ground, 3)
  })
}

const SOURCES = join(import.meta.dirname, '..')
const SHEETS = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css') && !path.startsWith('theme'),
)

/** What a value may be made of, by property: tokens, and words and numbers that are no sizes. */
const RULES: readonly (readonly [property: RegExp, allowed: RegExp, what: string])[] = [
  [/^(?:font-size)$/, /^(?:var\(--(?:tiny|small|body|lead|large|huge)\)|inherit)$/, 'one of the six font sizes'],
  [/^font$/, /^(?:inherit|.*var\(--(?:tiny|small|body|lead|large|huge)\).*)$/, 'one of the six font sizes'],
  [/^(?:padding|margin|gap|(?:row|column)-gap)\b/, /^(?!.*\d(?:px|r?em)).*$/s, 'spaces of the theme'],
  [/^(?!content$)/, /^(?!.*(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab)a?\()).*$/is, 'colours of the theme'],
  [/^(?:max-)?inline-size$/, /^(?!.*\b\d{4}px).*$/s, 'the width of the theme'],
]

test('style sheets use the sizes, spaces, colours and the width of the theme, and none of their own', () => {
  assert.ok(SHEETS.includes(join('ui', 'ui.module.css')))
  const own = SHEETS.flatMap((sheet) => {
    const text = readFileSync(join(SOURCES, sheet), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    const declarations = [...text.matchAll(/(?<=[;{]\s*)([\w-]+):\s*([^;{}]+)(?=[;}])/g)]
    return declarations.flatMap(([, property, value]) =>
      RULES.flatMap(([of, allowed, what]) =>
        of.test(property!) && !allowed.test(value!.trim()) ? [`${sheet}: ${property}: ${value} (${what})`] : [],
      ),
    )
  })
  assert.deepEqual(own, [])
})
