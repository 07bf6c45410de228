import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Done } from './task-run.ts'
import { CLICKS_MAX } from './tasks.ts'

/** reports/tasks.md: what the page before its redesign took, as measured then, and what the present one takes. */
const REPORTS = join(import.meta.dirname, '../../reports')
const FOLDER = 'screenshots/tasks'

/** The picture of a task, as a path inside reports/screenshots without its extension. */
export const pictureOf = (n: number, task: string): string => `tasks/${nameOf(n, task)}`

const nameOf = (n: number, task: string): string =>
  `${String(n + 1).padStart(2, '0')}-${task.replaceAll(/\W+/g, '-').toLowerCase()}`

/** Where its pictures are written. */
export const makeFolder = (): void => void mkdirSync(join(REPORTS, FOLDER), { recursive: true })

/** All of its pictures are there: what else lies beside them is of tasks that had another name. */
export function writeTasks(done: readonly Done[]): void {
  const taken = new Set(done.map(({ task }, n) => `${nameOf(n, task)}.png`))
  const folder = join(REPORTS, FOLDER)
  for (const name of readdirSync(folder)) if (name.endsWith('.png') && !taken.has(name)) rmSync(join(folder, name))
  const before = JSON.parse(readFileSync(join(folder, 'before/results.json'), 'utf8')) as Before[]
  const rows = done.map(
    ({ task }, n) => `| ${task} | ${cell(before[n])} | ${cell(done[n])} | \`${nameOf(n, task)}.png\` |`,
  )
  writeFileSync(join(REPORTS, 'tasks.md'), `${TEXT}${rows.join('\n')}\n`)
}

interface Before extends Done {
  /** why the page could not do it at all */
  readonly missing: string | null
}

function cell(done: (Done & Partial<Before>) | undefined): string {
  if (done === undefined) return 'not measured'
  const { clicks, ms, scrolled, missing = null } = done
  const made = clicks === 0 && missing !== null ? '' : `${clicks} ${clicks === 1 ? 'click' : 'clicks'}`
  const seconds = missing === null ? `${(ms / 1000).toFixed(1)} s` : ''
  const down = scrolled === 0 ? '' : `${scrolled.toLocaleString('en')} px down`
  const way = [made, seconds, down].filter((part) => part !== '').join(', ')
  if (missing === null) return way
  return `not possible: ${missing}${way === '' ? '' : ` (given up after ${way})`}`
}

const TEXT = `# Ten tasks

What people come to the page for, done by a script in Chromium over a simulated market: clicks, seconds from the opened page to the
end of the task, and how far down a window of 1440 by 900 pixels had to be scrolled. Typing, reading and scrolling are no clicks; a text field is
reached with the keyboard. The script does not read or hesitate; the browser has no graphics card, and the machine has two cores that do
other work at the same time. Each number was measured once. Paying takes as long as the sandbox's chain until a block is final. The first
task takes the present page longer while no token that young passes its preset, *Cleanest*.

*Before* is the page at commit \`f605eb2\`, the last one before the page was redesigned, used in the shortest way that was found.
Each was measured over the market of its own build. Where the page could not do a task, the script went to where a person would have given up.
*After* is the present page (\`test/browser/tasks.ts\`); \`test/browser/tasks.browser.ts\` fails where one of its tasks takes more than ${CLICKS_MAX} clicks.
\`npm run screenshots -- tasks\` measures it again.

Pictures of the moment at which each task is done, or given up, are in \`reports/screenshots/tasks/before\` and \`reports/screenshots/tasks\`, under the same names.

| task | before | after | pictures |
|---|---|---|---|
`
