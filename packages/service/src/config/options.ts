import { isIP } from 'node:net'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LOG_LEVELS, type LogLevel } from '../base/log.ts'
import { REGISTERED } from './kinds.ts'
import { LIMITS } from './limits.ts'
import { OBSERVE_SCHEMA, OBSERVE_SECRETS, type ObserveChoice, observeChoice } from './observe-options.ts'
import { isHttpUrl, variable } from './variables.ts'

/** What an operator chooses, from environment variables. An empty variable counts as not set. */
export interface Options {
  readonly host: string
  /** 0 lets the system choose */
  readonly port: number
  /** absolute, without a trailing slash; how the service calls itself in its answers */
  readonly publicUrl: string
  readonly dataDir: string
  readonly source: string
  /** holders whose transfers a live source asks for, 0: none */
  readonly followHolders: number
  /** a live source asks for what the wallets of EXCHANGES pay */
  readonly followExchanges: boolean
  /** deployers of the newest launches whose payments a live source asks for, 0: none */
  readonly followDeployers: number
  /** servers of the log that several nodes share; null: the log is this node's own. May carry a password: never shown */
  readonly logUrls: readonly string[] | null
  /** hours of mainnet that the shared log keeps; null: all */
  readonly logKeepHours: number | null
  /** where checkpoints are kept: `nats:` beside the shared log, or a directory; null: nowhere */
  readonly checkpoints: string | null
  /** hours between two checkpoints that this node makes, 0: it makes none */
  readonly checkpointHours: number
  /** JSON file with the wallets shown as trading agents; null: only the rule strategies */
  readonly agentsFile: string | null
  readonly logLevel: LogLevel
  /** check every answer against its schema before it is sent */
  readonly validateResponses: boolean
  /** PostgreSQL for accounts and payments; null for the embedded one. Carries a password: never shown */
  readonly databaseUrl: string | null
  readonly rateLimits: 'memory' | 'shared'
  /** networks (CIDR) or addresses whose X-Forwarded-For is believed */
  readonly trustedProxies: readonly string[]
  readonly payments: PaymentOptions
  /** who may read through the page without a key */
  readonly webAccess: WebAccess
  /** null: nothing is asked of the outside */
  readonly observe: ObserveChoice | null
  /** the bot that brings alerts to Telegram; null: there is none */
  readonly telegram: TelegramOptions | null
}

interface TelegramOptions {
  /** the bot's token, or a file with it: a secret */
  readonly token: string
  /** of the Bot API, without a trailing slash */
  readonly apiUrl: string
}

const PAYMENT_MODES = ['sandbox', 'facilitator', 'self', 'off'] as const
export type PaymentMode = (typeof PAYMENT_MODES)[number]

/** everybody, who has signed in with a wallet, nobody */
const WEB_ACCESS = ['open', 'signed-in', 'off'] as const
export type WebAccess = (typeof WEB_ACCESS)[number]

export interface PaymentOptions {
  readonly mode: PaymentMode
  readonly facilitatorUrl: string | null
  /** file of a keypair, or the keypair itself as a JSON array of 64 bytes: a secret */
  readonly feePayerKeypair: string | null
  readonly solanaRpcUrl: string | null
  /** wallet that is paid, base58 */
  readonly payTo: string | null
  /** payments on another chain than mainnet are taken knowingly */
  readonly playMoney: boolean
}

function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return plain && (url.protocol === 'http:' || url.protocol === 'https:')
}

const isProxyList = (text: string): boolean =>
  text.split(',').every((item) => {
    const [address = '', bits, ...rest] = item.trim().split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  })

const isNatsList = (text: string): boolean =>
  text.split(',').every((item) => /^(nats|tls):\/\/[^\s/]+$/.test(item.trim()) && URL.canParse(item.trim()))

const isNumber = (text: string, least: number, most: number): boolean =>
  /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) >= least && Number(text) <= most

const FLAG = z
  .enum(['0', '1'], '0 or 1')
  .default('0')
  .transform((text) => text === '1')

/** 0: none */
const upTo = (most: number) =>
  variable(`a whole number from 0 to ${most}`, (text) => /^\d{1,6}$/.test(text) && Number(text) <= most)
    .transform(Number)
    .default(0)

const sourcesInWords = (): string =>
  [
    ...REGISTERED.sources.map(({ name }) => `${name}:`),
    'capture:FILE',
    'yellowstone:URL (several between commas) or rpc:URL',
  ].join(', ')

const isSource = (text: string): boolean =>
  /^(capture:.|yellowstone:.|rpc:)/.test(text) || REGISTERED.sources.some(({ name }) => text.startsWith(`${name}:`))

