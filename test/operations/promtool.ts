import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Scene, samplesOf } from './scene.ts'

const FOLDERS = ['/usr/bin', '/usr/local/bin']
const find = (name: string): string | null =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null

export const PROMETHEUS = find('prometheus')
export const PROMTOOL = find('promtool')
export const withoutPrometheus: string | false =
  (PROMETHEUS === null || PROMTOOL === null) && 'prometheus and promtool were not found: install the package prometheus'

export function promtool(args: readonly string[], input = ''): { readonly code: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL!, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  return { code: status, said: `${stdout}${stderr}` }
}

/** A healthy service, and what befalls it at the end: the alarms that must fire then, and no other. */
export interface Case {
  readonly name: string
  readonly scene: Scene
  /** 0: nothing befalls it */
  readonly faultS: number
  readonly fires: readonly string[]
}

/** Only what rules ask for: the rest makes no difference to them. */
function groupOf({ scene, name, faultS, fires }: Case, asked: ReadonlySet<string>, stepS: number): object {
  const [healthy, fault] = [scene.healthyS / stepS, faultS / stepS]
  return {
    name,
    interval: `${stepS}s`,
    input_series: scene.lives
      .filter((life) => asked.has(life.name))
      .map((life) => ({
        series: `${life.name}{${Object.entries(life.labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)}}`,
        values: samplesOf(life, stepS, healthy, fault),
      })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})  > bool 0',
        eval_time: `${scene.healthyS + faultS}s`,
        exp_samples: [...fires].sort().map((alarm) => ({ labels: `{alertname="${alarm}"}`, value: 1 })),
      },
    ],
  }
}

/** seconds between two samples: as in the shipped configurations, and of hours, for what looks back as far, more */
const STEP_S = { minutes: 15, hours: 120 }
const isLong = ({ scene, faultS }: Case): boolean => scene.healthyS + faultS > 3 * 3_600

/** Runs them against a file of rules; what promtool says where one does not hold, '' where all do. */
export const testRules = (rules: string, asked: ReadonlySet<string>, cases: readonly Case[]): string =>
  run(
    rules,
    asked,
    cases.filter((one) => !isLong(one)),
    STEP_S.minutes,
  ) + run(rules, asked, cases.filter(isLong), STEP_S.hours)

function run(rules: string, asked: ReadonlySet<string>, cases: readonly Case[], stepS: number): string {
  const dir = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const file = join(dir, 'cases.yml')
    const tests = cases.map((one) => groupOf(one, asked, stepS))
    // YAML takes JSON
    writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: `${stepS}s`, tests }))
    const { code, said } = promtool(['test', 'rules', file])
    return code === 0 ? '' : said
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
