import { fork } from 'node:child_process'
import { request } from 'node:http'

/** Requests that a crowd sends at a steady rate, in a process of its own: what attackers spend is not the service's. */
export interface JunkOptions {
  readonly url: string
  /** headers and loopback address of each */
  readonly requests: readonly { readonly headers: Readonly<Record<string, string>>; readonly from: string }[]
  readonly perSecond: number
}

export interface JunkEnd {
  /** of each request; 0 where there was no answer */
  readonly statuses: readonly number[]
  /** milliseconds from the first request to the last answer */
  readonly tookMs: number
}

/** Begins when the promise's process is up; resolves when all are answered. */
export function sendJunk(options: JunkOptions): { readonly begun: Promise<void>; readonly ended: Promise<JunkEnd> } {
  const child = fork(import.meta.filename)
  child.send(options)
  const begun = new Promise<void>((done) => child.once('message', () => done()))
  const ended = new Promise<JunkEnd>((done, fail) => {
    child.on('message', (message: JunkEnd | 'begun') => message !== 'begun' && done(message))
    child.once('close', (code) => fail(new Error(`the sender ended with ${code}`)))
  })
  return { begun, ended }
}

const statusOf = (url: string, { headers, from }: JunkOptions['requests'][number]): Promise<number> =>
  new Promise((done) => {
    const asking = request(url, { headers, agent: false, localAddress: from }, (response) => {
      response.resume().on('end', () => done(response.statusCode!))
    })
    asking.on('error', () => done(0)).end()
  })

const STEP_MS = 5

async function send({ url, requests, perSecond }: JunkOptions): Promise<JunkEnd> {
  const start = performance.now()
  const answers: Promise<number>[] = []
  await new Promise<void>((done) => {
    const sending = setInterval(() => {
      const due = Math.min(requests.length, ((performance.now() - start) / 1_000) * perSecond)
      while (answers.length < due) answers.push(statusOf(url, requests[answers.length]!))
      if (answers.length < requests.length) return
      clearInterval(sending)
      done()
    }, STEP_MS)
  })
  const statuses = await Promise.all(answers)
  return { statuses, tookMs: performance.now() - start }
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.once('message', (options: JunkOptions) => {
    process.send!('begun')
    void send(options).then((end) => process.send!(end, () => process.disconnect()))
  })
}
