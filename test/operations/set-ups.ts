import { at, list, obj, read, strings, yaml } from '../conformance/guides/deploy-files.ts'
import type { NodeChoice } from '../nodes/running.ts'

/** A node as Prometheus sees it in one of the shipped set-ups. */
export interface Target {
  readonly role: NodeChoice['role']
  /** what its scrape configuration adds to each of its series */
  readonly labels: Readonly<Record<string, string>>
}

export interface SetUp {
  readonly name: 'compose' | 'kubernetes' | 'systemd'
  /** the shipped configuration of Prometheus */
  readonly config: string
  readonly targets: readonly Target[]
}

const JOB = 'token-intelligence'
const configOf = (file: string) => list(at(yaml(read(file))[0], 'scrape_configs'))
const jobOf = (file: string) => {
  const found = configOf(file).find((one) => at(one, 'job_name') === JOB)
  if (found === undefined) throw new Error(`${file} has no job ${JOB}, whose nodes the alarms ask for`)
  return found
}

function staticTargets(file: string, roleOf: (host: string) => Target['role']): Target[] {
  return list(at(jobOf(file), 'static_configs')).flatMap((group) =>
    strings(at(group, 'targets')).map((instance) => ({
      role: roleOf(instance),
      labels: { ...(obj(at(group, 'labels')) as Record<string, string>), job: JOB, instance },
    })),
  )
}

/** The pods that the shipped files start, with the labels that relabelling gives them. */
function pods(file: string): Target[] {
  const kept = list(at(jobOf(file), 'relabel_configs'))
  const named = kept.find((one) => at(one, 'target_label') === 'instance')
  if (named === undefined) throw new Error(`${file} does not name the instance`)
  return (['ingest', 'serve'] as const).flatMap((role) => {
    const set = yaml(read(`deploy/kubernetes/${role}.yaml`)).find((one) => at(one, 'kind') === 'StatefulSet')
    return Array.from({ length: Number(at(set, 'spec', 'replicas')) }, (_, i) => ({
      role,
      labels: { job: JOB, instance: `${role}-${i}` },
    }))
  })
}

const CONFIG = {
  compose: 'deploy/compose/prometheus.yml',
  kubernetes: 'deploy/prometheus/kubernetes.yml',
  systemd: 'deploy/prometheus/systemd.yml',
} as const

export const SET_UPS: readonly SetUp[] = [
  {
    name: 'compose',
    config: CONFIG.compose,
    targets: staticTargets(CONFIG.compose, (host) => (host.startsWith('ingest') ? 'ingest' : 'serve')),
  },
  { name: 'kubernetes', config: CONFIG.kubernetes, targets: pods(CONFIG.kubernetes) },
  { name: 'systemd', config: CONFIG.systemd, targets: staticTargets(CONFIG.systemd, () => 'all') },
]
