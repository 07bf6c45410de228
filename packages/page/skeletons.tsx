import { renderToStaticMarkup } from 'react-dom/server'
import type { FirstWords } from './src/pages/token/first-words.ts'
import { preload } from './src/shell/pages.ts'
import { match } from './src/shell/routes.ts'
import { Shell } from './src/shell/shell.tsx'
import { shortAddress } from './src/ui/format.ts'
import { markOf } from './src/ui/mark.ts'
import type { RatingValue } from './src/ui/rating.tsx'

/**
 * The frame of each page as React makes it before anything is answered, so that it is seen before a script has run. What the
 * service knows of a token stands in it as `{{…}}`, to be filled in (src/faces/web/share/words.ts).
 */
const RATINGS: readonly RatingValue[] = ['green', 'yellow', 'red', 'neutral']
/** an address that is nobody's */
const NOBODY = '1'.repeat(32)
/** pages that say something before they are answered; of the others the frame has the header */
const OWN: ReadonlySet<string> = new Set(['board', 'token', 'accuracy', 'status'])
const PATHS: Readonly<Record<string, string>> = {
  ...{ board: '/', token: `/token/${NOBODY}`, trader: `/trader/${NOBODY}`, deployer: `/deployer/${NOBODY}` },
  ...{ actor: '/actor/0', accuracy: '/accuracy', account: '/account', status: '/status', guide: '/guide' },
}

/** Markup by the name of its file. */
export async function skeletons(): Promise<ReadonlyMap<string, string>> {
  const made = new Map<string, string>()
  for (const [page, path] of Object.entries(PATHS)) made.set(page, blank(await frameOf(path, null), NBSP, NBSP))
  for (const severity of RATINGS) {
    const words = { id: NOBODY, severity, symbol: '{{symbol}}', name: '{{name}}', sentence: '{{sentence}}' }
    made.set(`token-${severity}`, blank(await frameOf(PATHS.token!, words), '{{id}}', '{{short}}'))
  }
  return made
}

const NBSP = '\u00a0'

/** What belongs to the address stands for nobody, and its picture is empty. */
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
  // links lead on without a script; buttons do nothing yet, and say so
  return renderToStaticMarkup(<Shell />).replaceAll(/<(?:button|select) /g, (tag) => `${tag}aria-disabled="true" `)
}
