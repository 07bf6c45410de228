import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '@ti/core/contract/who.ts'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { crowded } from './crowded.ts'
import { theMarket } from './market.ts'
import { visit } from './visit.ts'

const BUBBLES = 500
/** of 255: what adding two pictures rounds */
const ROUNDED = 4

/** Keeps what the map looks like now, on white. */
const keep = (name: string): string => `(() => {
  const map = document.querySelector('#map canvas')
  const copy = new OffscreenCanvas(map.width, map.height).getContext('2d')
  copy.fillStyle = 'white'
  copy.fillRect(0, 0, map.width, map.height)
  copy.drawImage(map, 0, 0)
  globalThis.__kept = { ...globalThis.__kept, ${name}: copy.getImageData(0, 0, map.width, map.height).data }
})()`

/** How many of its values are no longer those that were kept. */
const CHANGED = `(() => {
  const { first, now } = __kept
  return first.length !== now.length ? first.length : now.reduce((sum, value, i) => sum + (Math.abs(value - first[i]) > ${ROUNDED} ? 1 : 0), 0)
})()`
const EMPTY = '__kept.first.every((value) => value === 255)'

test('a crowded map is the same from its pictures as drawn bubble by bubble', inBrowser, async () => {
  const { site, browser, found } = await theMarket()
  const { token } = found
  const { page, problems } = await visit(browser, site.url)
  // the same answer each time: only the moment changes
  const who = (await site.get(`/v1/tokens/${token}/who`)) as { data: Who }
  await page.route(`**/v1/tokens/${token}/who`, (route) =>
    route.fulfill({ json: { ...who, data: crowded(who.data, BUBBLES) } }),
  )
  const changed = async (): Promise<number> => {
    await page.evaluate(keep('now'))
    return page.evaluate<number>(CHANGED)
  }
  const differs = () => eventually('the map looks otherwise', async () => (await changed()) > 1_000)
  const isFirst = () => eventually('the map looks as at first', async () => (await changed()) === 0)
  await page.goto(`${site.url}/token/${token}?tab=map`)
  await page.getByText(`${BUBBLES} wallets.`).waitFor()
  await page.locator('#map canvas').waitFor()
  // the first time all are drawn one by one
  await eventually('the map is drawn', async () => {
    await page.evaluate(keep('first'))
    return !(await page.evaluate<boolean>(EMPTY))
  })

  const moment = (name: string) => page.getByRole('group', { name: 'Moment' }).getByRole('button', { name }).click()
  await moment('Launch')
  await differs()
  // before the glide has ended, too
  await moment('Peak')
  await moment('Now')
  await isFirst()

  // pictures in the colours of one theme are not shown in another
  await page.emulateMedia({ colorScheme: 'dark' })
  await differs()
  await page.emulateMedia({ colorScheme: 'light' })
  await isFirst()
  await moment('Launch')
  await differs()
  await moment('Now')
  await isFirst()
  assert.deepEqual(problems, [])
})
