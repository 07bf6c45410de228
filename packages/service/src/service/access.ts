import type { IncomingMessage } from 'node:http'
import { type Accounts, createAccounts } from '../access/accounts/accounts.ts'
import { createDepositSource } from '../access/accounts/deposit-source.ts'
import { DIGEST_BYTES } from '../access/accounts/key-memory.ts'
import { createKeyUse, type KeyUse } from '../access/accounts/key-use.ts'
import { createKeyWork } from '../access/accounts/key-work.ts'
import { createSignIn } from '../access/accounts/sign-in.ts'
import { createSubscriptions, type Subscriptions } from '../access/accounts/subscriptions.ts'
import { createFreeTrials, type FreeTrials } from '../access/free-tier.ts'
import { keyPrefix } from '../access/key-prefix.ts'
import { type Keys, openKeys, type SqlKeys } from '../access/keys.ts'
import type { PageAccess } from '../access/page-access.ts'
import { type ClientAddress, createClientAddress, createTlsCheck } from '../access/rate-limits/client-address.ts'
import { createSharedWindows } from '../access/rate-limits/shared-windows.ts'
import { createMemoryWindows, type Windows } from '../access/rate-limits/windows.ts'
import { createSignedTokens } from '../access/signed-token.ts'
import { createSolanaRpc } from '../access/solana-rpc.ts'
import { DatabaseAway } from '../access/sql/away.ts'
import { type Database, openDatabase } from '../access/sql/database.ts'
import { sharedSecret } from '../access/sql/shared-secret.ts'
import { createWriteProbe, type WriteProbe } from '../access/sql/write-probe.ts'
import { createTrials } from '../access/trials.ts'
import type { Cashier } from '../access/x402/types.ts'
import { OperatorError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { openParts, type Parts } from '../base/parts.ts'
import { isLoopback, type Options } from '../config/options.ts'
import type { AccountServices, AccountsStatus } from '../faces/http/face.ts'
import { startCopying } from './accounts-copies.ts'
import { createAdmin, startAdmin } from './admin.ts'
import { openPageAccess } from './page.ts'
import { openPayments } from './payments.ts'

/** The parts that decide about access: database, API keys, rate limits, payments, accounts and administration. */
export interface Access {
  readonly database: Database
  readonly keys: Keys
  readonly keyUse: KeyUse
  readonly windows: Windows
  readonly trials: FreeTrials
  readonly clientAddress: ClientAddress
  readonly isTls: (request: IncomingMessage) => boolean
  /** Null with PAYMENTS=off. */
  readonly cashier: Cashier | null
  readonly account: AccountServices
  readonly accountsStatus: () => AccountsStatus
  /** Access for readers of the page. */
  readonly page: PageAccess
  /**
   * On the first start on loopback with a terminal, a Pro key is printed so that the first call works. Otherwise it is null.
   */
  readonly firstKey: string | null
  /** Resolves when every answer has been written. */
  close(): Promise<void>
}

interface AccessOptions {
  readonly options: Options
  readonly logger: Logger
  readonly metrics: Metrics
  /** True if a person reads the output. Otherwise the key would only end up in a log. */
  readonly isSeen: boolean
}

/** Opens the parts. The caller holds the lock of the data directory. If one part fails, those already open are closed again. */
export const openAccess = (given: AccessOptions): Promise<Access> =>
  openParts((parts) => open(given, parts)).catch((error: unknown) => {
    if (!(error instanceof DatabaseAway)) throw error
    throw new OperatorError(`the database stopped answering while the service started: ${error.message}`, {
      cause: error,
    })
  })

async function open({ options, logger, metrics, isSeen }: AccessOptions, parts: Parts): Promise<Access> {
  const now = Date.now
  const { publicUrl } = options
  const { mode } = options.payments
  const database = parts.add(await openDatabase({ dataDir: options.dataDir, url: options.databaseUrl }))
  parts.add(startCopying(database, { logger, metrics, now }))
  const keyUse = parts.add(createKeyUse(database, { now, logger }))
  const secret = await sharedSecret(database, 'stream')
  const streamTokens = createSignedTokens({ secret, purpose: 'stream', nameBytes: DIGEST_BYTES, now })
  const keys = parts.add(
    await openKeys(database, { now, logger, use: keyUse, takesPlay: mode === 'sandbox', streamTokens }),
  )
  const accounts = createAccounts(database, { now, use: keyUse, prefix: keyPrefix(mode) })
  const windows = openWindows(options, database, logger, parts)
  const trials = parts.add(createTrials(database, { now, logger }))
  const writing = parts.add(createWriteProbe(database, { logger }))
  const payments = parts.add(await openPayments({ options: options.payments, database, writing, logger, metrics }))
  const subscriptions = parts.add(openSubscriptions(database, payments, logger, metrics))
  const firstKey = isSeen ? await makeFirstKey(options, accounts, keys) : null
  parts.add(await startAdmin({ dataDir: options.dataDir, admin: createAdmin({ accounts, keys, now }), logger }))
  metrics.gauge('ti_accounts_answering', '1 while the database of accounts answers', [], () =>
    keys.state().answering ? 1 : 0,
  )
  metrics.gauge('ti_accounts_writable', '1 while the database of accounts takes changes', [], () =>
    writing.problem === null ? 1 : 0,
  )
  metrics.gauge('ti_keys', 'API keys in memory', [], () => keys.size)
  metrics.counts('ti_keys_total', 'readings of the keys that went wrong, by reason', 'reason', keys.counts)
  const clientAddress = createClientAddress(options.trustedProxies)
  const signIn = createSignIn(database, { accounts, publicUrl, now })
  const work = createKeyWork(database, { now })
  const account = { accounts, signIn, work, subscriptions, play: payments.play, now }
  return {
    database,
    keys,
    keyUse,
    windows,
    trials: createFreeTrials(trials),
    clientAddress,
    isTls: createTlsCheck(options.trustedProxies),
    cashier: payments.cashier,
    account,
    accountsStatus: () => accountsStatus(keys, writing),
    page: await openPageAccess(options, database, { windows, clientAddress, account }),
    firstKey,
    close: parts.close,
  }
}

function accountsStatus(keys: SqlKeys, writing: WriteProbe): AccountsStatus {
  const { answering, readMs } = keys.state()
  const problem = writing.problem === null ? {} : { problem: writing.problem }
  return {
    answering,
    since: answering ? null : new Date(readMs).toISOString(),
    writable: writing.problem === null,
    ...problem,
  }
}

function openWindows({ rateLimits }: Options, database: Database, logger: Logger, parts: Parts): Windows {
  if (rateLimits === 'memory') return createMemoryWindows(() => performance.now())
  return parts.add(createSharedWindows(database, logger))
}

/** Returns null without a chain to read deposits from, or without a wallet to pay to. */
function openSubscriptions(
  database: Database,
  { rpcUrl, payTo }: { readonly rpcUrl: string | null; readonly payTo: string | null },
  logger: Logger,
  metrics: Metrics,
): Subscriptions | null {
  if (rpcUrl === null || payTo === null) return null
  const source = createDepositSource({ rpc: createSolanaRpc({ url: rpcUrl }), payTo })
  const subscriptions = createSubscriptions(database, { source, payTo, now: Date.now, logger })
  metrics.counts(
    'ti_deposits_total',
    'transfers to the paid wallet, by what became of them',
    'outcome',
    subscriptions.counts,
  )
  return subscriptions
}

async function makeFirstKey({ host }: Options, accounts: Accounts, keys: Keys): Promise<string | null> {
  if (!isLoopback(host) || keys.size > 0) return null
  const { id } = await accounts.ofOperator()
  const made = await accounts.createKey(id, { name: 'first start', expiresAt: null })
  if (!made.ok) throw new Error(made.message)
  await keys.refresh()
  return made.key
}
