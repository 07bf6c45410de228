import { isIP } from 'node:net'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LOG_LEVELS } from '../base/log.ts'
import { conflicts, PORT_MAX } from './conflicts.ts'
import { REGISTERED, type RegisteredPayments } from './kinds.ts'
import {
  flag,
  hours,
  isHttpUrl,
  list,
  oneOf,
  plain,
  readTable,
  secret,
  text,
  url,
  urls,
  urlsOf,
  type ValuesOf,
  variable,
  whole,
  withoutSlash,
} from './variables.ts'

/** token accounts of holders whose transfers are followed: 225 kB in a filter that is sent again every followMs, in all
 * 2 s of work to derive. Endpoints take from 10 to 10,000 accounts */
export const FOLLOW_HOLDERS_MAX = 5_000
/** deployers of the newest launches whose payments are followed: with mints, holders and exchanges 270 kB more in a filter */
const FOLLOW_DEPLOYERS_MAX = 5_000

const PRICES = 'two or three http or https URLs between commas (one alone is never trusted), or off'

const DEX_ORDERS = 'https://api.dexscreener.com'
const PRICE_URLS = [
  'https://api.coinbase.com/v2/prices/SOL-USD/spot',
  'https://api.kraken.com/0/public/Ticker?pair=SOLUSD',
  'https://lite-api.jup.ag/price/v3?ids=So11111111111111111111111111111111111111112',
]
const PAYMENTS = ['facilitator', 'self', 'off'] as const
export type PaymentMode = (typeof PAYMENTS)[number] | RegisteredPayments

const HOST_VALID = 'a host name or address, like 127.0.0.1 or ::'

/** seconds of draining: balancers that ask every two seconds notice in four */
const DRAIN_SECONDS = 5

