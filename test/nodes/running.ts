import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openStore } from '@ti/service/store/open.ts'
import type { NatsCluster } from '../nats.ts'
import { operatorOf, type Started, type StartOptions, startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'

/** A node of a test: a process of its own on a data directory of its own, killed and started again. */
export interface RunningNode {
  readonly name: string
  readonly dataDir: string
  /** newest slot it serves, -1 while it does not answer */
  slot(): Promise<number>
  /** null while it does not listen */
  url(): string | null
  start(options?: StartOptions): Promise<void>
  kill(): Promise<void>
  /** ends it as an operator does; its exit code */
  stop(): Promise<number | null>
  /** the end of its log */
  said(): string
  /** a Pro key, made by its operator; null where it has one already */
  key(): Promise<string | null>
  /** stops it where it is, and lets it go on */
  freeze(): void
  thaw(): void
  /** its end, by itself or not */
  ended(): Started['exit']
  /** what it said when it ended by itself; null while it did not */
  lastWords(): string | null
}

export interface NodeChoice {
  readonly dir: string
  readonly name: string
  readonly role: 'all' | 'ingest' | 'serve'
  readonly nats: NatsCluster
  /** of what it brings; a node that only serves takes none */
  readonly source: string
  readonly env?: Readonly<Record<string, string>>
}

/** milliseconds a node may live: as long as the longest test */
const LIFE_MS = 600_000

export function createNode({ dir, name, role, nats, source, env = {} }: NodeChoice): RunningNode {
  const dataDir = join(dir, name)
  let started: Started | null = null
  let listening: string | null = null
  let lastWords: string | null = null
  return {
    name,
    dataDir,
    url: () => listening,
    async slot() {
      if (listening === null) return -1
      const answer = await fetch(`${operatorOf(listening)}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      )
      return answer === null ? -1 : ((await answer.json()) as { slot: number }).slot
    },
    async start(options) {
      const own = { DATA_DIR: dataDir, LOG_URL: nats.url, SOURCE: source, OBSERVE: 'off', ...env }
      started = startService(own, ['serve', '--role', role], { patienceMs: LIFE_MS, ...options })
      lastWords = null
      void started.exit.then(({ code, stderr }) => {
        if (code !== null) lastWords = `ended with ${code}: ${stderr}`
      })
      listening = await started.url
    },
    lastWords: () => lastWords,
    said: () => started?.said() ?? '',
    key: () => started!.key,
    async kill() {
      listening = null
      started?.child.kill('SIGKILL')
      await started?.exit
      started = null
    },
    async stop() {
      listening = null
      const ending = started
      started = null
      ending?.child.kill('SIGTERM')
      return (await ending?.exit)?.code ?? null
    },
    freeze: () => void started?.child.kill('SIGSTOP'),
    thaw: () => void started?.child.kill('SIGCONT'),
    ended: () => started!.exit,
  }
}

/** Waits until all of them have folded up to slot `last`. */
export async function untilAllAt(nodes: readonly RunningNode[], last: number): Promise<void> {
  for (const node of nodes) {
    let at = -1
    await eventually(
      `${node.name} has folded everything`,
      async () => {
        at = await node.slot()
        const words = node.lastWords()
        if (words !== null) throw new Error(`${node.name} ${words}`)
        return at === last
      },
      { deadlineMs: 120_000, seen: () => `slot ${at} of ${last}` },
    )
  }
}

/** Kills them and compares what they have on disk. */
export async function assertAlike(nodes: readonly RunningNode[], hash: string): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()))
  for (const node of nodes) assert.equal(await hashOf(node), hash, node.name)
}

async function hashOf({ dataDir }: RunningNode): Promise<string> {
  const store = openStore(dataDir)
  try {
    return store.stateHash()
  } finally {
    await store.close()
  }
}
