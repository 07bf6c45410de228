import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsCluster, NatsServer } from '../nats.ts'
import { eventually } from '../support/wait.ts'
import type { RunningNode } from './running.ts'

export interface Scene {
  readonly random: () => number
  readonly nats: NatsCluster
  readonly nodes: readonly RunningNode[]
}

/** Does its harm and ends it again; what it was done to. */
type Fault = (scene: Scene) => Promise<string>

const one = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

/** One server at a time: two of three hold what was acknowledged. The next one must wait until this one has caught up. */
async function withServer({ nats, random }: Scene, server: NatsServer, harm: (ms: number) => Promise<void>) {
  await harm(200 + random() * 2_500)
  await nats.settled()
  return server.url.slice(-5)
}

async function killed(scene: Scene, server: NatsServer): Promise<string> {
  return withServer(scene, server, async (ms) => {
    await server.kill()
    await sleep(ms)
    await server.start()
  })
}

/** less than what a node has written before its first fault */
const FULL_KB = 512

export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'node killed'({ nodes, random }) {
    const node = one(nodes, random)
    await node.kill()
    await sleep(random() * 500)
    await node.start()
    return node.name
  },
  'server killed': (scene) => killed(scene, one(scene.nats.servers, scene.random)),
  async 'leader killed'(scene) {
    let leader: NatsServer | null = null
    await eventually('the stream has a leader', async () => {
      leader = await scene.nats.leader()
      return leader !== null
    })
    return killed(scene, leader!)
  },
  async 'server cut off from the others'(scene) {
    // the leader too: what it is given then must not count
    const server = scene.random() < 0.5 ? await scene.nats.leader() : null
    const chosen = server ?? one(scene.nats.servers, scene.random)
    return withServer(scene, chosen, async (ms) => {
      const mend = scene.nats.partition(chosen)
      await eventually('it is alone', async () => (await scene.nats.routes(chosen)) === 0)
      await sleep(2 * ms)
      mend()
    })
  },
  async 'server frozen'(scene) {
    const server = one(scene.nats.servers, scene.random)
    return withServer(scene, server, async (ms) => {
      server.signal('SIGSTOP')
      await sleep(2 * ms)
      server.signal('SIGCONT')
    })
  },
  async 'node frozen'({ nodes, random }) {
    const node = one(nodes, random)
    node.freeze()
    await sleep(500 + random() * 3_000)
    node.thaw()
    return node.name
  },
  async 'disk of a node full'({ nodes, random }) {
    const node = one(nodes, random)
    await node.kill()
    const starting = node.start({ fileKb: FULL_KB }).catch(() => {})
    const ended = await Promise.race([starting.then(() => node.ended()), sleep(6_000)])
    await node.kill()
    await starting
    await node.start()
    return `${node.name} ${ended ? `ended with ${ended.code}` : 'went on, it had nothing to write'}`
  },
}