/** The operator's options: each with its variable, the valid values and its default. */
const OPTIONS = {
  host: text('HOST', HOST_VALID, isHost, '127.0.0.1'),
  /** 0 lets the system choose */
  port: whole('PORT', 0, PORT_MAX, 4_000),
  /** the monitors' port: metrics, and the details of the readiness */
  operatorHost: text('OPERATOR_HOST', HOST_VALID, isHost, '127.0.0.1'),
  /** null: the port after PORT */
  operatorPort: whole('OPERATOR_PORT', 0, PORT_MAX, null),
  /** after SIGTERM: seconds for which answers go on while /readyz is 503; null: 5 where others reach it, otherwise none */
  drainSeconds: whole('DRAIN_SECONDS', 0, 600, null),
  /** for those who found a flaw: security.txt names it; null: there is no security.txt */
  contact: text('CONTACT', 'mailto:ADDRESS or an https URL', isContact, null),
  /** absolute, without a trailing slash; the service's own URL in its answers */
  publicUrl: variable(
    'PUBLIC_URL',
    'an http or https URL without query, like https://api.example.com',
    publicUrl,
    null,
  ),
  dataDir: plain('DATA_DIR', 'a directory', './data'),
  /** '': it is not set, and no registered kind has a default */
  source: {
    ...text('SOURCE', '', isSource, ''),
    get valid() {
      return sourcesInWords()
    },
    get otherwise() {
      return defaultSource()
    },
  },
  /** holders whose transfers a live source follows, 0: none */
  followHolders: whole('FOLLOW_HOLDERS', 0, FOLLOW_HOLDERS_MAX, 0),
  /** a live source follows payments of the wallets in EXCHANGES */
  followExchanges: flag('FOLLOW_EXCHANGES'),
  /** deployers of the newest launches whose payments a live source follows, 0: none */
  followDeployers: whole('FOLLOW_DEPLOYERS', 0, FOLLOW_DEPLOYERS_MAX, 0),
  /** servers of the log that several nodes share; null: the log is this node's own */
  logUrls: secret(list('LOG_URL', 'nats://user:password@host:port or tls://…, several between commas', isNats, null)),
  /** hours of mainnet that the shared log keeps; null: all */
  // at least three windows that a writer sends before it reads them back: a log that keeps less loses what its own writer lacks
  logKeepHours: hours('LOG_KEEP_HOURS', 0.1, 87_600, null),
  /** place of the checkpoints: `nats:` beside the shared log, or a directory; null: none are kept */
  checkpoints: plain('CHECKPOINTS', 'nats: or a directory', null),
  /** hours between two checkpoints that this node makes, 0: it makes none */
  checkpointHours: hours('CHECKPOINT_HOURS', 0, 8_760, 0),
  /** JSON file with the wallets shown as trading agents; null: only the rule strategies */
  agentsFile: plain('AGENTS_FILE', 'a file', null),
  logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  /** check every answer against its schema before it is sent */
  validateResponses: flag('VALIDATE_RESPONSES'),
  /** PostgreSQL for accounts and payments; null: SQLite */
  databaseUrl: secret(text('DATABASE_URL', 'postgres://user:password@host/database', isPostgres, null)),
  rateLimits: oneOf('RATE_LIMITS', ['memory', 'shared'], 'memory'),
  /** networks (CIDR) or addresses whose X-Forwarded-For is believed */
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'addresses or networks separated by commas, like 10.0.0.0/8,::1 (/0 would believe everybody)',
    isNetwork,
    [],
  ),
  payments: {
    mode: {
      // null: off with a live source, otherwise the first that is registered
      ...variable('PAYMENTS', '', paymentsMode, null),
      get valid() {
        return `one of ${[...REGISTERED.payments, ...PAYMENTS].join(', ')}`
      },
    },
    facilitatorUrl: secret(url('FACILITATOR_URL', null)),
    /** file of a keypair, or the keypair itself */
    feePayerKeypair: secret(plain('FEE_PAYER_KEYPAIR', 'a keypair file, or its JSON array of 64 bytes', null)),
    solanaRpcUrl: secret(url('SOLANA_RPC_URL', null)),
    payTo: text('PAY_TO', 'a wallet address (base58 of 32 bytes)', (given) => keyFromBase58(given) !== null, null),
    /** payments on another chain than mainnet are taken knowingly */
    playMoney: flag('ALLOW_PLAY_MONEY'),
  },
  /** visitors who may read through the page without a key: all, those signed in with a wallet, or none */
  webAccess: oneOf('WEB_ACCESS', ['open', 'signed-in', 'off'], null),
  /** the bot that sends alerts to Telegram */
  telegram: {
    /** null: there is no bot */
    token: secret(plain('TELEGRAM_BOT_TOKEN', "a bot's token, like 123456:ABC…, or a file with it", null)),
    apiUrl: variable('TELEGRAM_API_URL', 'an http or https URL', httpUrl, 'https://api.telegram.org'),
  },
  /** facts from outside; null: not looked at */
  observe: {
    mode: oneOf('OBSERVE', ['auto', 'on', 'off'], 'auto'),
    /** base URLs; a path with the content's id is appended */
    ipfsGateways: urls('IPFS_GATEWAYS', 'http or https URLs between commas', [
      ...['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'],
    ]),
    arweaveGateways: urls('ARWEAVE_GATEWAYS', 'http or https URLs between commas', ['https://arweave.net']),
    /** base URL of the orders endpoint */
    dexOrdersUrl: secret(variable('DEX_ORDERS_URL', 'an http or https URL, or off', urlOrOff, DEX_ORDERS)),
    /** endpoints for the price of SOL */
    priceUrls: secret(
      variable('PRICE_URLS', PRICES, (given) => (given === 'off' ? [] : urlsOf(given, 2, 3)), PRICE_URLS),
    ),
    /** file or URL of the list of influencers, and of exchange wallets */
    kols: secret(plain('KOLS', 'a file or an http or https URL', null)),
    exchanges: secret(plain('EXCHANGES', 'a file or an http or https URL', null)),
    /** RPC endpoint for first funders. Its origin is allowed by itself */
    rpcUrl: secret(url('FUNDER_RPC_URL', null)),
    rpcRequestsPerMinute: whole('FUNDER_REQUESTS_PER_MINUTE', 1, 100_000, 120),
    /** requests to the same endpoint for largest balances; 0: they are not requested */
    holdersRequestsPerMinute: whole('HOLDERS_REQUESTS_PER_MINUTE', 0, 100_000, 0),
    /** requests to the same endpoint for payments of deployers before their launches; 0: they are not requested */
    deployerRequestsPerMinute: whole('DEPLOYER_REQUESTS_PER_MINUTE', 0, 100_000, 0),
    /** requests to the same endpoint for the creation of tokens first met later; 0: they are not requested */
    launchRequestsPerMinute: whole('LAUNCH_REQUESTS_PER_MINUTE', 0, 100_000, 30),
    /** origins of the operator's own endpoints that are not on the public internet */
    outboundAllow: urls('OUTBOUND_ALLOW', 'origins between commas, like http://10.0.0.5:8899', []),
  },
}

export type Values = ValuesOf<typeof OPTIONS>
export type Options = ReturnType<typeof examineOptions>['options']
export type PaymentOptions = Options['payments']
export type WebAccess = Options['webAccess']
/** Null or empty: that observer stays off. */
export type ObserveOptions = NonNullable<Options['observe']>

