import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PATIENT_MS } from './chromium.ts'
import { TELL_VIOLATIONS } from './in-page.ts'

export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const

export interface Visit {
  readonly page: Page
  /** what the page did wrong so far: said by the console, thrown, refused by its policy, or asked of another origin */
  readonly problems: string[]
  /** pictures that it loaded, by their addresses */
  readonly images: string[]
}

interface VisitOptions extends BrowserContextOptions {
  /** run before anything of the page */
  readonly before?: string
  /** console messages that are not the page's fault in this test */
  readonly expected?: RegExp
}

let visitors = 0

/** A browser of a new visitor, at an address of its own, and a page in it that is watched. Nothing but `origin` is reached. */
export async function visit(
  browser: Browser,
  origin: string,
  { before, expected, ...options }: VisitOptions = {},
): Promise<Visit> {
  const address = `198.18.${visitors >> 8}.${visitors++ & 255}`
  const extraHTTPHeaders = { 'x-forwarded-for': address }
  const context = await browser.newContext({ ...DESKTOP, extraHTTPHeaders, ...options })
  context.setDefaultTimeout(PATIENT_MS)
  const problems: string[] = []
  const images: string[] = []
  await context.addInitScript({ content: TELL_VIOLATIONS })
  if (before !== undefined) await context.addInitScript({ content: before })
  await context.route(
    (url) => url.origin !== origin,
    (route) => {
      problems.push(`asked ${route.request().url()}`)
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    const type = message.type()
    const text = `${message.text()} ${message.location().url}`
    if ((type === 'error' || type === 'warning') && !expected?.test(text)) problems.push(`${type}: ${text}`)
  })
  page.on('pageerror', (error) => problems.push(`thrown: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    if (request.resourceType() === 'image') images.push(request.url().slice(0, 200))
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) problems.push(`socket to ${socket.url()}`)
  })
  return { page, problems, images }
}
