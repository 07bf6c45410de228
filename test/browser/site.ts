import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Started, startService } from '../simulation/service.ts'
import { eventually } from './wait.ts'

/** A market with enough past that every list but the survivors has something to show. */
export const MARKET = 'simulator:seed=1&tps=40&warmup=6000'

export interface Site {
  /** where browsers open it, without a slash at the end */
  readonly url: string
  /** a Pro key */
  readonly key: string
  get(path: string): Promise<{ data: unknown }>
  /** SIGKILL, and the same again on the same port and data, once that answers */
  restart(between?: () => Promise<void>): Promise<void>
  pause(): void
  resume(): void
}

interface SiteOptions {
  readonly source?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await new Promise<number>((done, fail) => {
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => done((probe.address() as { port: number }).port))
  })
  await new Promise((done) => probe.close(done))
  return port
}

/** The built program with its page, over data of its own, until the test ends. */
export async function startSite(
  t: { after(end: () => Promise<void>): void },
  { source = MARKET, env = {} }: SiteOptions = {},
): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'page-'))
  const settings = { SOURCE: source, DATA_DIR: dataDir, OBSERVE: 'off', PORT: String(await freePort()), ...env }
  let service: Started = startService(settings)
  t.after(async () => {
    service.child.kill('SIGKILL')
    await service.exit
    rmSync(dataDir, { recursive: true, force: true })
  })
  const url = await service.url
  const key = await service.key
  if (key === null) throw new Error('a first start prints a key')
  const ready = () =>
    eventually('the service is ready', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false)
  await ready()
  return {
    url,
    key,
    async get(path) {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { data: unknown }
    },
    async restart(between) {
      service.child.kill('SIGKILL')
      await service.exit
      await between?.()
      service = startService(settings)
      await service.url
      await ready()
    },
    pause: () => void service.child.kill('SIGSTOP'),
    resume: () => void service.child.kill('SIGCONT'),
  }
}
