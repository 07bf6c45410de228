import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { asked, at, list, read, yaml } from '../conformance/guides/deploy-files.ts'
import { type Case, testRules, withoutPrometheus } from './promtool.ts'

/**
 * The rules over the metrics of the NATS exporter, run by promtool: it asks three servers, and `gnatsd_healthz_status` is 0 for one
 * that is well and missing for one that does not answer.
 */
const groups = list(at(yaml(read('deploy/prometheus/alerts.yml'))[0], 'groups'))
const group = groups.find((one) => at(one, 'name') === 'optional-log-servers')
const metrics = new Set(list(at(group, 'rules')).flatMap((rule) => asked(String(at(rule, 'expr'))).metrics))

const MINUTE_S = 60
const STORE_BYTES = 100e9

type Life = Case['scene']['lives'][number]
type Fault = Life['fault']

interface Servers {
  /** what befalls the three servers; left out: nothing */
  readonly health?: readonly Fault[]
  /** bytes that each has stored by then */
  readonly stored?: number
  readonly exporter?: Fault
}

const at0 = (value: number) => ({ value, slope: 0 })

function caseOf(name: string, minutes: number, fires: readonly string[], servers: Servers): Case {
  const { health = [], stored, exporter = null } = servers
  const life = (metric: string, labels: Life['labels'], start: number, fault: Fault): Life => ({
    ...{ name: metric, labels, role: null, start, slope: 0, fault },
  })
  const lives = [0, 1, 2].flatMap((i) => {
    const labels = { job: 'nats', server_id: `n${i}` }
    return [
      life('gnatsd_healthz_status', labels, 0, health[i] ?? exporter),
      life('jetstream_server_max_storage', labels, STORE_BYTES, exporter),
      life('jetstream_server_total_message_bytes', labels, 1e9, stored === undefined ? exporter : at0(stored)),
    ]
  })
  const up = life('up', { job: 'nats', instance: 'exporter:7777' }, 1, exporter === null ? null : at0(0))
  const none = (): void => {}
  const scene = { lives: [...lives, up], healthyS: 10 * MINUTE_S, set: none, rise: none, down: none }
  return { name, scene, faultS: minutes * MINUTE_S, fires }
}

const CASES: readonly Case[] = [
  caseOf('three servers are well', 30, [], {}),
  caseOf('one restarts', 0.75, [], { health: ['gone'] }),
  caseOf('one is away', 3, ['LogServerLost'], { health: ['gone'] }),
  caseOf('one has not caught up', 3, ['LogServerLost'], { health: [null, at0(1)] }),
  caseOf('two are away', 3, ['LogServerLost', 'LogWithoutMajority'], { health: ['gone', 'gone'] }),
  caseOf('all are away', 3, ['LogServerLost', 'LogWithoutMajority'], { health: ['gone', 'gone', 'gone'] }),
  caseOf('only the exporter is away', 30, [], { exporter: 'gone' }),
  caseOf('the store has room', 30, [], { stored: 0.79 * STORE_BYTES }),
  caseOf('the store was nearly full for a moment', 8, [], { stored: 0.81 * STORE_BYTES }),
  caseOf('the store is nearly full', 12, ['LogStoreFull'], { stored: 0.81 * STORE_BYTES }),
]

test('each alarm of the log’s servers fires in its fault and in nothing else', { skip: withoutPrometheus }, () => {
  const dir = mkdtempSync(join(tmpdir(), 'log-alarms-'))
  try {
    const rules = join(dir, 'rules.yml')
    // YAML takes JSON
    writeFileSync(rules, JSON.stringify({ groups: [group] }))
    assert.equal(testRules(rules, metrics, CASES), '')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
