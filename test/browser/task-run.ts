import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Site } from './site.ts'
import { DESKTOP, visit } from './visit.ts'

/** What people come for, done by a script that counts clicks and scrolling: typing and reading are none. */

export interface Done {
  readonly task: string
  readonly clicks: number
  readonly ms: number
  /** pixels down to what was clicked or read */
  readonly scrolled: number
}

/** One person at one task. */
interface Hand {
  readonly page: Page
  /** scrolls down as little as shows it */
  see(what: Locator): Promise<void>
  /** scrolls down to it, and clicks */
  click(what: Locator): Promise<void>
  /** one more, that was made otherwise */
  clicked(): void
}

export interface Found {
  readonly site: Site
  /** the red token that some of the tasks are about */
  readonly red: string
  /** a wallet that trades */
  readonly trader: string
}

export interface Task {
  readonly name: string
  readonly from: 'board' | 'token'
  run(hand: Hand, found: Found): Promise<void>
}

/** What the end of a task looks like. */
export type Ended = (page: Page, task: string) => Promise<void>

const HEIGHT = DESKTOP.viewport.height

/** Scrolls down until all of it is in the window, or its top is at the window's; how many pixels that took. */
async function scrollDownTo(page: Page, what: Locator): Promise<number> {
  let scrolled = 0
  // what comes above it meanwhile pushes it down
  for (;;) {
    await what.waitFor()
    const box = await what.boundingBox()
    // the page has just put another one in its place
    if (box === null) continue
    const down = Math.ceil(Math.min(box.y, box.y + box.height - HEIGHT))
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

/** All of them, each by somebody who opens the page for the first time; `ended` sees the page where the task is done. */
export async function runEach(
  tasks: readonly Task[],
  found: Found,
  browser: Browser,
  ended: Ended = async () => {},
): Promise<Done[]> {
  const { url } = found.site
  const paths = { board: '/', token: `/token/${found.red}` }
  const done: Done[] = []
  for (const { name, from, run } of tasks) {
    const { page, problems } = await visit(browser, url, { acceptDownloads: true })
    let [clicks, scrolled] = [0, 0]
    await page.goto(url + paths[from])
    const begun = performance.now()
    const see = async (what: Locator): Promise<void> => {
      scrolled += await scrollDownTo(page, what)
    }
    const clicked = () => void clicks++
    const click = async (what: Locator): Promise<void> => {
      await see(what)
      await what.click()
      clicked()
    }
    await run({ page, see, click, clicked }, found)
    done.push({
      task: name,
      clicks,
      ms: Math.round(performance.now() - begun),
      scrolled: Math.round(scrolled),
    })
    assert.deepEqual(problems, [], name)
    await ended(page, name)
    await page.context().close()
  }
  return done
}
