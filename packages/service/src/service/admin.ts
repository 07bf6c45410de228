import { rmSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { KEY_DAYS } from '@ti/core/contract/account.ts'
import { z } from 'zod'
import type { Accounts } from '../access/accounts/accounts.ts'
import { KEY_COUNTS } from '../access/accounts/accounts.ts'
import type { KeyInfo } from '../access/accounts/key-info.ts'
import type { Keys } from '../access/keys.ts'
import { boundedText, parseJson } from '../base/bounded-text.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { type DataDirLock, holdDataDir } from '../base/lock.ts'
import type { Logger } from '../base/log.ts'
import { ACCOUNT_BODY_BYTES } from '../faces/http/account-request.ts'

/** milliseconds the command line waits for the running service */
const ADMIN_TIMEOUT_MS = 15_000

/**
 * The operator's commands. Only one process can open the embedded database, so a running service carries the commands out
 * itself. It takes them on a socket in the data directory that only its own user can open.
 */
export const ADMIN_SOCKET = 'admin.sock'

const Days = z.int().min(1).max(KEY_DAYS)
export const AdminCommand = z.discriminatedUnion('command', [
  z.strictObject({
    command: z.literal('create'),
    name: z.string(),
    days: Days.nullable(),
    /** a key of the operator that gets another one beside it, of the same account */
    beside: z.string().optional(),
  }),
  z.strictObject({ command: z.literal('list') }),
  z.strictObject({ command: z.literal('revoke'), id: z.string() }),
])
export type AdminCommand = z.infer<typeof AdminCommand>

const Info = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['live', 'revoked', 'expired']),
  createdAt: z.coerce.date(),
  expiresAt: z.coerce.date().nullable(),
  revokedAt: z.coerce.date().nullable(),
  calls: z.number(),
  lastUsedAt: z.coerce.date().nullable(),
}) satisfies z.ZodType<KeyInfo>

/** `keys` are those that the command concerns. `key` is the new key of `create`, which is shown once. */
const AdminAnswer = z.union([
  z.object({ ok: z.literal(true), keys: z.array(Info), key: z.string().nullable() }),
  z.object({ ok: z.literal(false), message: z.string() }),
])
export type AdminAnswer = z.infer<typeof AdminAnswer>

type Admin = (command: AdminCommand) => Promise<AdminAnswer>

interface AdminOptions {
  readonly accounts: Accounts
  /** The running service's keys, which have to reread the database after a change. */
  readonly keys: Pick<Keys, 'refresh'> | null
  /** milliseconds */
  readonly now: () => number
}

const DAY_MS = 86_400_000

/** Each key that it creates is on Pro and has an account of its own, unless it is made beside another. It can revoke every key. */
export function createAdmin({ accounts, keys, now }: AdminOptions): Admin {
  async function carryOut(command: AdminCommand): Promise<AdminAnswer> {
    if (command.command === 'revoke') {
      const revoked = await accounts.revokeKey(null, command.id)
      if (revoked === null) return { ok: false, message: `there is no key with the id ${JSON.stringify(command.id)}` }
      return { ok: true, keys: [revoked], key: null }
    }
    if (command.command === 'list') return { ok: true, keys: await accounts.keysOf(null), key: null }
    const { beside } = command
    const account = beside === undefined ? await accounts.ofOperator() : await accounts.ofOperatorKey(beside)
    if (account === null) return { ok: false, message: `the operator has no key with the id ${JSON.stringify(beside)}` }
    const expiresAt = command.days === null ? null : new Date(now() + command.days * DAY_MS)
    const made = await accounts.createKey(account.id, { name: command.name, expiresAt })
    return made.ok ? { ok: true, keys: [made.info], key: made.key } : made
  }

  return async (command) => {
    const answer = await carryOut(command)
    if (command.command !== 'list') await keys?.refresh()
    return answer
  }
}

interface AdminSocket {
  close(): Promise<void>
}

/** The length of a socket's path in bytes on the strictest system: macOS has 104 with the closing zero. */
const SOCKET_PATH_BYTES_MAX = 103

