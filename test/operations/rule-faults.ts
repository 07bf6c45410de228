import type { Scene } from './scene.ts'
import type { SetUp } from './set-ups.ts'

/** A fault as the metrics tell it. */
export interface RuleFault {
  /** the alarm that names it */
  readonly alarm: string
  /** other alarms that are right to fire */
  readonly also?: readonly string[]
  readonly minutes: number
  /** hours that the service was healthy before; left out: half an hour */
  readonly healthyHours?: number
  /** the set-ups that have such nodes; left out: all */
  readonly only?: readonly SetUp['name'][]
  readonly change: (scene: Scene) => void
}

const SHARED = ['compose', 'kubernetes'] as const
const ONE = { only: ['systemd'] } as const

/** every node that answers reads */
function nobodyAnswers(scene: Scene): void {
  for (const { role } of scene.lives) if (role === 'serve' || role === 'all') scene.set('ti_ready', { role }, 0)
}

export const RULE_FAULTS: readonly RuleFault[] = [
  { alarm: 'NodeDown', minutes: 3, only: SHARED, change: (scene) => scene.down({ instance: first(scene, 'serve') }) },
  {
    alarm: 'NodeDown',
    also: ['NobodyAnswers'],
    minutes: 3,
    ...ONE,
    change: (scene) => scene.down({ role: 'all' }),
  },
  { alarm: 'NobodyAnswers', minutes: 1, change: nobodyAnswers },
  { alarm: 'NodeNotReady', also: ['NobodyAnswers'], minutes: 4, ...ONE, change: nobodyAnswers },
  {
    alarm: 'NodeNotReady',
    minutes: 4,
    only: SHARED,
    change: (scene) => scene.set('ti_ready', { instance: first(scene, 'serve') }, 0),
  },
  { alarm: 'NothingNew', minutes: 6, change: (scene) => scene.rise('ti_log_seq', {}, 0) },
  {
    alarm: 'NodeBehindTheOthers',
    minutes: 4,
    only: SHARED,
    change: (scene) => scene.rise('ti_slot', { instance: first(scene, 'serve') }, 0),
  },
  {
    alarm: 'LogPending',
    minutes: 4,
    change: (scene) => scene.set('ti_log_pending', { instance: first(scene) }, 60),
  },
  {
    alarm: 'LogTakesNothing',
    minutes: 4,
    change: (scene) => scene.rise('ti_log_unwritten_total', { instance: first(scene) }, 12),
  },
  {
    alarm: 'LogAway',
    minutes: 3,
    change: (scene) => scene.set('ti_log_problem', { problem: 'away', instance: first(scene) }, 1),
  },
  { alarm: 'LogLost', minutes: 2, change: (scene) => scene.set('ti_log_lost_total', { instance: first(scene) }, 1) },
  { alarm: 'Lagging', minutes: 5, change: (scene) => scene.set('ti_lag_slots', { instance: first(scene) }, 80) },
  {
    alarm: 'EventLoopHeld',
    minutes: 7,
    change: (scene) => scene.set('nodejs_eventloop_lag_p99_seconds', { instance: first(scene) }, 0.4),
  },
  {
    alarm: 'FewDescriptors',
    minutes: 7,
    change: (scene) => {
      scene.set('process_open_fds', { instance: first(scene) }, 15_000)
      scene.set('process_max_fds', { instance: first(scene) }, 16_384)
    },
  },
  {
    alarm: 'RestartsAgainAndAgain',
    minutes: 5,
    change: (scene) => scene.rise('process_start_time_seconds', { instance: first(scene) }, 60),
  },
  {
    alarm: 'SourceLost',
    also: ['SourceFewer'],
    minutes: 12,
    change: (scene) => scene.set('ti_source_connected', {}, 0),
  },
  {
    alarm: 'SourceFewer',
    minutes: 12,
    change: (scene) => scene.set('ti_source_endpoints', { instance: first(scene) }, 2),
  },
  {
    alarm: 'SourceFilling',
    minutes: 7,
    change: (scene) => scene.set('ti_source_filling', { instance: first(scene) }, 400),
  },
  { alarm: 'SlotsMissing', minutes: 2, change: (scene) => scene.set('ti_missing_slots', {}, 12) },
  {
    alarm: 'ProgramUpgraded',
    minutes: 2,
    change: (scene) => scene.set('ti_unknown_seen_timestamp_seconds', { instance: first(scene) }, scene.healthyS),
  },
  {
    alarm: 'NoPriceOfSol',
    minutes: 14,
    change: (scene) => scene.rise('ti_observe_total', { observer: 'sol_price', outcome: 'reported' }, 0),
  },
  {
    alarm: 'AccountsCannotBeRead',
    minutes: 4,
    change: (scene) => scene.set('ti_accounts_answering', {}, 0),
  },
  { alarm: 'AccountsTakeNoChanges', minutes: 3, change: (scene) => scene.set('ti_accounts_writable', {}, 0) },
  {
    alarm: 'AccountsCopyOld',
    minutes: 7,
    ...ONE,
    change: (scene) => scene.set('ti_accounts_copy_age_seconds', {}, 4 * 3_600),
  },
  { alarm: 'PaymentsOpen', minutes: 12, change: (scene) => scene.set('ti_payments_open', {}, 1) },
  {
    alarm: 'PaymentsUncertain',
    minutes: 2,
    change: (scene) => scene.set('ti_payment_outcomes_total', { outcome: 'uncertain' }, 1),
  },
  {
    alarm: 'DepositsCannotBeRead',
    minutes: 14,
    change: (scene) => scene.rise('ti_deposits_total', { outcome: 'look failed' }, 2),
  },
  {
    alarm: 'InternalErrors',
    minutes: 3,
    change: (scene) => scene.set('http_requests_total', { status: '500', operation: 'snapshot' }, 1),
  },
  {
    alarm: 'ManyUnavailable',
    minutes: 8,
    change: (scene) => scene.rise('http_requests_total', { status: '503', operation: 'snapshot' }, 600),
  },
  {
    alarm: 'SlowAnswers',
    minutes: 14,
    change: (scene) => {
      for (const le of ['0.00005', '0.0001', '0.00025', '0.0005', '0.001', '0.0025', '0.005', '0.01', '0.05', '0.25']) {
        scene.rise('http_request_duration_seconds_bucket', { le }, 0)
      }
    },
  },
  {
    alarm: 'StreamsLate',
    minutes: 8,
    change: (scene) => {
      for (const le of ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5']) {
        scene.rise('ti_live_lag_seconds_bucket', { le }, 0)
      }
    },
  },
  { alarm: 'SlowReaders', minutes: 3, change: (scene) => scene.set('ti_live_closed_total', { why: '1013' }, 40) },
  { alarm: 'SocketsFull', minutes: 7, change: (scene) => scene.set('ti_live_sockets', {}, 9_500) },
  {
    alarm: 'UpgradesRefused',
    minutes: 2,
    change: (scene) => scene.set('ti_live_refused_total', { reason: 'sockets' }, 3),
  },
  { alarm: 'QueuesGrow', minutes: 12, change: (scene) => scene.set('ti_live_queue_bytes', {}, 2e9) },
  { alarm: 'StoreGrowsFast', minutes: 160, healthyHours: 7, change: (scene) => scene.rise('ti_store_bytes', {}, 2e8) },
  {
    alarm: 'StateFoldedAgain',
    minutes: 2,
    change: (scene) => scene.set('ti_state_set_aside_timestamp_seconds', { instance: first(scene) }, scene.healthyS),
  },
  {
    alarm: 'LogDamaged',
    minutes: 2,
    change: (scene) => scene.set('ti_scrub_log_faults', { instance: first(scene) }, 1),
  },
  {
    alarm: 'NotScrubbed',
    minutes: 25 * 60,
    change: (scene) => scene.rise('ti_scrub_timestamp_seconds', { instance: first(scene) }, 0),
  },
  {
    alarm: 'DiskFull',
    also: ['DiskAlmostFull'],
    minutes: 12,
    change: (scene) => {
      scene.set('ti_disk_full', { instance: first(scene) }, 1)
      scene.set('ti_disk_free_bytes', { instance: first(scene) }, 5e7)
    },
  },
  { alarm: 'DiskAlmostFull', minutes: 12, change: (scene) => scene.set('ti_disk_bytes', {}, 2e12) },
  {
    alarm: 'DiskFullSoon',
    minutes: 240,
    healthyHours: 7,
    change: (scene) => scene.rise('ti_disk_free_bytes', {}, -1e8),
  },
  {
    alarm: 'StateHeldByReader',
    minutes: 2,
    change: (scene) => scene.set('ti_state_wal_bytes', { instance: first(scene) }, 6e8),
  },
  {
    alarm: 'ClockJumped',
    minutes: 2,
    change: (scene) => scene.set('ti_clock_jumps_total', { instance: first(scene) }, 1),
  },
  {
    alarm: 'CheckpointsFail',
    minutes: 2,
    change: (scene) => scene.set('ti_checkpoints_total', { outcome: 'failed', instance: first(scene) }, 1),
  },
  {
    alarm: 'NoCheckpoints',
    minutes: 26 * 60,
    change: (scene) => scene.rise('ti_checkpoints_total', { outcome: 'made' }, 0),
  },
]

/** an instance of a role, or of the first node */
function first({ lives }: Scene, role: string = lives[0]!.role!): string {
  return lives.find((life) => life.role === role)!.labels.instance!
}