/** null: none is registered, and SOURCE has to be set. */
function defaultSource(): string | null {
  const found = REGISTERED.sources.find((one) => one.default !== undefined)
  return found === undefined ? null : `${found.name}:${found.default}`
}

const paymentModes = (): string[] =>
  PAYMENT_MODES.filter((mode) => mode !== 'sandbox' || REGISTERED.payments.includes(mode))

const SCHEMA = z.object({
  HOST: variable('a host name or address, like 127.0.0.1 or ::', isHost).default('127.0.0.1'),
  PORT: variable('an integer from 0 to 65535', (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535)
    .transform(Number)
    .default(4_000),
  PUBLIC_URL: variable('an http or https URL without query, like https://api.example.com', isPublicUrl)
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: variable('a directory', (text) => !text.includes('\0')).default('./data'),
  SOURCE: variable(sourcesInWords, isSource).optional(),
  FOLLOW_HOLDERS: upTo(LIMITS.followedHolders),
  FOLLOW_EXCHANGES: FLAG,
  FOLLOW_DEPLOYERS: upTo(LIMITS.followedDeployers),
  LOG_URL: variable('nats://user:password@host:port or tls://…, several between commas', isNatsList)
    .transform((text) => text.split(',').map((item) => item.trim()))
    .optional(),
  LOG_KEEP_HOURS: variable('hours, 0.01 to 87600', (text) => isNumber(text, 0.01, 87_600))
    .transform(Number)
    .optional(),
  CHECKPOINTS: variable('nats: or a directory', (text) => !text.includes('\0')).optional(),
  CHECKPOINT_HOURS: variable('hours, 0 to 8760, like 6 or 0.5', (text) => isNumber(text, 0, 8_760))
    .transform(Number)
    .default(0),
  AGENTS_FILE: variable('a file', (text) => !text.includes('\0')).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  VALIDATE_RESPONSES: FLAG,
  DATABASE_URL: variable('postgres://user:password@host/database', (text) =>
    /^postgres(ql)?:\/\/./.test(text),
  ).optional(),
  RATE_LIMITS: z.enum(['memory', 'shared'], 'memory or shared').default('memory'),
  TRUSTED_PROXIES: variable('addresses or networks separated by commas, like 10.0.0.0/8,::1', isProxyList)
    .transform((text) => text.split(',').map((item) => item.trim()))
    .optional(),
  PAYMENTS: variable(
    () => `one of ${paymentModes().join(', ')}`,
    (text) => paymentModes().includes(text),
  )
    .transform((text) => text as PaymentMode)
    .optional(),
  FACILITATOR_URL: variable('an http or https URL', isHttpUrl).optional(),
  FEE_PAYER_KEYPAIR: variable(
    'a keypair file, or its JSON array of 64 bytes',
    (text) => !text.includes('\0'),
  ).optional(),
  SOLANA_RPC_URL: variable('an http or https URL', isHttpUrl).optional(),
  PAY_TO: variable('a wallet address (base58 of 32 bytes)', (text) => keyFromBase58(text) !== null).optional(),
  ALLOW_PLAY_MONEY: FLAG,
  WEB_ACCESS: z.enum(WEB_ACCESS, `one of ${WEB_ACCESS.join(', ')}`).optional(),
  TELEGRAM_BOT_TOKEN: variable(
    "a bot's token, like 123456:ABC…, or a file with it",
    (text) => !text.includes('\0'),
  ).optional(),
  TELEGRAM_API_URL: variable('an http or https URL', isHttpUrl).default('https://api.telegram.org'),
  ...OBSERVE_SCHEMA,
})

/** never repeated in a message */
const SECRET = new Set([
  ...OBSERVE_SECRETS,
  'DATABASE_URL',
  'LOG_URL',
  'FEE_PAYER_KEYPAIR',
  'SOLANA_RPC_URL',
  'FACILITATOR_URL',
  'TELEGRAM_BOT_TOKEN',
])

/** URL's own rule sorts out 999.1.1.1 and the like, which no system resolves. */
function isHost(text: string): boolean {
  return /^[\w.:-]{1,253}$/.test(text) && URL.canParse(derivePublicUrl(text, 0))
}

/** `http://host:port`, with a host that a client can use where the service listens on every address. */
export function derivePublicUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Throws an OperatorError naming the variable, its value and what is valid. */
export function readOptions(env: Readonly<Record<string, string | undefined>>): Options {
  const given = Object.fromEntries(
    Object.keys(SCHEMA.shape).flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const parsed = SCHEMA.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      return `${name}${SECRET.has(name) ? '' : `=${JSON.stringify(given[name])}`} is not valid: ${issue.message}`
    })
    refuse(problems)
    throw parsed.error
  }
  const values = parsed.data
  const publicUrl = values.PUBLIC_URL ?? derivePublicUrl(values.HOST, values.PORT)
  const source = values.SOURCE ?? defaultSource()
  if (source === null) throw wrong([`SOURCE is not set. It takes ${sourcesInWords()}`])
  const mode = values.PAYMENTS ?? (REGISTERED.payments.includes('sandbox') ? 'sandbox' : 'off')
  refuse(conflicts(values, mode, publicUrl))
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    dataDir: values.DATA_DIR,
    source,
    followHolders: values.FOLLOW_HOLDERS,
    followExchanges: values.FOLLOW_EXCHANGES,
    followDeployers: values.FOLLOW_DEPLOYERS,
    logUrls: values.LOG_URL ?? null,
    logKeepHours: values.LOG_KEEP_HOURS ?? null,
    checkpoints: values.CHECKPOINTS ?? null,
    checkpointHours: values.CHECKPOINT_HOURS,
    agentsFile: values.AGENTS_FILE ?? null,
    logLevel: values.LOG_LEVEL,
    validateResponses: values.VALIDATE_RESPONSES,
    databaseUrl: values.DATABASE_URL ?? null,
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    payments: {
      mode,
      facilitatorUrl: values.FACILITATOR_URL ?? null,
      feePayerKeypair: values.FEE_PAYER_KEYPAIR ?? null,
      solanaRpcUrl: values.SOLANA_RPC_URL ?? null,
      payTo: values.PAY_TO ?? null,
      playMoney: values.ALLOW_PLAY_MONEY,
    },
    webAccess: values.WEB_ACCESS ?? (isPrivate(values.HOST, publicUrl) ? 'open' : 'signed-in'),
    observe: observeChoice(values, source),
    telegram: telegramOptions(values),
  }
}

