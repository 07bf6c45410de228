import { has, type Series } from './series.ts'
import type { SetUp, Target } from './set-ups.ts'

/** One series over time: healthy until the fault, and then what the fault makes of it. */
interface Life {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly role: Target['role'] | null
  readonly start: number
  /** per second */
  readonly slope: number
  /** null: it goes on as before; 'gone': the target does not answer */
  fault: { readonly value: number; readonly slope: number } | 'gone' | null
}

type Labels = Readonly<Record<string, string>>

/** How a healthy service's numbers move, per second; all others stay as they were read. */
const MOVES: readonly (readonly [name: string, labels: Labels, perSecond: number])[] = [
  ['ti_log_seq', {}, 3],
  ['ti_slot', {}, 2.5],
  ['ti_source_newest_slot', {}, 2.5],
  // each pass begins an hour after the one before
  ['ti_scrub_timestamp_seconds', {}, 1],
  ['ti_checkpoints_total', { outcome: 'made' }, 1 / (6 * 3_600)],
  ['ti_observe_total', { observer: 'sol_price', outcome: 'reported' }, 1 / 60],
  ['http_requests_total', { status: '200' }, 1],
  ['http_request_duration_seconds_bucket', {}, 1],
  ['ti_live_lag_seconds_bucket', {}, 1],
]

/** The series of a set-up, each read from a running node of its role, and what a fault does to them. */
export interface Scene {
  /** Throws where no node has such a series: a rule that asks for it could never fire. */
  set(name: string, labels: Labels, value: number): void
  /** goes on from its value by so much a minute */
  rise(name: string, labels: Labels, perMinute: number): void
  /** the nodes of a role, or the one of an instance, do not answer */
  down(which: Labels): void
  /** seconds that the healthy service ran before */
  readonly healthyS: number
  readonly lives: readonly Life[]
}

export function sceneOf(
  { targets }: SetUp,
  metrics: Readonly<Record<Target['role'], readonly Series[]>>,
  healthyS: number,
): Scene {
  const lives = targets.flatMap(({ role, labels }) => [
    { name: 'up', labels, role, start: 1, slope: 0, fault: null } as Life,
    ...metrics[role].map((series): Life => lifeOf(series, labels, role)),
  ])
  function choose(name: string, labels: Labels): Life[] {
    const found = lives.filter((life) => life.name === name && has({ ...life.labels, role: life.role ?? '' }, labels))
    if (found.length === 0) throw new Error(`no node has ${name} ${JSON.stringify(labels)}`)
    return found
  }
  const valueAt = (life: Life): number => life.start + life.slope * healthyS
  return {
    healthyS,
    lives,
    set(name, labels, value) {
      for (const life of choose(name, labels)) life.fault = { value, slope: 0 }
    },
    rise(name, labels, perMinute) {
      for (const life of choose(name, labels)) life.fault = { value: valueAt(life), slope: perMinute / 60 }
    },
    down(which) {
      for (const life of choose('up', which)) {
        life.fault = { value: 0, slope: 0 }
        for (const other of lives) {
          if (other !== life && other.labels.instance === life.labels.instance) other.fault = 'gone'
        }
      }
    },
  }
}

function lifeOf({ name, labels, value }: Series, target: Labels, role: Target['role']): Life {
  const [, , slope = 0] = MOVES.find(([moving, which]) => moving === name && has(labels, which)) ?? []
  // promtool's clock begins at 0: the moment at which the metrics were read
  const isTime = name.endsWith('_timestamp_seconds') || name === 'process_start_time_seconds'
  const time = value === 0 && slope === 0 ? NEVER : Math.max(value - Date.now() / 1_000, -FRESH_S)
  const start = isTime ? time : (MACHINE[name] ?? value)
  return { name, labels: { ...labels, ...target }, role, start, slope, fault: null }
}

/** in place of what the machine of the tests has */
const MACHINE: Readonly<Record<string, number>> = { ti_disk_free_bytes: 100e9, ti_disk_bytes: 200e9 }
/** a time of 0 is so long ago, and a node that has just started did nothing longer ago than so many seconds */
const NEVER = -1e9
const FRESH_S = 600

/** promtool's notation of the samples, one every `stepS` seconds. */
export function samplesOf(
  { start, slope, fault }: Life,
  stepS: number,
  healthySteps: number,
  faultSteps: number,
): string {
  const move = (from: number, perSecond: number, steps: number): string =>
    // without exponents, which the notation does not know
    `${from.toFixed(6)}${perSecond < 0 ? '-' : '+'}${Math.abs(perSecond * stepS).toFixed(6)}x${steps}`
  const before = move(start, slope, healthySteps)
  if (faultSteps === 0) return before
  if (fault === 'gone') return `${before} stale _x${faultSteps}`
  const next = fault ?? { value: start + slope * stepS * (healthySteps + 1), slope }
  return `${before} ${move(next.value, next.slope, faultSteps)}`
}
