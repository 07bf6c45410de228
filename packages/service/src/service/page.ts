import { fileURLToPath } from 'node:url'
import { createSignIn } from '../access/accounts/sign-in.ts'
import { createPageAccess, type PageAccess, type Trial } from '../access/page-access.ts'
import type { Database } from '../access/sql/database.ts'
import { sharedSecret } from '../access/sql/shared-secret.ts'
import { createTrialRows } from '../access/sql/trial-rows.ts'
import { TRIALS } from '../access/trials.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Options } from '../config/options.ts'
import type { Vitals } from '../faces/web/face.ts'
import { readWebFiles, WEB_DIR, type WebFiles } from '../faces/web/files.ts'
import type { Access } from './access.ts'
import type { State } from './state.ts'

/** Opens the built page. Null means it was not built. */
export const openWebFiles = (): Promise<WebFiles | null> => readWebFiles(fileURLToPath(WEB_DIR))

type Needed = Pick<Access, 'windows' | 'clientAddress' | 'account'>

/** Visitors' cookies are signed with a secret in the database, so that every node accepts the cookies of the others. */
export async function openPageAccess(options: Options, database: Database, access: Needed): Promise<PageAccess> {
  const { accounts, now } = access.account
  const quick = { sql: database.quick }
  return createPageAccess({
    mode: options.webAccess,
    publicUrl: options.publicUrl,
    secret: await sharedSecret(database, 'page'),
    signIn: createSignIn(quick, { accounts, publicUrl: options.publicUrl, now }),
    planOf: accounts.planOf,
    trialOf: trialReader(quick, now),
    windows: access.windows,
    clientAddress: access.clientAddress,
    now,
  })
}

/**
 * Reads the trial from the database, which lacks the use of open sockets since the last count (TRIALS.writeMs). Null
 * if the database does not answer. `untilMs`: when some of what is used is free again.
 */
function trialReader(database: Pick<Database, 'sql'>, now: () => number): (account: string) => Promise<Trial | null> {
  const rows = createTrialRows(database)
  const { ms, windowMs, spanMs } = TRIALS
  return async (account) => {
    const used = await rows.read([account], now() - windowMs - spanMs).catch(() => null)
    if (used === null) return null
    const usedMs = used.reduce((sum, span) => sum + span.usedMs, 0)
    const firstMs = Math.min(now(), ...used.map(({ startMs }) => startMs + spanMs))
    return { leftMs: Math.max(0, ms - usedMs), untilMs: firstMs + windowMs }
  }
}

/** The figures of this process on the status page. */
export function vitalsOf(state: State['vitals'], sockets: () => number): () => Vitals {
  const memory = residentBytes()
  return () => ({
    ...state(),
    sockets: sockets(),
    memoryBytes: memory(),
    uptimeS: Math.floor(process.uptime()),
  })
}

/** The kernel reports memory in a file. If no descriptor is free for it, the last figure stays. */
function residentBytes(): () => number {
  let last = 0
  return () => {
    try {
      last = process.memoryUsage.rss()
    } catch (error) {
      processTroubles.note('memory figures', error)
    }
    return last
  }
}
