import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser } from './chromium.ts'
import { theStillMarket } from './market.ts'
import { DEVICES } from './task-run.ts'
import { CLICKS_MAX, runTasks } from './tasks.ts'

/** pixels scrolled at most: nothing on a desktop, to the second screen on a phone */
const SCROLLED_MAX = { desktop: 0, phone: DEVICES.phone.viewport.height } as const

test(`twenty tasks, none of more than ${CLICKS_MAX} clicks, each answered in sight`, inBrowser, async (t) => {
  const { site, browser, found } = await theStillMarket()
  const done = await runTasks(site, found, browser)
  for (const { task, device, clicks, ms, scrolled } of done)
    t.diagnostic(`| ${task} | ${device} | ${clicks} | ${ms} | ${scrolled} |`)
  assert.equal(done.length, 40)
  assert.deepEqual(
    done.filter(({ clicks, cannot }) => clicks > CLICKS_MAX || cannot !== null),
    [],
  )
  assert.deepEqual(
    done.filter(({ device, scrolled }) => scrolled > SCROLLED_MAX[device]),
    [],
  )
})
