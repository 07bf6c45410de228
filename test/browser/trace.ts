import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** microseconds by the clock, and of the processor where the browser measures that */
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export interface Longest {
  readonly wallMs: number
  /** 0 where the browser does not say */
  readonly cpuMs: number
}

const TASK = /RunTask$/

/** Runs something and tells the longest tasks of the page's main thread meanwhile, also those that are not "long". */
export async function longestTask(page: Page, run: () => Promise<void>): Promise<Longest> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise<void>((done) => session.once('Tracing.tracingComplete', () => done()))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'],
      excludedCategories: ['*'],
    },
  })
  await run()
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(({ name, pid, tid }) => TASK.test(name) && main.has(`${pid} ${tid}`))
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((most, event) => Math.max(most, of(event) ?? 0), 0) / 1000
  return { wallMs: longest(({ dur }) => dur), cpuMs: longest(({ tdur }) => tdur) }
}
