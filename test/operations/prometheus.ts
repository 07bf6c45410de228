import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, list, read, yaml } from '../conformance/guides/deploy-files.ts'
import { freePort } from '../ports.mjs'
import { eventually } from '../support/wait.ts'
import { PROMETHEUS } from './promtool.ts'

/** Prometheus scrapes once a second in place of every fifteen: the times of the shipped rules pass as much faster. */
const FASTER = 15
/** seconds: a rate needs some samples */
const WINDOW_LEAST_S = 10
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const faster = (text: string, unit: string, leastS: number): string =>
  `${Math.max(leastS, Math.ceil((Number(text) * UNITS[unit]!) / FASTER))}s`

/** The shipped rules, with windows and waits as much shorter as the scrapes come faster. */
const quickRules = (): string =>
  read('deploy/prometheus/alerts.yml')
    .replace(/\[(\d+)([smhd])\]/g, (_, n, unit) => `[${faster(n, unit, WINDOW_LEAST_S)}]`)
    .replace(/offset (\d+)([smhd])/g, (_, n, unit) => `offset ${faster(n, unit, WINDOW_LEAST_S)}`)
    .replace(/for: (\d+)([smhd])/g, (_, n, unit) => `for: ${faster(n, unit, 0)}`)

export interface Prometheus {
  /** names of the alarms that fire */
  firing(): Promise<ReadonlySet<string>>
  /** what each says that fires: a label that is missing leaves a hole in it */
  summaries(): Promise<readonly string[]>
}

interface Alert {
  readonly state: string
  readonly labels: { readonly alertname: string }
  readonly annotations: { readonly summary: string }
}

/** A real Prometheus with the shipped configuration of Compose and the shipped rules, over other addresses. */
export async function startPrometheus(
  t: { after(end: () => unknown): void },
  targets: () => readonly string[],
): Promise<Prometheus> {
  const dir = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const config = yaml(read('deploy/compose/prometheus.yml'))[0]!
  const job = list(at(config, 'scrape_configs')).find((one) => at(one, 'job_name') === 'token-intelligence')
  const quick = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(dir, 'alerts.yml')],
    scrape_configs: [{ ...(job as object), static_configs: [{ targets: targets() }] }],
  }
  writeFileSync(join(dir, 'alerts.yml'), quickRules())
  writeFileSync(join(dir, 'prometheus.yml'), JSON.stringify(quick))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    PROMETHEUS!,
    [
      `--config.file=${join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = new Promise((done) => child.once('exit', done))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(dir, { recursive: true, force: true })
  })
  await eventually('Prometheus is ready', async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true)
  async function alerts(): Promise<Alert[]> {
    const answer = (await (await fetch(`${url}/api/v1/alerts`)).json()) as { data: { alerts: Alert[] } }
    return answer.data.alerts.filter(({ state }) => state === 'firing')
  }
  return {
    firing: async () => new Set((await alerts()).map(({ labels }) => labels.alertname)),
    summaries: async () => (await alerts()).map(({ annotations }) => annotations.summary),
  }
}
