import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from '@ti/service/service/admin.ts'
import { freePort } from '../ports.mjs'
import { operatorOf, type Started, startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'

/**
 * A market with enough past that every list but the survivors has something to show. Deeds, their authors and funders known to the
 * service are more frequent than usual, so that a red token with a group and an actor is there from the start.
 */
export const MARKET = 'simulator:seed=4&tps=40&warmup=5850&kinds=4&traced=0.9'

/** Such a token of it. The lists have it for some minutes only, which a busy machine needs to make the past. */
export const TELLING = '98YCxKZz1RHnjBE4qFeCduweFCzXBZRsCqc3v6SHxbmr'

/**
 * The same market, which stands still after these slots: everything is read at one slot, six minutes after the launch of the telling
 * token, whose group has sold by then.
 */
const STILL_SLOTS = 6_600
export const stillMarket = (): string => {
  const startTime = Math.floor(Date.now() / 1000 - STILL_SLOTS * 0.4)
  return `${MARKET}&speed=0&slots=${STILL_SLOTS}&startTime=${startTime}`
}

/** milliseconds until a service must be ready, on a machine that has forty times as much to do */
const START_MS = 600_000
const LAG_SLOTS_MAX = 25
/** milliseconds after which it is killed: files that share it, or pictures of a long market, are done before */
const LIFE_MS = 45 * 60_000

export interface Site {
  /** where browsers open it, without a slash at the end */
  readonly url: string
  /** a Pro key */
  readonly key: string
  /** as the holder of that key, unless another one is given */
  get(path: string, key?: string): Promise<{ data: unknown }>
  /** one more Pro key, with limits of its own */
  anotherKey(): Promise<string>
  /** SIGKILL, and the same again on the same port and data, once that answers */
  restart(between?: () => Promise<void>): Promise<void>
}

interface SiteOptions {
  readonly source?: string
  /** milliseconds until it must be ready: a longer past takes longer to make */
  readonly startMs?: number
  readonly env?: Readonly<Record<string, string>>
}

/** The built program with its page, over data of its own, until the test ends. */
export async function startSite(
  t: { after(end: () => Promise<void>): void },
  { source = MARKET, startMs = START_MS, env = {} }: SiteOptions = {},
): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'page-'))
  const settings = {
    SOURCE: source,
    DATA_DIR: dataDir,
    OBSERVE: 'off',
    PORT: String(await freePort()),
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  }
  let ending = false
  const start = (): Started => {
    const started = startService(settings, ['serve'], { patienceMs: LIFE_MS })
    started.exit.then(({ code, signal, stderr }) => {
      if (!ending) console.error(`the service ended by itself (${code ?? signal}): ${stderr}`)
    })
    return started
  }
  let service = start()
  const end = async (): Promise<void> => {
    ending = true
    service.child.kill('SIGKILL')
    await service.exit
  }
  t.after(async () => {
    await end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const url = await service.url
  const key = await service.key
  if (key === null) throw new Error('the service has a key that nobody knows')
  let said = ''
  const ready = () =>
    eventually(
      'the service is ready',
      async () => {
        const answer = await fetch(`${operatorOf(url)}/readyz`).catch(() => null)
        said = (await answer?.text()) ?? 'no answer'
        if (answer?.ok !== true) return false
        // a simulated market answers while its past is still being made
        const { lag_slots: lag } = JSON.parse(said) as { lag_slots: number | null }
        return lag === null || lag < LAG_SLOTS_MAX
      },
      { deadlineMs: startMs, seen: () => said },
    )
  await ready()
  return {
    url,
    key,
    async anotherKey() {
      const made = await administer({ dataDir, databaseUrl: null }, { command: 'create', name: 'another', days: null })
      if (!made.ok || made.key === null) throw new Error('no key was made')
      return made.key
    },
    async get(path, by = key) {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${by}` } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { data: unknown }
    },
    async restart(between) {
      await end()
      await between?.()
      ending = false
      service = start()
      await service.url
      await ready()
    },
  }
}
