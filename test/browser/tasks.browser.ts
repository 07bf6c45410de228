import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { CLICKS_MAX, runTasks } from './tasks.ts'

test(`ten tasks, none of more than ${CLICKS_MAX} clicks`, inBrowser, async (t) => {
  const { site, browser, found } = await theMarket()
  const done = await runTasks(site, found, browser)
  for (const { task, clicks, ms } of done) t.diagnostic(`| ${task} | ${clicks} | ${ms} |`)
  assert.equal(done.length, 10)
  assert.deepEqual(
    done.filter(({ clicks }) => clicks > CLICKS_MAX),
    [],
  )
})
