import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Interesting } from './places.ts'
import type { Site } from './site.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

/** What people come for, done by a script that counts clicks and scrolling. Typing, pasting and reading are no clicks. */

export const DEVICES = { desktop: DESKTOP, phone: PHONE } as const
export type Device = keyof typeof DEVICES

export interface Done {
  readonly task: string
  readonly device: Device
  readonly clicks: number
  readonly ms: number
  /** pixels down to what was clicked or read */
  readonly scrolled: number
  /** why the page cannot do it; clicks and pixels are then those to where a person gives up */
  readonly cannot: string | null
}

/** One person at one task. */
interface Hand {
  readonly page: Page
  readonly device: Device
  /** scrolls down as little as shows it */
  see(what: Locator): Promise<void>
  /** scrolls down to it, and clicks */
  click(what: Locator): Promise<void>
  /** counts a click that was made otherwise */
  clicked(): void
  /** gives up */
  cannot(why: string): never
}

export interface Found {
  readonly site: Site
  readonly people: Interesting
}

export interface Task {
  readonly name: string
  /** path of the page it begins on */
  from(found: Found): string
  run(hand: Hand, found: Found): Promise<void>
}

/** Looks at the page on which a task has ended. */
export type Ended = (page: Page, done: Done) => Promise<void>

class CannotBeDone extends Error {}

/** Scrolls down until all of it is in the window, or its top is at the window's; returns how many pixels that took. */
async function scrollDownTo(page: Page, what: Locator, height: number): Promise<number> {
  let scrolled = 0
  // content that arrives above it pushes it down
  for (;;) {
    await what.waitFor()
    const box = await what.boundingBox()
    // the page has just put another one in its place
    if (box === null) continue
    const down = Math.ceil(Math.min(box.y, box.y + box.height - height))
    if (down <= 0) return scrolled
    const moved = await page.evaluate<number>(`(() => {
      const from = scrollY
      scrollBy({ top: ${down}, behavior: 'instant' })
      return scrollY - from
    })()`)
    // a list that scrolls by itself: the click moves it
    if (moved === 0) return scrolled + down
    scrolled += moved
  }
}

interface RunOptions {
  readonly tasks: readonly Task[]
  readonly found: Found
  readonly browser: Browser
  readonly devices?: readonly Device[]
  readonly ended?: Ended
}

/** Does every task on every device, each as a visitor who opens the page for the first time. */
export async function runEach({ tasks, devices = ['desktop', 'phone'], ...rest }: RunOptions): Promise<Done[]> {
  const done: Done[] = []
  for (const device of devices) for (const task of tasks) done.push(await runOne(task, device, rest))
  return done
}

async function runOne(
  { name, from, run }: Task,
  device: Device,
  { found, browser, ended = async () => {} }: Pick<RunOptions, 'found' | 'browser' | 'ended'>,
): Promise<Done> {
  const { url } = found.site
  const { page, problems } = await visit(browser, url, { ...DEVICES[device], acceptDownloads: true })
  const { height } = DEVICES[device].viewport
  let [clicks, scrolled] = [0, 0]
  let cannot: string | null = null
  await page.goto(url + from(found))
  const begun = performance.now()
  const see = async (what: Locator): Promise<void> => {
    scrolled += await scrollDownTo(page, what, height)
  }
  const clicked = () => void clicks++
  const click = async (what: Locator): Promise<void> => {
    await see(what)
    await what.click()
    clicked()
  }
  const giveUp = (why: string): never => {
    throw new CannotBeDone(why)
  }
  await run({ page, device, see, click, clicked, cannot: giveUp }, found).catch((error: unknown) => {
    if (!(error instanceof CannotBeDone)) throw new Error(`${name}, on a ${device}: ${error}`, { cause: error })
    cannot = error.message
  })
  const ms = Math.round(performance.now() - begun)
  assert.deepEqual(problems, [], name)
  const done = { task: name, device, clicks, ms, scrolled: Math.round(scrolled), cannot }
  await ended(page, done)
  await page.context().close()
  return done
}
