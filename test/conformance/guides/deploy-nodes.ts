import assert from 'node:assert/strict'
import {
  at,
  deployFiles,
  envFile,
  interpolated,
  list,
  type Obj,
  obj,
  read,
  strings,
  unit,
  yaml,
} from './deploy-files.ts'

/** The nodes that the files under `deploy` start, and what stands around them. */
export const compose = obj(yaml(read('deploy/compose/compose.yaml'))[0])
export const services = Object.entries(obj(compose.services)) as [string, Obj][]
export const composeEnv = envFile(read('deploy/compose/.env.example'))
export const dockerEnv = Object.fromEntries(
  [...read('deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line]) =>
    line!.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
)

/** One node as the files make it: what it is called, what it is started with, its variables. */
export interface DeployedNode {
  readonly name: string
  readonly args: string[]
  readonly env: Record<string, string>
}

/** What an operator has to fill in. */
export const FILLED = { DATABASE_URL: 'postgres://ti:secret@postgres/ti' }

export const composeNodes: DeployedNode[] = services
  .filter(([, service]) => String(service.image).startsWith('token-intelligence:'))
  .map(([name, service]) => {
    const files = strings(service.env_file).map((file) => envFile(read(`deploy/compose/${file}.example`)))
    const own = Object.entries(obj(service.environment)).map(([key, value]) => [
      key,
      interpolated(String(value), composeEnv),
    ])
    return { name, args: strings(service.command), env: Object.assign({}, ...files, Object.fromEntries(own)) }
  })

export const manifests = deployFiles
  .filter((path) => path.startsWith('deploy/kubernetes/') && path.endsWith('.yaml'))
  .flatMap((path) => yaml(read(path)).map((value) => ({ path, value: obj(value) })))
export const ofKind = (kind: string): Obj[] =>
  manifests.map(({ value }) => value).filter((value) => value.kind === kind)
export const named = (value: Obj): string => String(at(value, 'metadata', 'name'))
export const kustomization = ofKind('Kustomization')[0]!
const configMaps = new Map(
  list(kustomization.configMapGenerator).map((map) => [String(at(map, 'name')), strings(at(map, 'literals'))] as const),
)

export const kubernetesNodes: DeployedNode[] = ofKind('StatefulSet')
  .filter((set) => ['ingest', 'serve'].includes(named(set)))
  .map((set) => {
    const container = at(set, 'spec', 'template', 'spec', 'containers', 0)
    const given = list(at(container, 'envFrom')).map((from) => {
      const map = at(from, 'configMapRef', 'name')
      if (map !== undefined) return envFile(configMaps.get(String(map))!.join('\n'))
      const secret = ofKind('Secret').find((one) => named(one) === at(from, 'secretRef', 'name'))
      assert.ok(secret, `${named(set)}: there is a template of its secret`)
      return obj(secret.stringData)
    })
    const own = list(at(container, 'env')).map((one) => [at(one, 'name'), at(one, 'value')])
    const env = Object.assign({}, ...given, Object.fromEntries(own))
    return { name: named(set), args: strings(at(container, 'args')), env }
  })

/** A node of the unit, with the env files that are there for its role. */
function systemdNode(role: string, skipped: readonly string[] = []): DeployedNode {
  const { Service } = unit(read('deploy/systemd/token-intelligence@.service'))
  const paths = Service!.EnvironmentFile!.map((path) => path.replace(/^-/, ''))
  const files = paths
    .filter((path) => !skipped.includes(path))
    .map((path) => {
      const file = path.replace('%i', role).replace('/etc/token-intelligence/', 'deploy/systemd/')
      return envFile(read(`${file}.example`))
    })
  const [start] = Service!.ExecStart!
  const args = start!.replace('/usr/bin/node node_modules/@ti/service/dist/main.js ', '').replace('%i', role).split(' ')
  return { name: `token-intelligence@${role}`, args, env: Object.assign({}, ...files) }
}

export const systemdNodes = [systemdNode('ingest'), systemdNode('serve')]
/** One machine without a cluster. */
export const aloneNode = systemdNode('all', ['/etc/token-intelligence/common.env'])
