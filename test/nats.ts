import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdPorts } from './ports.mjs'
import { eventually } from './support/wait.ts'

const CANDIDATES = [
  process.env.NATS_SERVER,
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
]

/** The server of the machine; null where none was found. */
export const NATS_SERVER: string | null = CANDIDATES.find((path) => path !== undefined && existsSync(path)) ?? null

export const withNats = {
  skip: NATS_SERVER === null && 'nats-server was not found: install it, or set NATS_SERVER to its path',
  timeout: 300_000,
} as const

export interface NatsServer {
  readonly url: string
  readonly running: boolean
  /** of its process; null while it does not run */
  readonly pid: number | null
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  start(): Promise<void>
  restart(): Promise<void>
  /** as after a loss of its disk: starts with nothing, or with a copy of it from before */
  replaceDisk(copy?: string): Promise<void>
  /** copies its disk while it does not run */
  copyDisk(to: string): void
  /** the end of what it has written since its start */
  said(): string
}

export interface NatsCluster {
  readonly servers: readonly NatsServer[]
  /** all of them, as LOG_URL takes them */
  readonly url: string
  /** once every server that runs has the whole of every stream again */
  settled(): Promise<void>
  /** the server that leads the log's stream; null while there is none */
  leader(): Promise<NatsServer | null>
  /** bytes that a server may store from its next start on */
  allow(storeBytes: number): void
  /** cuts what one server has to do with the others, not what clients have to do with it; the answer ends that */
  partition(server: NatsServer): () => void
  /** ways between a server and the others that are open */
  routes(server: NatsServer): Promise<number>
  /** clients that are connected to a server */
  clients(server: NatsServer): Promise<number>
}

export interface NatsChoice {
  readonly login?: { readonly user: string; readonly password: string }
  /** what a server may store; left out: as much as there is */
  readonly storeBytes?: number
}

/** Real servers on this machine with streams on disk, until the test ends. */
export async function startNats(
  t: { after(end: () => unknown): void },
  count: number,
  { login, storeBytes }: NatsChoice = {},
): Promise<NatsCluster> {
  if (NATS_SERVER === null) throw new Error(String(withNats.skip))
  const dir = mkdtempSync(join(tmpdir(), 'nats-'))
  const { ports, release } = await holdPorts(3 * count)
  const [clients, routes, monitors] = [0, 1, 2].map((i) => ports.slice(i * count, (i + 1) * count)) as Triple<number[]>
  const links = await openLinks(routes)
  await release()
  const writeConfig = (i: number, most: number | undefined): string => {
    const home = join(dir, `${i}`)
    mkdirSync(home, { recursive: true })
    const cluster = `cluster {
  name: test
  listen: "127.0.0.1:${routes[i]}"
  advertise: "127.0.0.1:${links.told(i)}"
  routes: ${JSON.stringify(links.from(i).map((link) => `nats-route://127.0.0.1:${link}`))}
}`
    const config = `server_name: n${i}
listen: "127.0.0.1:${clients[i]}"
http: "127.0.0.1:${monitors[i]}"
jetstream ${JSON.stringify({ store_dir: join(home, 'js'), ...(most !== undefined && { max_file_store: most }) })}
${count === 1 ? '' : cluster}
${login === undefined ? '' : `authorization ${JSON.stringify(login)}`}
`
    const path = join(home, 'server.conf')
    writeFileSync(path, config)
    return path
  }
  const servers = clients.map((port, i) =>
    createServerOf(writeConfig(i, storeBytes), `nats://127.0.0.1:${port}`, join(dir, `${i}`, 'js')),
  )
  t.after(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await links.close()
    rmSync(dir, { recursive: true, force: true })
  })
  await Promise.all(servers.map((server) => server.start()))
  const urls = monitors.map((port) => `http://127.0.0.1:${port}`)
  const told = async (server: NatsServer, what: string) =>
    (await (await fetch(`${urls[servers.indexOf(server)]}/${what}`)).json()) as Partial<Record<string, number>>
  return {
    servers,
    url: servers.map(({ url }) => url).join(','),
    settled: () => settled(servers, urls),
    async leader() {
      const name = await leaderOf(urls)
      return name === null ? null : servers[Number(name.slice(1))]!
    },
    allow(bytes) {
      for (const i of servers.keys()) writeConfig(i, bytes)
    },
    partition: (server) => links.cut(servers.indexOf(server)),
    routes: async (server) => (await told(server, 'routez')).num_routes!,
    clients: async (server) => (await told(server, 'connz')).num_connections!,
  }
}

