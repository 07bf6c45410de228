import { fork } from 'node:child_process'
import { request } from 'node:http'

/** One request of a crowd: on a connection of its own, from its own loopback address. */
export interface JunkRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly from: string
}

/** Requests that a crowd sends at a steady rate, in a process of its own: what attackers spend is not the service's. */
export interface JunkOptions {
  readonly url: string
  readonly requests: readonly JunkRequest[]
  readonly perSecond: number
}

export interface JunkEnd {
  /** of each request; 0 where there was no answer */
  readonly statuses: readonly number[]
  /** milliseconds from the first request until the last one was sent, and until all were answered */
  readonly sentMs: number
  readonly tookMs: number
}

/** Its process is up once it is resolved; `send` begins, and resolves when all are answered. */
export async function forkJunk(options: JunkOptions): Promise<{ send(): Promise<JunkEnd> }> {
  const child = fork(import.meta.filename)
  const failed = new Promise<never>((_, fail) =>
    child.once('close', (code) => fail(new Error(`the sender ended with ${code}`))),
  )
  failed.catch(() => {})
  const told = <T>(): Promise<T> =>
    Promise.race([failed, new Promise<T>((done) => child.once('message', (message) => done(message as T)))])
  const ready = told()
  child.send(options)
  await ready
  return {
    send() {
      const end = told<JunkEnd>()
      child.send('begin')
      return end
    },
  }
}

const statusOf = (url: string, { method, path, headers, body, from }: JunkRequest): Promise<number> =>
  new Promise((done) => {
    const asking = request(`${url}${path}`, { method, headers, agent: false, localAddress: from }, (response) => {
      response.resume().on('end', () => done(response.statusCode!))
    })
    asking.on('error', () => done(0)).end(body)
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
  const sentMs = performance.now() - start
  const statuses = await Promise.all(answers)
  return { statuses, sentMs, tookMs: performance.now() - start }
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.once('message', (options: JunkOptions) => {
    process.once('message', () => {
      void send(options).then((end) => process.send!(end, () => process.disconnect()))
    })
    process.send!('ready')
  })
}
