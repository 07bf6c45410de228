import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { stateFile } from '@ti/service/store/open.ts'
import { Client } from 'pg'
import type { RunningNode } from '../nodes/running.ts'
import type { Postgres } from '../postgres.mjs'
import { eventually } from '../support/wait.ts'
import type { Ground } from './cluster.ts'

/** What stands while faults come. */
export interface Scene {
  readonly ground: Ground
  readonly postgres: Postgres
  readonly ingest: RunningNode
  readonly serve: RunningNode
  /** the file that tells the serving node's clock how far it is off */
  readonly clock: string
  /** asks the serving node for the newest tokens, and for trades of such, so that it reads its state */
  mints(): Promise<readonly string[]>
  readTrades(of: readonly string[]): Promise<unknown>
}

/** A fault of the table in docs/monitoring.md, done to running programs. */
export interface Fault {
  /** as the table calls it */
  readonly name: string
  /** the alarm that names it, and others that are right to fire while it lasts */
  readonly alarm: string
  readonly also: readonly string[]
  /** what the details of `/readyz` say, and of which node */
  readonly of: 'ingest' | 'serve'
  readonly says: RegExp
  /** a line of that node's log */
  readonly logs: RegExp
  readonly begin: (scene: Scene) => unknown
  readonly end: (scene: Scene) => unknown
}

/** what follows when nothing new arrives for as long as a fault lasts here */
const NOTHING_NEW = ['NothingNew', 'Lagging', 'NodeNotReady', 'NobodyAnswers', 'ManyUnavailable'] as const

async function onPostgres({ postgres }: Scene, statement: string): Promise<void> {
  const client = new Client(postgres.url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** ends what is open, because a session keeps the default it began with */
const OTHERS =
  'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null'

const MB = 1 << 20

/** Takes all the room of the disk that a node's directory is on. */
function fill(dir: string): void {
  const file = openSync(join(dir, '..', 'filler'), 'w')
  try {
    for (let chunk = 16 * MB; chunk >= 4096; ) {
      const { bavail, bsize } = statfsSync(dir)
      if (bavail * bsize < chunk) chunk >>= 1
      else writeSync(file, Buffer.alloc(chunk))
    }
  } catch {
    // it is full
  } finally {
    closeSync(file)
  }
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'source lost',
    alarm: 'SourceLost',
    also: [...NOTHING_NEW, 'SourceFewer', 'SourceFilling'],
    of: 'ingest',
    says: /"connected":0/,
    logs: /no endpoint of the source delivers.*no new blocks arrive/,
    begin: ({ ground }) => ground.chainWay.freeze(),
    end: ({ ground }) => ground.chainWay.thaw(),
  },
  {
    name: 'database away',
    alarm: 'AccountsCannotBeRead',
    also: ['AccountsTakeNoChanges', 'DepositsCannotBeRead', 'ManyUnavailable'],
    of: 'serve',
    says: /"answering":false.*"writable":false/,
    logs: /keys cannot be read/,
    begin: ({ postgres }) => postgres.kill(),
    end: ({ postgres }) => postgres.start(),
  },
  {
    name: 'database read-only',
    alarm: 'AccountsTakeNoChanges',
    also: ['AccountsCannotBeRead', 'DepositsCannotBeRead'],
    of: 'serve',
    says: /"accounts":\{"answering":true.*"writable":false.*"reason":"the ledger takes no changes/,
    logs: /takes no changes: payments and changes of accounts are refused/,
    async begin(scene) {
      await onPostgres(scene, 'alter role current_user set default_transaction_read_only = on')
      await onPostgres(scene, OTHERS)
    },
    async end(scene) {
      await onPostgres(
        scene,
        'set transaction_read_only = off; alter role current_user reset default_transaction_read_only',
      )
      await onPostgres(scene, OTHERS)
    },
  },
  {
    name: 'disk full',
    alarm: 'DiskFull',
    also: ['DiskAlmostFull', 'DiskFullSoon', 'NodeBehindTheOthers', 'LogPending', ...NOTHING_NEW],
    of: 'serve',
    says: /"disk":\{"free_bytes":\d+,"bytes":\d+,"problem":"the disk of .* is full/,
    logs: /the disk is full: nothing more is folded/,
    begin: ({ serve }) => fill(serve.dataDir),
    end: ({ serve }) => rmSync(join(serve.dataDir, '..', 'filler')),
  },
  {
    name: 'log servers away',
    alarm: 'LogAway',
    also: [...NOTHING_NEW, 'LogTakesNothing', 'LogPending', 'SourceFilling'],
    of: 'serve',
    says: /"log_problem":"the servers of the shared log do not answer"/,
    logs: /the servers of the shared log do not answer.*no new blocks arrive/,
    begin: ({ ground }) => Promise.all(ground.nats.servers.map((server) => server.kill())),
    end: ({ ground }) => Promise.all(ground.nats.servers.map((server) => server.start())),
  },
  {
    name: 'damaged state',
    alarm: 'StateFoldedAgain',
    also: ['NodeNotReady', 'NobodyAnswers', 'NodeBehindTheOthers', 'LogPending', 'ManyUnavailable'],
    of: 'serve',
    says: /"state_set_aside":"20/,
    logs: /the state was found damaged|set aside and folded again/,
    async begin({ serve, mints, readTrades }) {
      const known = await mints()
      // as a failing disk would: what is on it is not what was written
      const other = new DatabaseSync(stateFile(serve.dataDir))
      other.exec('pragma busy_timeout = 10000; update trades set sum = sum + 1')
      other.close()
      // an answer that is known reads nothing until the next block
      await eventually('somebody has read it', async () => {
        await readTrades(known)
        return /found damaged/.test(serve.said())
      })
    },
    // it mends itself; the alarm says for an hour that it did
    end: () => {},
  },
  {
    name: 'clock jump',
    alarm: 'ClockJumped',
    also: [...NOTHING_NEW, 'StateFoldedAgain', 'ProgramUpgraded'],
    of: 'serve',
    says: /"clock_jumped":\{"seconds":7200,/,
    logs: /the clock of this machine jumped by 7200 s/,
    begin: ({ clock }) => writeFileSync(clock, '+7200\n'),
    end: ({ clock }) => writeFileSync(clock, '+0\n'),
  },
]

/** A small disk of its own for a node, or why there is none. */
export function mountSmallDisk(dir: string): (() => void) | string {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', dir], { encoding: 'utf8' })
  if (status !== 0) return `no small disk can be mounted: ${stderr.trim()}`
  return () => void spawnSync('umount', ['-l', dir])
}
