import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { after, test } from 'node:test'
import { EXIT } from '@ti/service/base/errors.ts'
import { SHUTDOWN_MS } from '@ti/service/base/parts.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { readOptions } from '@ti/service/config/options.ts'
import { productionProblems } from '@ti/service/config/production.ts'
import { roleOf } from '@ti/service/service/node-role.ts'
import { NATS_SERVER, withNats } from '../../nats.ts'
import {
  at,
  deployFiles,
  envFile,
  interpolated,
  isRead,
  list,
  obj,
  ROOT,
  read,
  sources,
  strings,
  unit,
  yaml,
} from './deploy-files.ts'
import {
  aloneNode,
  compose,
  composeEnv,
  composeNodes,
  type DeployedNode,
  dockerEnv,
  FILLED,
  kubernetesNodes,
  kustomization,
  manifests,
  named,
  ofKind,
  services,
  systemdNodes,
} from './deploy-nodes.ts'

/** What an operator copies is held to what the program does: names, commands, metrics, links. */
const dir = mkdtempSync(join(tmpdir(), 'deploy-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const nodes = [...composeNodes, ...kubernetesNodes, ...systemdNodes]

/** read by Node.js and by the allocator */
const OF_THE_RUNTIME = new Set(['NODE_ENV', 'MALLOC_ARENA_MAX'])

test('every file under deploy can be read', () => {
  assert.ok(deployFiles.length >= 25, deployFiles.join(' '))
  for (const path of deployFiles) {
    const text = read(path)
    assert.doesNotMatch(text, /\t/, `${path}: no tabs`)
    if (path.endsWith('.json')) assert.equal(typeof JSON.parse(text), 'object', path)
    if (/\.ya?ml$/.test(path)) assert.ok(yaml(text).length > 0, path)
    if (path.endsWith('.service')) assert.ok(unit(text).Service, path)
    if (path.endsWith('.env.example')) assert.ok(Object.keys(envFile(text)).length > 0, path)
  }
})

test('nodes are started with words and variables that the program takes', () => {
  const roles = (of: DeployedNode[]): string => of.map(({ args }) => args[2]).join(' ')
  assert.equal(roles(composeNodes), 'ingest ingest serve serve serve')
  assert.equal(roles(kubernetesNodes), 'ingest serve')
  assert.equal(roles(systemdNodes), 'ingest serve')
  for (const { name, args, env } of nodes) {
    assert.deepEqual(args.slice(0, 2), ['serve', '--role'], name)
    const unknown = Object.keys({ ...dockerEnv, ...env }).filter((one) => !OF_THE_RUNTIME.has(one) && !isRead(one))
    assert.deepEqual(unknown, [], `${name}: variables that nobody reads`)
    const filled = args[2] === 'serve' ? { ...env, ...FILLED } : env
    const options = readOptions({ ...dockerEnv, ...filled })
    assert.equal(options.operatorHost, '0.0.0.0', `${name}: Prometheus asks from elsewhere`)
    assert.equal(roleOf(args[2], options), args[2])
    assert.equal(options.logUrls?.length, 3, `${name}: every server of the log is named`)
    if (args[2] === 'ingest') assert.equal(env.DATABASE_URL, undefined, `${name} needs no accounts`)
    else assert.deepEqual([options.rateLimits, options.trustedProxies.length], ['shared', 1], name)
  }
})

test('what strangers reach is fit for them, and drains before its supervisor loses patience', () => {
  for (const { name, args, env } of [...kubernetesNodes, ...systemdNodes]) {
    const options = readOptions({ ...dockerEnv, DATA_DIR: '/var/lib/ti', ...env, ...FILLED })
    assert.deepEqual(args.slice(3), ['--production'], name)
    assert.deepEqual(productionProblems(options, args[2] === 'ingest'), [], name)
  }
  const [serving] = ofKind('StatefulSet').filter((set) => named(set) === 'serve')
  const { Service } = unit(read('deploy/systemd/token-intelligence@.service'))
  const patience = [
    [at(serving, 'spec', 'template', 'spec', 'terminationGracePeriodSeconds'), kubernetesNodes.at(-1)!],
    [Service!.TimeoutStopSec![0], systemdNodes.at(-1)!],
    [String(Object.fromEntries(services)['serve-0']!.stop_grace_period).replace('s', ''), composeNodes.at(-1)!],
  ] as const
  for (const [seconds, { name, env }] of patience) {
    const { drainSeconds } = readOptions({ ...dockerEnv, ...env, ...FILLED })
    // open answers, then twice as long for log and state
    const needed = drainSeconds + (3 * SHUTDOWN_MS) / 1_000
    assert.ok(drainSeconds >= 5 && Number(seconds) >= needed, `${name}: ${seconds} s for ${needed} s`)
  }
})

test('no secret stands in a file', () => {
  const secret = /PASSWORD|TOKEN|KEYPAIR|RPC_URL|DATABASE_URL|FACILITATOR_URL/
  for (const path of deployFiles.filter((one) => one.endsWith('.env.example'))) {
    for (const [name, value] of Object.entries(envFile(read(path)))) {
      if (secret.test(name)) assert.match(value, /^$|:PASSWORD@/, `${path}: ${name}`)
    }
  }
  for (const one of ofKind('Secret')) {
    for (const [name, value] of Object.entries(obj(one.stringData))) {
      if (name !== 'PAYMENTS') assert.equal(value, '', `${named(one)}: ${name}`)
    }
  }
  assert.match(read('deploy/kubernetes/kustomization.yaml'), /^(?![\s\S]*- secrets)/, 'templates are not applied')
  assert.doesNotMatch(read('deploy/compose/compose.yaml'), /(PASSWORD|TOKEN|DATABASE_URL): /)
})

test('compose: volumes, ports and addresses are distinct, and what is mounted is there', () => {
  const mounts = services.flatMap(([name, service]) => strings(service.volumes).map((mount) => [name, mount] as const))
  const own = mounts.map(([, mount]) => mount.split(':')[0]!).filter((from) => !from.startsWith('.'))
  assert.deepEqual(own, [...new Set(own)], 'a volume belongs to one service')
  assert.deepEqual([...own].sort(), Object.keys(obj(compose.volumes)).sort())
  for (const [name, mount] of mounts) {
    const [from = ''] = mount.split(':')
    if (from.startsWith('.')) assert.ok(existsSync(join(ROOT, normalize(`deploy/compose/${from}`))), `${name}: ${from}`)
  }
  for (const { name } of composeNodes) assert.ok(own.includes(name), `${name} has a volume of its own`)
  const ports = services.flatMap(([, { ports }]) => strings(ports).map((port) => interpolated(port, composeEnv)))
  assert.deepEqual(ports, [...new Set(ports)])
  assert.ok(
    ports.every((port) => port.startsWith('127.0.0.1:')),
    'nothing is open to the network until somebody says so',
  )
  const networks = Object.keys(obj(compose.networks))
  for (const [name, service] of services) {
    const joined = Array.isArray(service.networks) ? strings(service.networks) : Object.keys(obj(service.networks))
    assert.deepEqual(
      joined.filter((network) => !networks.includes(network)),
      [],
      name,
    )
    for (const other of Object.keys(obj(Array.isArray(service.depends_on) ? {} : service.depends_on))) {
      assert.ok(at(compose, 'services', other, 'healthcheck'), `${name} waits for ${other}, which says how it is`)
    }
  }
})

test('the balancer asks /readyz of the port for readers, and waits for silent streams', (t) => {
  const text = read('deploy/compose/haproxy.cfg')
  assert.match(text, /option httpchk GET \/readyz\n/)
  assert.match(text, /del-header X-Forwarded-For/)
  assert.match(text, /log-format "[^"]* %HP"/, 'paths are logged without their query')
  for (const [, name, count, unitOf] of text.matchAll(/timeout (tunnel|client|server) +(\d+)(s|m)/g)) {
    assert.ok(Number(count) * (unitOf === 'm' ? 60 : 1) > 60, `timeout ${name}`)
  }
  const serving = composeNodes.filter(({ args }) => args[2] === 'serve').map(({ name }) => `${name}:4000`)
  assert.deepEqual(
    [...text.matchAll(/^ {2}server \S+ (\S+)/gm)].map(([, address]) => address),
    serving,
  )
  assert.equal(composeEnv.EDGE_BALANCER, composeNodes.at(-1)!.env.TRUSTED_PROXIES)
  const [haproxy] = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].filter((path) => existsSync(path))
  if (haproxy === undefined) return t.diagnostic('haproxy was not found: its own check was left out')
  const { status, stderr } = spawnSync(haproxy, ['-c', '-f', join(ROOT, 'deploy/compose/haproxy.cfg')])
  assert.equal(status, 0, String(stderr))
})

test('the servers of the log take their configuration', withNats, () => {
  const [mine, kubernetes] = [read('deploy/nats/nats.conf'), read('deploy/kubernetes/nats.conf')]
  assert.equal(kubernetes.replaceAll(/(nats-\d)\.nats:/g, '$1:'), mine, 'the same but for the names of the others')
  const said = String(spawnSync(NATS_SERVER!, ['--version']).stdout)
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(said) ?? []
  const isOld = Number(major) === 2 && Number(minor) < 10
  const env = { ...process.env, ...envFile(read('deploy/systemd/nats.env.example')), NATS_STORE: dir }
  for (const [name, text] of Object.entries({ mine, kubernetes })) {
    const file = join(dir, `${name}.conf`)
    // servers before 2.10 do not know it, and say so
    assert.match(text, /^ {2}sync_interval: always$/m)
    writeFileSync(file, isOld ? text.replace(/^ {2}sync_interval: always$/m, '') : text)
    const { status, stderr } = spawnSync(NATS_SERVER!, ['-t', '-c', file], { env })
    assert.equal(status, 0, `${name}: ${stderr}`)
  }
})

test('one machine needs one file of settings: neither a shared log nor a database', () => {
  const { name, args, env } = aloneNode
  assert.deepEqual(args.slice(0, 3), ['serve', '--role', 'all'])
  assert.deepEqual(
    Object.keys(env).filter((one) => !isRead(one)),
    [],
    name,
  )
  const options = readOptions(env)
  assert.equal(roleOf('all', options), 'all')
  assert.deepEqual([options.logUrls, options.databaseUrl, options.host], [null, null, '127.0.0.1'])
})

test('the units are units that systemd knows', (t) => {
  const units = ['token-intelligence@.service', 'nats-server.service']
  for (const name of units) {
    const { Service } = unit(read(`deploy/systemd/${name}`))
    const { NoNewPrivileges, ProtectSystem, Restart, RestartPreventExitStatus, LimitNOFILE, StateDirectory } = Service!
    assert.deepEqual([NoNewPrivileges, ProtectSystem, Restart], [['yes'], ['strict'], ['always']], name)
    if (name.includes('@'))
      assert.deepEqual(RestartPreventExitStatus, [`${EXIT.usage} ${EXIT.badFile} ${EXIT.otherLog}`])
    assert.ok(Number(LimitNOFILE) >= 12_000 && StateDirectory?.length === 1, name)
    // the programs themselves are not on this machine
    const text = read(`deploy/systemd/${name}`).replaceAll(/\/usr\/(local\/)?bin\/(node|nats-server)/g, '/bin/true')
    writeFileSync(join(dir, name), text)
  }
  if (!existsSync('/usr/bin/systemd-analyze'))
    return t.diagnostic('systemd-analyze was not found: its check was left out')
  const job = ['token-intelligence-interfaces.service', 'token-intelligence-interfaces.timer']
  for (const name of job)
    writeFileSync(join(dir, name), read(`deploy/systemd/${name}`).replaceAll('/usr/bin/node', '/bin/true'))
  const files = [
    'token-intelligence@serve.service',
    'token-intelligence@all.service',
    'nats-server.service',
    ...job,
  ].map((name) => join(dir, name))
  const { status, stderr } = spawnSync('/usr/bin/systemd-analyze', ['verify', '--man=no', ...files])
  assert.deepEqual([status, String(stderr)], [0, ''])
})

test('interfaces are compared once a week, by a command of the program', () => {
  const { Service } = unit(read('deploy/systemd/token-intelligence-interfaces.service'))
  const { Timer } = unit(read('deploy/systemd/token-intelligence-interfaces.timer'))
  assert.deepEqual(Timer!.OnCalendar, ['weekly'])
  const [job] = ofKind('CronJob')
  const container = at(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0)
  assert.match(String(at(job, 'spec', 'schedule')), /^\d+ \d+ \* \* \d$/)
  const words = [Service!.ExecStart![0]!.split(' ').at(-1), ...list(at(container, 'args'))]
  for (const word of words)
    assert.ok(
      DEFINITIONS.some(({ name }) => name === word),
      String(word),
    )
  assert.equal(at(container, 'securityContext', 'readOnlyRootFilesystem'), true)
})

test('kubernetes: what refers to something finds it, and probes ask the right questions', () => {
  const resources = strings(kustomization.resources).map((name) => `deploy/kubernetes/${name}`)
  const applied = manifests.map(({ path }) => path).filter((path) => !/kustomization|secrets\.example/.test(path))
  assert.deepEqual([...resources].sort(), [...new Set(applied)].sort())
  const namesOf = (kind: string): string[] => ofKind(kind).map(named)
  for (const set of ofKind('StatefulSet')) {
    const [name, pod] = [named(set), at(set, 'spec', 'template')]
    assert.ok(namesOf('Service').includes(String(at(set, 'spec', 'serviceName'))), name)
    const label = at(pod, 'metadata', 'labels', 'app')
    assert.deepEqual(at(set, 'spec', 'selector', 'matchLabels'), { app: label })
    const container = at(pod, 'spec', 'containers', 0)
    assert.equal(at(container, 'securityContext', 'readOnlyRootFilesystem'), true, name)
    assert.equal(at(pod, 'spec', 'securityContext', 'runAsNonRoot'), true, name)
    const claims = list(at(set, 'spec', 'volumeClaimTemplates')).map((claim) => at(claim, 'metadata', 'name'))
    const volumes = [...claims, ...list(at(pod, 'spec', 'volumes')).map((volume) => at(volume, 'name'))]
    assert.equal(claims.length, 1, `${name}: each has a disk of its own`)
    for (const mount of list(at(container, 'volumeMounts'))) assert.ok(volumes.includes(at(mount, 'name')!), name)
    if (!['ingest', 'serve'].includes(name)) continue
    const asks = (probe: string): string =>
      `${at(container, probe, 'httpGet', 'path')} ${at(container, probe, 'httpGet', 'port')}`
    assert.deepEqual(
      ['startupProbe', 'livenessProbe', 'readinessProbe'].map(asks),
      ['/healthz operator', '/healthz operator', name === 'serve' ? '/readyz http' : '/readyz operator'],
      name,
    )
    for (const path of ['/healthz', '/readyz']) assert.ok(sources.includes(`'${path}'`), path)
  }
  const apps = ofKind('StatefulSet').map((set) => at(set, 'spec', 'template', 'metadata', 'labels', 'app'))
  for (const budget of ofKind('PodDisruptionBudget')) {
    assert.ok(apps.includes(at(budget, 'spec', 'selector', 'matchLabels', 'app')!), named(budget))
  }
  for (const path of list(at(ofKind('Ingress')[0], 'spec', 'rules', 0, 'http', 'paths'))) {
    assert.ok(namesOf('Service').includes(String(at(path, 'backend', 'service', 'name'))))
  }
})

test('Prometheus asks the operator’s port, and the network lets nobody else reach it', () => {
  const [config] = yaml(read('deploy/compose/prometheus.yml'))
  const targets = list(at(config, 'scrape_configs', 0, 'static_configs')).flatMap((one) => strings(at(one, 'targets')))
  assert.deepEqual(
    targets,
    composeNodes.map(({ name, env }) => `${name}:${readOptions({ ...dockerEnv, ...env, ...FILLED }).operatorPort}`),
  )
  for (const set of ofKind('StatefulSet').filter((one) => ['ingest', 'serve'].includes(named(one)))) {
    const pod = at(set, 'spec', 'template')
    const ports = list(at(pod, 'spec', 'containers', 0, 'ports')).map((port) => [
      at(port, 'name'),
      at(port, 'containerPort'),
    ])
    const operator = Object.fromEntries(ports).operator
    assert.equal(String(operator), dockerEnv.OPERATOR_PORT, named(set))
    assert.equal(at(pod, 'metadata', 'annotations', 'prometheus.io/port'), String(operator), named(set))
  }
  const letIn = ofKind('NetworkPolicy').flatMap((policy) =>
    list(at(policy, 'spec', 'ingress')).flatMap((rule) =>
      list(at(rule, 'ports')).flatMap((port) =>
        list(at(rule, 'from')).map((from) => [
          at(port, 'port'),
          at(from, 'namespaceSelector', 'matchLabels', 'kubernetes.io/metadata.name'),
        ]),
      ),
    ),
  )
  assert.deepEqual(
    letIn.filter(([port]) => port === 4000 || port === 4001),
    [
      [4000, 'ingress-nginx'],
      [4001, 'monitoring'],
    ],
  )
})

test('the image holds what the program reads, and what it is built from', () => {
  const text = read('deploy/Dockerfile')
  const ignored = read('.dockerignore').split('\n')
  for (const [, from] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const path of from!.split(' ')) {
      assert.ok(existsSync(join(ROOT, path)), path)
      assert.ok(
        ignored.some((line) => line.startsWith(`!${path}/`) || `!${path}/`.startsWith(`${line}/`)),
        `${path} reaches the builder`,
      )
    }
  }
  assert.match(text, /^USER 1000:1000$/m)
  assert.match(text, /^FROM node:20-slim$/m)
  assert.match(text, /^HEALTHCHECK [\s\S]*\/healthz/m)
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  assert.match(engines.node, /^>=20\./)
})