function telegramOptions({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: url }: z.output<typeof SCHEMA>) {
  return token === undefined ? null : { token, apiUrl: url.replace(/\/+$/, '') }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/** Behind a proxy a service listens on loopback too, but calls itself otherwise. */
const isPrivate = (host: string, publicUrl: string): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname)

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw wrong(problems)
}

const wrong = (problems: readonly string[]): OperatorError =>
  new OperatorError(problems.join('\n'), { exitCode: EXIT.usage })

/** What each variable alone allows, and together they do not. */
function conflicts(values: z.output<typeof SCHEMA>, PAYMENTS: PaymentMode, publicUrl: string): string[] {
  const problems: string[] = []
  const need = (...names: ('FACILITATOR_URL' | 'FEE_PAYER_KEYPAIR' | 'SOLANA_RPC_URL' | 'PAY_TO')[]): void => {
    for (const name of names) if (values[name] === undefined) problems.push(`PAYMENTS=${PAYMENTS} needs ${name}`)
  }
  if (PAYMENTS === 'facilitator') need('FACILITATOR_URL', 'PAY_TO')
  if (PAYMENTS === 'self') need('FEE_PAYER_KEYPAIR', 'SOLANA_RPC_URL', 'PAY_TO')
  if (PAYMENTS === 'sandbox' && !isLoopback(new URL(publicUrl).hostname) && !values.ALLOW_PLAY_MONEY) {
    problems.push(
      `PAYMENTS=sandbox gives data away for play money, and PUBLIC_URL=${publicUrl} is not this machine: set PAYMENTS to off, facilitator or self, or ALLOW_PLAY_MONEY=1`,
    )
  }
  if (values.FOLLOW_EXCHANGES && values.EXCHANGES === undefined) {
    problems.push('FOLLOW_EXCHANGES=1 needs EXCHANGES: whose payments are followed')
  }
  if (values.FOLLOW_EXCHANGES && values.OBSERVE === 'off') {
    problems.push('FOLLOW_EXCHANGES=1 and OBSERVE=off do not go together: nobody reads EXCHANGES')
  }
  if (values.CHECKPOINTS === 'nats:' && values.LOG_URL === undefined) {
    problems.push('CHECKPOINTS=nats: needs LOG_URL: they are kept on the same servers')
  }
  if (values.CHECKPOINT_HOURS > 0 && values.CHECKPOINTS === undefined) {
    problems.push('CHECKPOINT_HOURS needs CHECKPOINTS: where they are kept')
  }
  if (values.RATE_LIMITS === 'shared' && values.DATABASE_URL === undefined) {
    problems.push('RATE_LIMITS=shared needs DATABASE_URL: the nodes count in one PostgreSQL')
  }
  return problems
}
