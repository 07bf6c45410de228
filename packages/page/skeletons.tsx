import { renderToStaticMarkup } from 'react-dom/server'
import type { FirstWords } from './src/pages/token/first.ts'
import { preload } from './src/shell/pages.ts'
import { match } from './src/shell/routes.ts'
import { Shell } from './src/shell/shell.tsx'
import { shortAddress } from './src/ui/format.ts'
import { markOf } from './src/ui/mark.ts'
import type { RatingValue } from './src/ui/rating.tsx'

/**
 * Renders the frame of each page before any answer, so that it is painted before a script runs. `src/faces/web/share/words.ts`
 * replaces the placeholders `{{…}}` by the token's data.
 */
const RATINGS: readonly RatingValue[] = ['green', 'yellow', 'red', 'neutral']
/** an address without an owner */
const NOBODY = '1'.repeat(32)
/** pages with content before the first answer; the frame of the others has only the header */
const OWN: ReadonlySet<string> = new Set(['board', 'token', 'accuracy', 'status'])
const PATHS: Readonly<Record<string, string>> = {
  ...{ board: '/', token: `/token/${NOBODY}`, trader: `/trader/${NOBODY}`, deployer: `/deployer/${NOBODY}` },
  ...{ actor: '/actor/0', accuracy: '/accuracy', account: '/account', status: '/status', guide: '/guide' },
}

/** Returns the markup by file name. */
export async function skeletons(): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>()
  for (const [page, path] of Object.entries(PATHS)) made.set(page, blank(await frameOf(path, null), NBSP, NBSP))
  for (const colour of RATINGS) {
    const words = { id: NOBODY, colour, symbol: '{{symbol}}', name: '{{name}}', sentence: '{{sentence}}' }
    made.set(`token-${colour}`, blank(await frameOf(PATHS.token!, words), '{{id}}', '{{short}}'))
  }
  return made
}

const NBSP = '\u00a0'

/** Removes what belongs to the placeholder address, and its picture. */
function blank(frame: string, whole: string, short: string): string {
  const { tint, path } = markOf(NOBODY)
  return frame
    .replaceAll(` data-tint="${tint}"`, '')
    .replaceAll(path, '')
    .replaceAll(NOBODY, whole)
    .replaceAll(shortAddress(NOBODY), short)
}

async function frameOf(path: string, words: FirstWords | null): Promise<string> {
  const document = { getElementById: () => words && { textContent: JSON.stringify(words) } }
  Object.assign(globalThis, { location: new URL(path, 'http://localhost'), document })
  const { page } = match(path)!
  if (OWN.has(page)) await preload(page)
  // links work without a script; buttons do not yet, and say so
  return renderToStaticMarkup(<Shell />).replaceAll(/<(?:button|select) /g, (tag) => `${tag}aria-disabled="true" `)
}
