import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { visit } from './visit.ts'

const SCRIPTS_BYTES_MAX = 120_000

test(
  'the JavaScript that the board loads before its first list is at most 120 kB as transferred',
  inBrowser,
  async () => {
    const { site, browser } = await theMarket()
    const { page } = await visit(browser, site.url)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const scripts = new Map<string, string>()
    const sizes = new Map<string, number>()
    let listAsked = false
    // the board asks for its lists when all of its code is there; what it loads ahead for the next page comes after
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (/\/v1\/tokens\//.test(request.url)) listAsked = true
      if (type === 'Script' && !listAsked) scripts.set(requestId, new URL(request.url).pathname)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
    await page.goto(`${site.url}/`)
    await page.locator('[data-card]').first().waitFor()
    await eventually('all scripts are there', () => [...scripts.keys()].every((id) => sizes.has(id)))
    const each = [...scripts].map(([id, path]) => [path, sizes.get(id)!] as const)
    const total = each.reduce((sum, [, size]) => sum + size, 0)
    console.log(`board: ${total} bytes of scripts with their headers: ${each.map((one) => one.join(' ')).join(', ')}`)
    assert.ok(each.length > 0, 'no script was seen')
    assert.ok(total <= SCRIPTS_BYTES_MAX, `${total} bytes`)
  },
)