/** URL's own rule sorts out 999.1.1.1 and the like, which no system resolves. */
function isHost(given: string): boolean {
  return /^[\w.:-]{1,253}$/.test(given) && URL.canParse(derivePublicUrl(given, 0))
}

function paymentsMode(given: string): PaymentMode | undefined {
  return [...REGISTERED.payments, ...PAYMENTS].find((mode) => mode === given)
}

function isSource(given: string): boolean {
  return (
    /^(capture:.|yellowstone:.|rpc:)/.test(given) || REGISTERED.sources.some(({ name }) => given.startsWith(`${name}:`))
  )
}

function sourcesInWords(): string {
  const registered = REGISTERED.sources.map(({ name }) => `${name}:`)
  return [...registered, 'capture:FILE', 'yellowstone:URL (several between commas) or rpc:URL'].join(', ')
}

function defaultSource(): string {
  const found = REGISTERED.sources.find((one) => one.default !== undefined)
  return found === undefined ? '' : `${found.name}:${found.default}`
}

function publicUrl(given: string): string | undefined {
  if (!isHttpUrl(given)) return undefined
  const { search, hash, username, password } = new URL(given)
  return search === '' && hash === '' && username === '' && password === '' ? withoutSlash(given) : undefined
}

function httpUrl(given: string): string | undefined {
  return isHttpUrl(given) ? withoutSlash(given) : undefined
}

function urlOrOff(given: string): string | null | undefined {
  if (given === 'off') return null
  return isHttpUrl(given) ? given : undefined
}

function isContact(given: string): boolean {
  return /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(given) && URL.canParse(given)
}

function isNats(item: string): boolean {
  return /^(nats|tls):\/\/[^\s/]+$/.test(item) && URL.canParse(item)
}

function isPostgres(given: string): boolean {
  return /^postgres(ql)?:\/\/./.test(given)
}

function isNetwork(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  return (
    family !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most))
  )
}

/** `http://host:port`, with a host that a client can use where the service listens on every address. */
export function derivePublicUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

type Env = Readonly<Record<string, string | undefined>>

/** Throws an OperatorError that names each wrong variable, its value and what is valid. */
export function readOptions(env: Env): Options {
  const { options, problems } = examineOptions(env)
  if (problems.length > 0) throw new OperatorError(problems.join('\n'), { exitCode: EXIT.usage })
  return options
}

/** The options, and everything that is wrong with the variables. With a problem, the options are of no use. */
export function examineOptions(env: Env) {
  const { values, invalid } = readTable(OPTIONS, env)
  const { host, port, source, telegram, observe, payments } = values
  const isUnset = source === '' && !invalid.has('SOURCE')
  const publicUrl = values.publicUrl ?? derivePublicUrl(host, port)
  const isLive = isLiveSource(source)
  const mode = payments.mode ?? (isLive ? 'off' : (REGISTERED.payments[0] ?? 'off'))
  const openBy = openedBy(host, publicUrl)
  const isOpen = openBy !== null
  const { mode: observing, ...choice } = observe
  // a simulated market and a capture bring their own facts
  const observes = observing === 'on' || (observing === 'auto' && isLive)
  const options = {
    ...values,
    publicUrl,
    payments: { ...payments, mode },
    /** others than this machine reach it, as far as the variables say */
    isOpen,
    operatorPort: values.operatorPort ?? (port === 0 ? 0 : port + 1),
    drainSeconds: values.drainSeconds ?? (isOpen ? DRAIN_SECONDS : 0),
    webAccess: values.webAccess ?? (isOpen ? 'signed-in' : 'open'),
    observe: observes ? choice : null,
    telegram: telegram.token === null ? null : { token: telegram.token, apiUrl: telegram.apiUrl },
  }
  const problems = [
    ...invalid.values(),
    ...(isUnset ? [`SOURCE is not set. It takes ${sourcesInWords()}`] : []),
    ...conflicts(values, { mode, openBy, isLive }, invalid),
  ]
  return { options, problems }
}

/** True if SOURCE follows the chain live, so that its data are current or late. */
export const isLiveSource = (source: string): boolean => /^(yellowstone|rpc):/.test(source)

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/**
 * The variable by which others than this machine reach the service; null: none. Behind a proxy it listens on loopback too, but calls
 * itself otherwise.
 */
export function openedBy(host: string, publicUrl: string): string | null {
  if (!isLoopback(host)) return `HOST=${host}`
  return isLoopback(new URL(publicUrl).hostname) ? null : `PUBLIC_URL=${publicUrl}`
}