/** Listens in the data directory, whose lock the caller holds, so a socket that is already there belongs to a dead process. */
export async function startAdmin(options: { dataDir: string; admin: Admin; logger: Logger }): Promise<AdminSocket> {
  const { dataDir, admin, logger } = options
  const path = resolve(join(dataDir, ADMIN_SOCKET))
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    logger.warn({ path }, 'this path is too long for a socket: `keys` will not work while the service runs')
    return { close: async () => {} }
  }
  const server = createServer({ requestTimeout: ADMIN_TIMEOUT_MS }, (request, response) => {
    answer(request, response, admin).catch((error: unknown) => {
      logger.error({ err: error }, 'administration failed')
      if (response.headersSent) response.destroy()
      else reply(response, { ok: false, message: 'internal error: see the log of the service' })
    })
  })
  rmSync(path, { force: true })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    // The socket is bound within the call, so the umask gives it its final mode 0600 from the start.
    const mask = process.umask(0o177)
    try {
      server.listen(path, done)
    } finally {
      process.umask(mask)
    }
  })
  return {
    // Closing the server also removes the socket's name.
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, admin: Admin): Promise<void> {
  const body = await boundedText(request, ACCOUNT_BODY_BYTES)
  const command = AdminCommand.safeParse(parseJson(body ?? ''))
  reply(response, command.success ? await admin(command.data) : { ok: false, message: z.prettifyError(command.error) })
}

function reply(response: ServerResponse, value: AdminAnswer): void {
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(value))
}

/** bytes of an answer: as many keys as there may be, with long names */
const ANSWER_BYTES = (KEY_COUNTS.ofOperator + KEY_COUNTS.deadPerAccount) * 2_048

/** Asks the running service. Returns null if no service listens. */
function ask(dataDir: string, command: AdminCommand): Promise<AdminAnswer | null> {
  const socketPath = resolve(join(dataDir, ADMIN_SOCKET))
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX) return Promise.resolve(null)
  return new Promise((done, failed) => {
    const wrong = (why: string, cause?: unknown): void =>
      failed(new OperatorError(`the service at ${socketPath} ${why}`, { cause }))
    const timeout = ADMIN_TIMEOUT_MS
    const sent = httpRequest({ socketPath, method: 'POST', path: '/', agent: false, timeout }, async (response) => {
      try {
        const parsed = AdminAnswer.safeParse(parseJson((await boundedText(response, ANSWER_BYTES)) ?? ''))
        if (parsed.success) done(parsed.data)
        else wrong('answered something else')
      } catch (error) {
        wrong('broke off its answer: it may or may not have done it', error)
      }
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')) done(null)
      else if (error.code === 'EACCES') wrong('belongs to another user: run this as the user of the service', error)
      else wrong(`does not answer (${error.message})`, error)
    })
    sent.end(JSON.stringify(command))
  })
}

interface AdminPlace {
  readonly dataDir: string
  /** Null for the embedded database. */
  readonly databaseUrl: string | null
  /** prefix of keys that are made directly in the database; left out: that of real money */
  readonly prefix?: string
}

/** Carries out a command in the running service, or directly in the database if no service is running. */
export async function administer(place: AdminPlace, command: AdminCommand): Promise<AdminAnswer> {
  const { dataDir, databaseUrl, prefix } = place
  const asked = databaseUrl === null ? await ask(dataDir, command) : null
  if (asked !== null) return asked
  const lock = databaseUrl === null ? await lockForAdmin(dataDir) : null
  try {
    // The database is only loaded if no service answers.
    const { openDatabase } = await import('../access/sql/database.ts')
    const { createAccounts } = await import('../access/accounts/accounts.ts')
    const database = await openDatabase({ dataDir, url: databaseUrl })
    try {
      const accounts = createAccounts(database, { now: Date.now, ...(prefix === undefined ? {} : { prefix }) })
      return await createAdmin({ accounts, keys: null, now: Date.now })(command)
    } finally {
      await database.close()
    }
  } finally {
    await lock?.release()
  }
}

async function lockForAdmin(dataDir: string): Promise<DataDirLock> {
  try {
    return await holdDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exitCode !== EXIT.dataDirBusy) throw error
    const hint = `a running service takes this command once it listens on ${join(dataDir, ADMIN_SOCKET)}: try again`
    throw new OperatorError(`${error.message}\n${hint}`, { exitCode: EXIT.dataDirBusy, cause: error })
  }
}
