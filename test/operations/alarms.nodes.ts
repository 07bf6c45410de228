import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { asked, at, list, ROOT, read, yaml } from '../conformance/guides/deploy-files.ts'
import { withNats } from '../nats.ts'
import type { RunningNode } from '../nodes/running.ts'
import { startPostgres } from '../postgres.mjs'
import { operatorOf } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { openGround } from './cluster.ts'
import { noClient } from './live-chain.ts'
import { type Case, promtool, testRules, withoutPrometheus } from './promtool.ts'
import { RULE_FAULTS } from './rule-faults.ts'
import { sceneOf } from './scene.ts'
import { readMetrics, type Series } from './series.ts'
import { SET_UPS, type SetUp, type Target } from './set-ups.ts'

/**
 * Every rule, run by promtool over the metrics of running nodes, each as in one of the shipped set-ups: quiet while the service
 * is healthy, and in its fault the alarm that names it, with no other but those that are right too.
 */
const RULES = join(ROOT, 'deploy/prometheus/alerts.yml')
const postgres = await startPostgres()
after(() => 'missing' in postgres || postgres.stop())
const skip = withoutPrometheus || withNats.skip || noClient || ('missing' in postgres && postgres.missing)
const MINUTES = 10
/** hours of a quiet service: longer than what any rule looks back */
const QUIET_HOURS = 27

const groups = list(at(yaml(read('deploy/prometheus/alerts.yml'))[0], 'groups'))
// these ask for metrics of another program
const isOwn = (group: unknown): boolean => !String(at(group as never, 'name')).startsWith('optional')
const rules = groups.filter(isOwn).flatMap((group) => list(at(group, 'rules')))
const names = rules.map((rule) => String(at(rule, 'alert')))
const wanted = new Set(rules.flatMap((rule) => asked(String(at(rule, 'expr'))).metrics))

const texts: Partial<Record<Target['role'], string>> = {}
const metrics = (): Record<Target['role'], Series[]> =>
  Object.fromEntries(Object.entries(texts).map(([role, text]) => [role, readMetrics(text).filter(isEnough)])) as never

/** Of what is the same for every operation, some stand for all: promtool takes minutes for the rest. */
const isEnough = ({ name, labels: { operation = 'snapshot' } }: Series): boolean =>
  !name.endsWith('_bucket') || ['snapshot', 'service', 'page'].includes(operation)

async function textOf(node: RunningNode): Promise<string> {
  return await (await fetch(`${operatorOf(node.url()!)}/metrics`)).text()
}

if (!skip) {
  before(async () => {
    if ('missing' in postgres) return
    const closing: (() => unknown)[] = []
    const ground = await openGround({ after: (end) => void closing.push(end) }, postgres, MINUTES, 1)
    const nodes = (['ingest', 'serve', 'all'] as const).map((role) => ground.node(role, role))
    await Promise.all(nodes.map((node) => node.start()))
    for (const [i, role] of (['ingest', 'serve', 'all'] as const).entries()) {
      await eventually(`${role} is at work`, async () => {
        const text = await textOf(nodes[i]!)
        texts[role] = text
        const isWhole = role === 'serve' || /^ti_source_connected 1$/m.test(text)
        return /^ti_ready\{.*\} 1$/m.test(text) && isWhole && !/^ti_accounts_copy_age_seconds \+Inf$/m.test(text)
      })
    }
    await Promise.all(nodes.map((node) => node.stop()))
    for (const end of closing.reverse()) await end()
  })
}

test('every rule and configuration is one that Prometheus takes, and every metric one that it likes', { skip }, () => {
  const { code, said } = promtool(['check', 'rules', RULES])
  assert.equal(code, 0, said)
  const dir = mkdtempSync(join(tmpdir(), 'prometheus-'))
  try {
    for (const { config } of SET_UPS) {
      const file = join(dir, 'prometheus.yml')
      // not every build of promtool has the discovery of Kubernetes
      writeFileSync(file, read(config).replace(/ {4}kubernetes_sd_configs:\n(?: {6}.*\n)*/, ''))
      const checked = promtool(['check', 'config', '--syntax-only', file])
      assert.equal(checked.code, 0, `${config}: ${checked.said}`)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  for (const [role, text] of Object.entries(texts)) {
    const { said } = promtool(['check', 'metrics'], text)
    const ours = said.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))
    assert.deepEqual(ours, [], role)
  }
})

const casesOf = (setUp: SetUp): Case[] => {
  const faults = RULE_FAULTS.filter(({ only }) => only === undefined || only.includes(setUp.name))
  return [
    ...[0.5, QUIET_HOURS].map((hours) => ({
      name: `quiet for ${hours} hours`,
      scene: sceneOf(setUp, metrics(), hours * 3_600),
      faultS: 0,
      fires: [],
    })),
    ...faults.map(({ alarm, also = [], minutes, healthyHours = 0.5, change }) => {
      const scene = sceneOf(setUp, metrics(), healthyHours * 3_600)
      change(scene)
      return { name: alarm, scene, faultS: minutes * 60, fires: [alarm, ...also] }
    }),
  ]
}

for (const setUp of SET_UPS) {
  test(`${setUp.name}: each alarm fires in its fault and in nothing else`, { skip, timeout: 300_000 }, () => {
    assert.equal(testRules(RULES, wanted, casesOf(setUp)), '')
  })
}

test('every rule has a fault in which it fires', { skip }, () => {
  const faults = new Set(RULE_FAULTS.map(({ alarm }) => alarm))
  assert.deepEqual(
    names.filter((name) => !faults.has(name)),
    [],
  )
})
