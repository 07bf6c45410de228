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

/** Writes the table; all pictures are there: others beside them are of tasks that had another name. */
export function writeTasks(done: readonly Done[]): void {
  const tasks = [...new Set(done.map(({ task }) => task))]
  const taken = new Set(tasks.map((task, n) => `${nameOf(n, task)}.png`))
  const folder = join(REPORTS, FOLDER)
  for (const name of readdirSync(folder)) if (name.endsWith('.png') && !taken.has(name)) rmSync(join(folder, name))
  const before = JSON.parse(readFileSync(join(folder, 'before/results.json'), 'utf8')) as Done[]
  const cells = (all: readonly Done[], task: string): string =>
    (['desktop', 'phone'] as const)
      .map((device) => cell(all.find((one) => one.task === task && one.device === device)))
      .join(' | ')
  const rows = tasks.map((task, n) => `| ${n + 1} | ${task} | ${cells(before, task)} | ${cells(done, task)} |`)
  writeFileSync(join(REPORTS, 'tasks.md'), `${TEXT}${rows.join('\n')}\n`)
}

function cell(done: Done | undefined): string {
  if (done === undefined) return 'not measured'
  const { clicks, ms, scrolled, cannot } = done
  if (cannot !== null) return `cannot be done: ${cannot}`
  const made = `${clicks} ${clicks === 1 ? 'click' : 'clicks'}, ${(ms / 1000).toFixed(1)} s`
  return scrolled === 0 ? made : `${made}, ${scrolled.toLocaleString('en')} px`
}

const TEXT = `# Twenty tasks

What people come to the page for, done by a script in Chromium over a simulated market, on a desktop (1440 by 900 pixels) and on a phone
(390 by 844): clicks, seconds from the opened page to the end of the task, and how many pixels down the answer was. Typing, pasting, reading
and scrolling are no clicks; a text field is reached with the keyboard. The script does not read or hesitate; the browser has no graphics
card, and the machine has two cores that do other work at the same time. Each number was measured once. Paying takes as long as the sandbox's
chain until a block is final.

*Before* is the page at commit \`0a60b9af\`, used in the shortest way that was found; where it could not do a task, the table says why.
*After* is the present page (\`test/browser/tasks.ts\`). \`test/browser/tasks.browser.ts\` fails where one of its tasks takes more than
${CLICKS_MAX} clicks or cannot be done, or where an answer lies below the first screen of a desktop or the second of a phone.
\`npm run screenshots -- tasks\` measures it again.

Pictures of the desktop at the moment at which each task is done, or given up, are in \`reports/screenshots/tasks/before\` and
\`reports/screenshots/tasks\`, under the task's number.

| | task | before: desktop | before: phone | after: desktop | after: phone |
|---|---|---|---|---|---|
`