type Triple<T> = [T, T, T]

/** What one server has of a stream, and how it sees the others. */
interface Standing {
  readonly name: string
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly { readonly current: boolean }[] }
  readonly state: { readonly last_seq: number }
}

/** Every stream as the server behind `monitor` sees it; none where it does not answer. */
async function standingsOf(monitor: string): Promise<readonly Standing[]> {
  const answer = await fetch(`${monitor}/jsz?streams=true`).catch(() => null)
  if (answer === null) return []
  const told = (await answer.json()) as { account_details?: { stream_detail?: Standing[] }[] }
  return (told.account_details ?? []).flatMap((account) => account.stream_detail ?? [])
}

/** As the first server says that knows one. */
async function leaderOf(monitors: readonly string[]): Promise<string | null> {
  for (const monitor of monitors) {
    const log = (await standingsOf(monitor)).find(({ name }) => name === 'ti-log')
    if (log?.cluster?.leader) return log.cluster.leader
  }
  return null
}

/**
 * Relays between the servers' routes, so that the ways of one can be cut: one for each way from a server to another, and one
 * to each server that servers tell each other of. Nobody can say who comes through the latter, so they close with every cut.
 */
async function openLinks(routes: readonly number[]) {
  const cut = new Set<number>()
  const open = new Map<Socket, Way>()
  const isCut = ({ from, to }: Way): boolean => cut.size > 0 && (from === null || cut.has(from) || cut.has(to))

  function relay(way: Way, near: Socket): void {
    if (isCut(way)) return void near.destroy()
    const far = connect(routes[way.to]!, '127.0.0.1')
    join(near, far)
    join(far, near)
    function join(one: Socket, other: Socket): void {
      open.set(one, way)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }

  const ways = routes.flatMap((_, to) =>
    [null, ...routes.keys()].filter((from) => from !== to).map((from): Way => ({ from, to })),
  )
  const relays = await Promise.all(
    ways.map(async (way) => {
      const server = createServer((near) => relay(way, near))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return { ...way, server, port: (server.address() as { port: number }).port }
    }),
  )
  return {
    from: (server: number) => relays.filter(({ from }) => from === server).map(({ port }) => port),
    told: (server: number) => relays.find(({ from, to }) => from === null && to === server)!.port,
    cut(server: number) {
      cut.add(server)
      for (const [socket, way] of open) if (isCut(way)) socket.destroy()
      return () => void cut.delete(server)
    },
    async close() {
      for (const socket of open.keys()) socket.destroy()
      await Promise.all(relays.map(({ server }) => new Promise((done) => server.close(done))))
    },
  }
}

interface Way {
  /** null: whoever was told of it */
  readonly from: number | null
  readonly to: number
}

/**
 * A server that has just come back is none to rely on until it has caught up: another one lost then would lose both. By its own
 * word it has at once, because it does not know yet what it missed; so each is held against what any of them had before.
 * One that does not get on is helped, as by whoever watches it.
 */
async function settled(servers: readonly NatsServer[], monitors: readonly string[]): Promise<void> {
  let lacks: readonly Lack[] = []
  const seen = () => lacks.map(({ what }) => what).join(', ')
  const until = (what: string, look: () => Promise<readonly Lack[]>, deadlineMs?: number): Promise<void> =>
    eventually(
      what,
      async () => {
        lacks = await look()
        return lacks.length === 0
      },
      { seen, ...(deadlineMs !== undefined && { deadlineMs }) },
    )
  await until('the servers are well', () => unwell(monitors))
  const ends = new Map<string, number>()
  for (const { name, state } of (await Promise.all(monitors.map(standingsOf))).flat()) {
    ends.set(name, Math.max(ends.get(name) ?? 0, state.last_seq))
  }
  const behind = async (): Promise<readonly Lack[]> => {
    const standings = await Promise.all(monitors.map(standingsOf))
    return [...ends].flatMap(([name, end]) => lacking(standings, name, end))
  }
  const whole = async (): Promise<readonly Lack[]> => [...(await unwell(monitors)), ...(await behind())]
  const isStuck = () =>
    until('the servers have caught up', whole, STUCK_MS).then(
      () => false,
      () => true,
    )
  for (const remedy of REMEDIES) {
    if (!(await isStuck())) return
    console.error(`${seen()}: ${remedy}`)
    const stuck = new Set(lacks.flatMap(({ on }) => (on === null ? [] : [servers[on]!])))
    // never of two at once: what is acknowledged is on two of three
    if (remedy === 'replaceDisk' && stuck.size > 1) break
    for (const server of stuck) await (remedy === 'restart' ? server.restart() : server.replaceDisk())
  }
  await until('the servers have caught up', whole).catch((error) => {
    for (const server of servers) console.error(server.url, server.said())
    throw error
  })
}

/**
 * What an operator does with a server that does not catch up, the second where the first did not help: nats-server 2.9.10 can leave one
 * behind for good that was frozen or cut off, whatever is started again and whoever leads.
 */
const REMEDIES = ['restart', 'replaceDisk'] as const

/** milliseconds in which a server that is well has everything: it lacks what came in some seconds */
const STUCK_MS = 15_000

/** What keeps the servers from being as they should, and on which of them. */
interface Lack {
  readonly what: string
  readonly on: number | null
}

async function unwell(monitors: readonly string[]): Promise<readonly Lack[]> {
  const answers = await Promise.all(monitors.map((monitor) => fetch(`${monitor}/healthz`).catch(() => null)))
  return answers.flatMap((answer, i) => (answer?.ok === true ? [] : [{ what: `n${i} is not well`, on: i }]))
}

/** What keeps a stream from being whole on every server, servers in the order of their names. */
function lacking(servers: readonly (readonly Standing[])[], name: string, end: number): readonly Lack[] {
  const standings = servers.map((streams) => streams.find((stream) => stream.name === name))
  const behind = standings.flatMap((standing, i) => {
    const last = standing?.state.last_seq ?? 0
    return last < end ? [{ what: `${name} ends at ${last} of ${end} on n${i}`, on: i }] : []
  })
  const leaders = new Set(standings.map((standing) => standing?.cluster?.leader ?? ''))
  const [leader = ''] = leaders
  // one server alone names none
  const isLed = leaders.size === 1 && (leader !== '' || servers.length === 1)
  const led = isLed ? [] : [{ what: `${name} is led by "${[...leaders].join('" and "')}"`, on: null }]
  const leading = standings.find((_, i) => leader === `n${i}`)?.cluster?.replicas ?? []
  const waits = leading.some(({ current }) => !current)
    ? [{ what: `${name}: ${leader} waits for another`, on: null }]
    : []
  return [...behind, ...led, ...waits]
}

function createServerOf(config: string, url: string, store: string): NatsServer {
  let child: ChildProcess | null = null
  let said = ''
  const server: NatsServer = {
    url,
    said: () => said,
    get running() {
      return child !== null
    },
    get pid() {
      return child?.pid ?? null
    },
    async restart() {
      await server.kill()
      await server.start()
    },
    async replaceDisk(copy) {
      await server.kill()
      rmSync(store, { recursive: true, force: true })
      if (copy !== undefined) cpSync(copy, store, { recursive: true })
      await server.start()
    },
    copyDisk: (to) => cpSync(store, to, { recursive: true }),
    async start() {
      const started = spawn(NATS_SERVER!, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
      child = started
      said = ''
      let isUp = false
      await new Promise<void>((up, fail) => {
        started.stderr!.on('data', (chunk) => {
          said = (said + chunk).slice(-10_000)
          if (!isUp && said.includes('Server is ready')) {
            isUp = true
            up()
          }
        })
        started.once('exit', (code) => {
          if (child === started) child = null
          fail(new Error(`nats-server ended with ${code}: ${said}`))
        })
      })
    },
    signal: (signal) => void child?.kill(signal),
    async kill() {
      const running = child
      if (running === null) return
      const gone = new Promise((done) => running.once('exit', done))
      running.kill('SIGKILL')
      await gone
      await sleep(0)
    },
  }
  return server
}
