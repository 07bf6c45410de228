import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { operatorOf, startService } from '../../simulation/service.ts'
import { anchorsOf, asked, at, isRead, list, ROOT, read, sources, yaml } from './deploy-files.ts'

/** What watches the nodes, and what is written about them, is held to what they say of themselves. */
const dir = mkdtempSync(join(tmpdir(), 'deploy-watch-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const alerts = list(at(yaml(read('deploy/prometheus/alerts.yml'))[0], 'groups'))
const rules = alerts.flatMap((group) => list(at(group, 'rules')).map((rule) => ({ group: at(group, 'name'), rule })))

/** variables of Node itself, and of the benches */
const OTHERS = new Set(['NODE_OPTIONS', 'BENCH_HISTORY', 'BENCH_MINUTES'])
/** what operators read */
const PAGES = ['nodes', 'operating', 'configuration', 'payments', 'backup', 'monitoring']
  .map((page) => read(`docs/${page}.md`))
  .join('\n')

test('every alarm says how bad it is, for how long, what it is, and where to read on', () => {
  assert.ok(rules.length >= 30, `${rules.length} rules`)
  const names = rules.map(({ rule }) => String(at(rule, 'alert')))
  assert.deepEqual(names, [...new Set(names)])
  for (const { rule } of rules) {
    const name = String(at(rule, 'alert'))
    assert.match(String(at(rule, 'for')), /^\d+[smh]$/, name)
    assert.match(String(at(rule, 'labels', 'severity')), /^(warning|critical)$/, name)
    assert.ok(String(at(rule, 'annotations', 'summary')).length > 10, name)
    const [page = '', anchor = ''] = String(at(rule, 'annotations', 'runbook')).split('#')
    assert.ok(anchorsOf(read(page)).has(anchor), `${name}: ${page} has no heading for #${anchor}`)
  }
})

/** what Prometheus, its targets' labels and the exporters add themselves */
const LABELS = ['instance', 'job', 'role', 'le', 'fstype', 'mountpoint', 'server_id']

test('dashboard, alarms and the page ask for metrics and labels that there are', async () => {
  const service = startService({ DATA_DIR: join(dir, 'data'), SOURCE: 'simulator:warmup=0&tps=1' })
  try {
    const text = await (await fetch(`${operatorOf(await service.url)}/metrics`)).text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const exposed = new Set(
      types.flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
      ),
    )
    const declared = new Set([...sources.matchAll(/'(ti_[a-z_]+)'/g)].map(([, name]) => name!))
    const labels = new Set([
      ...LABELS,
      ...[...sources.matchAll(/'(?:ti|http)_[a-z_]+',\s*'[^']*',\s*(?:\[([^\]]*)\]|'(\w+)')/g)].flatMap(
        ([, many, one]) =>
          one === undefined ? many!.split(',').map((label) => label.trim().replaceAll("'", '')) : [one],
      ),
      // of histograms
      'topic',
      'step',
    ])
    const isThere = (name: string): boolean => name === 'up' || exposed.has(name) || declared.has(name)
    const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as {
      panels: { title: string; targets?: { expr: string }[] }[]
    }
    const expressions = [
      ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
      ...rules
        .filter(({ group }) => !String(group).startsWith('optional'))
        .map(({ rule }) => [String(at(rule, 'alert')), String(at(rule, 'expr'))] as const),
    ]
    assert.ok(expressions.length >= 60, `${expressions.length} expressions`)
    for (const [where, expression] of expressions) {
      const { metrics, labels: used } = asked(expression)
      assert.ok(metrics.length > 0, `${where}: ${expression}`)
      assert.deepEqual(
        metrics.filter((name) => !isThere(name)),
        [],
        `${where}: ${expression}`,
      )
      assert.deepEqual(
        used.filter((label) => !labels.has(label)),
        [],
        `${where}: ${expression}`,
      )
    }
    const told = [...PAGES.matchAll(/`(ti_[a-z_]+)/g)].map(([, name]) => name!)
    assert.deepEqual(
      told.filter((name) => !isThere(name)),
      [],
    )
  } finally {
    service.child.kill('SIGTERM')
    assert.equal((await service.exit).code, 0)
  }
})

test('the pages about several machines name files, commands and variables that there are', () => {
  const page = PAGES
  for (const [, path] of page.matchAll(/`(deploy\/[\w./@-]+)`/g)) {
    assert.ok(existsSync(join(ROOT, path!)), path)
  }
  const commands = DEFINITIONS.map(({ name }) => name)
  const used = [
    ...page.matchAll(
      /(?:node dist\/main\.js|token-intelligence) (serve|adopt|keys|checkpoint|accounts|verify)(?: ([a-z]+))?/g,
    ),
  ]
  assert.ok(used.length >= 8, `${used.length} commands`)
  for (const [, command, word] of used) {
    assert.ok(commands.includes(command!) || commands.includes(`${command} ${word}`), `${command} ${word}`)
  }
  const variables = [...page.matchAll(/`([A-Z][A-Z_]{3,})[`=]/g)].map(([, name]) => name!)
  assert.ok(variables.length >= 8, `${variables.length} variables`)
  assert.deepEqual(
    variables.filter((name) => !isRead(name) && !OTHERS.has(name)),
    [],
  )
})
