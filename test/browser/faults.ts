import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { AXE, AXE_COLOURS, OVERFLOWING } from './in-page.ts'

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What is wrong with a page as it stands, in both colour schemes: what axe finds serious, and what is too wide. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE_SOURCE)
  const found: string[] = []
  for (const [scheme, script] of [
    ['light', AXE],
    ['dark', AXE_COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    const overflow = await page.evaluate<string[]>(OVERFLOWING)
    const findings = await page.evaluate<string[]>(script)
    found.push(...[...overflow, ...findings].map((fault) => `${scheme}: ${fault}`))
  }
  return found
}
