import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CANDIDATES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of the machine; null where none was found: the tests of the page skip themselves. */
export const CHROMIUM: string | null = CANDIDATES.find((path) => path !== undefined && existsSync(path)) ?? null

/** a browser on a busy machine takes its time; every wait inside has a deadline of its own */
export const inBrowser = {
  skip: CHROMIUM === null && 'Chromium was not found: set CHROMIUM to its path',
  timeout: 900_000,
} as const

/** milliseconds until something that must appear on a page is given up: on a busy machine a page asks again after 20 s */
export const PATIENT_MS = 120_000

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launch(t: { after(end: () => Promise<void>): void }): Promise<Browser> {
  if (CHROMIUM === null) throw new Error(String(inBrowser.skip))
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  t.after(() => browser.close())
  return browser
}
