import '@ti/lab/register.ts'
import '@ti/sandbox/register.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { derivePublicUrl, examineOptions, readOptions } from './options.ts'
import { productionProblems } from './production.ts'

test('defaults, with empty variables counting as not set', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 4000,
    operatorHost: '127.0.0.1',
    operatorPort: 4001,
    drainSeconds: 0,
    contact: null,
    isOpen: false,
    publicUrl: 'http://127.0.0.1:4000',
    dataDir: './data',
    source: 'simulator:market=3',
    followHolders: 0,
    followExchanges: false,
    followDeployers: 0,
    logUrls: null,
    logKeepHours: null,
    checkpoints: null,
    checkpointHours: 0,
    agentsFile: null,
    logLevel: 'info',
    validateResponses: false,
    databaseUrl: null,
    rateLimits: 'memory',
    trustedProxies: [],
    payments: {
      mode: 'sandbox',
      facilitatorUrl: null,
      feePayerKeypair: null,
      solanaRpcUrl: null,
      payTo: null,
      playMoney: false,
    },
    webAccess: 'open',
    observe: null,
    telegram: null,
  }
  assert.deepEqual(readOptions({}), defaults)
  assert.deepEqual(readOptions({ HOST: '', PORT: '', SOURCE: '', LOG_LEVEL: '', UNRELATED: 'x' }), defaults)
})

test('every variable is read', () => {
  const options = readOptions({
    HOST: '::',
    PORT: '0',
    OPERATOR_HOST: '0.0.0.0',
    OPERATOR_PORT: '9464',
    DRAIN_SECONDS: '20',
    CONTACT: 'mailto:security@example.com',
    PUBLIC_URL: 'https://api.example.com/base/',
    DATA_DIR: '/var/lib/ti',
    SOURCE: 'capture:day.cap?speed=0',
    FOLLOW_HOLDERS: '5000',
    FOLLOW_EXCHANGES: '1',
    FOLLOW_DEPLOYERS: '5000',
    EXCHANGES: '/etc/exchanges.json',
    LOG_URL: 'nats://user:word@a:4222, tls://b:4222',
    LOG_KEEP_HOURS: '0.5',
    CHECKPOINTS: 'nats:',
    CHECKPOINT_HOURS: '6',
    AGENTS_FILE: '/etc/agents.json',
    LOG_LEVEL: 'debug',
    VALIDATE_RESPONSES: '1',
    DATABASE_URL: 'postgres://user:word@db/ti',
    RATE_LIMITS: 'shared',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    PAYMENTS: 'self',
    FEE_PAYER_KEYPAIR: '/etc/fee-payer.json',
    SOLANA_RPC_URL: 'https://rpc.example.com/?token=1',
    FACILITATOR_URL: 'https://pay.example.com',
    PAY_TO: 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy',
    WEB_ACCESS: 'off',
    TELEGRAM_BOT_TOKEN: '/etc/bot-token',
    TELEGRAM_API_URL: 'http://127.0.0.1:8081/',
  })
  assert.deepEqual(options, {
    host: '::',
    port: 0,
    operatorHost: '0.0.0.0',
    operatorPort: 9464,
    drainSeconds: 20,
    contact: 'mailto:security@example.com',
    isOpen: true,
    publicUrl: 'https://api.example.com/base',
    dataDir: '/var/lib/ti',
    source: 'capture:day.cap?speed=0',
    followHolders: 5_000,
    followExchanges: true,
    followDeployers: 5_000,
    logUrls: ['nats://user:word@a:4222', 'tls://b:4222'],
    logKeepHours: 0.5,
    checkpoints: 'nats:',
    checkpointHours: 6,
    agentsFile: '/etc/agents.json',
    logLevel: 'debug',
    validateResponses: true,
    databaseUrl: 'postgres://user:word@db/ti',
    rateLimits: 'shared',
    trustedProxies: ['10.0.0.0/8', '::1'],
    payments: {
      mode: 'self',
      facilitatorUrl: 'https://pay.example.com',
      feePayerKeypair: '/etc/fee-payer.json',
      solanaRpcUrl: 'https://rpc.example.com/?token=1',
      payTo: 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy',
      playMoney: false,
    },
    webAccess: 'off',
    observe: null,
    telegram: { token: '/etc/bot-token', apiUrl: 'http://127.0.0.1:8081' },
  })
})

test('the operator’s port is the one after PORT, or as free a choice', () => {
  const chosen = (env: Record<string, string>) => readOptions(env).operatorPort
  assert.equal(chosen({ PORT: '4100' }), 4101)
  assert.equal(chosen({ PORT: '0' }), 0)
  assert.equal(chosen({ PORT: '65535', OPERATOR_PORT: '0' }), 0)
  assert.throws(() => chosen({ PORT: '65535' }), /PORT=65535 needs OPERATOR_PORT/)
})

test('the page is open to everybody only where nobody but this machine gets to it', () => {
  const chosen = (env: Record<string, string>) => readOptions({ PAYMENTS: 'off', ...env }).webAccess
  assert.equal(chosen({ HOST: '::1' }), 'open')
  assert.equal(chosen({ HOST: '0.0.0.0' }), 'signed-in')
  assert.equal(chosen({ PUBLIC_URL: 'https://api.example.com' }), 'signed-in', 'behind a proxy')
  assert.equal(chosen({ HOST: '0.0.0.0', WEB_ACCESS: 'open' }), 'open')
  assert.throws(() => chosen({ WEB_ACCESS: 'yes' }), /WEB_ACCESS="yes" is not valid: one of open, signed-in, off/)
})

test('the outside is looked at where the chain is live, or where the operator says so', () => {
  const live = { SOURCE: 'yellowstone:https://grpc.example.com' }
  const places = {
    ipfsGateways: ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'],
    arweaveGateways: ['https://arweave.net'],
    dexOrdersUrl: 'https://api.dexscreener.com',
    priceUrls: [
      'https://api.coinbase.com/v2/prices/SOL-USD/spot',
      'https://api.kraken.com/0/public/Ticker?pair=SOLUSD',
      'https://lite-api.jup.ag/price/v3?ids=So11111111111111111111111111111111111111112',
    ],
  }
  const silent = {
    kols: null,
    exchanges: null,
    rpcUrl: null,
    rpcRequestsPerMinute: 120,
    holdersRequestsPerMinute: 0,
    deployerRequestsPerMinute: 0,
    launchRequestsPerMinute: 30,
    outboundAllow: [],
  }
  assert.deepEqual(readOptions(live).observe, { ...places, ...silent })
  assert.deepEqual(readOptions({ SOURCE: 'rpc:', OBSERVE: 'off' }).observe, null)
  const chosen = readOptions({
    OBSERVE: 'on',
    IPFS_GATEWAYS: 'https://a.example, https://b.example',
    ARWEAVE_GATEWAYS: 'https://ar.example',
    DEX_ORDERS_URL: 'off',
    PRICE_URLS: 'https://one.example/?key=1,https://two.example',
    KOLS: '/etc/kols.json',
    EXCHANGES: 'https://lists.example/exchanges.json',
    FUNDER_RPC_URL: 'http://10.0.0.5:8899',
    FUNDER_REQUESTS_PER_MINUTE: '600',
    HOLDERS_REQUESTS_PER_MINUTE: '60',
    DEPLOYER_REQUESTS_PER_MINUTE: '40',
    LAUNCH_REQUESTS_PER_MINUTE: '20',
    OUTBOUND_ALLOW: 'http://10.0.0.6:80',
  })
  assert.deepEqual(chosen.observe, {
    ipfsGateways: ['https://a.example', 'https://b.example'],
    arweaveGateways: ['https://ar.example'],
    dexOrdersUrl: null,
    priceUrls: ['https://one.example/?key=1', 'https://two.example'],
    kols: '/etc/kols.json',
    exchanges: 'https://lists.example/exchanges.json',
    rpcUrl: 'http://10.0.0.5:8899',
    rpcRequestsPerMinute: 600,
    holdersRequestsPerMinute: 60,
    deployerRequestsPerMinute: 40,
    launchRequestsPerMinute: 20,
    outboundAllow: ['http://10.0.0.6:80'],
  })
  assert.deepEqual(readOptions({ OBSERVE: 'on', PRICE_URLS: 'off' }).observe?.priceUrls, [])
  for (const [name, value] of [
    ['OBSERVE', 'yes'],
    ['IPFS_GATEWAYS', 'ipfs.io'],
    ['DEX_ORDERS_URL', 'none'],
    ['FUNDER_REQUESTS_PER_MINUTE', '0'],
    ['HOLDERS_REQUESTS_PER_MINUTE', '-1'],
    ['DEPLOYER_REQUESTS_PER_MINUTE', '1.5'],
    ['LAUNCH_REQUESTS_PER_MINUTE', '-1'],
    ['OUTBOUND_ALLOW', ','],
  ] as const) {
    assert.throws(() => readOptions({ [name]: value }), new RegExp(`${name}.* is not valid`), `${name}=${value}`)
  }
  assert.throws(
    () => readOptions({ PRICE_URLS: 'https://one.example/?key=secret' }),
    (error: Error) => /PRICE_URLS is not valid: two or three/.test(error.message) && !error.message.includes('secret'),
  )
})

test('a bad value names the variable, the value and what is valid', () => {
  const bad: [string, string, RegExp][] = [
    ['HOST', 'not a host!', /host name or address/],
    ['HOST', '999.1.1.1', /host name or address/],
    ['PORT', '70000', /0 to 65535/],
    ['PORT', '4e3', /0 to 65535/],
    ['PORT', '-1', /0 to 65535/],
    ['PUBLIC_URL', 'ftp://example.com', /http or https/],
    ['PUBLIC_URL', 'example.com', /http or https/],
    ['PUBLIC_URL', 'https://u:p@example.com', /http or https/],
    ['SOURCE', 'simulater:', /simulator:, capture:FILE, yellowstone:URL/],
    ['SOURCE', 'capture:', /simulator:, capture:FILE, yellowstone:URL/],
    ['CONTACT', 'security@example.com', /mailto:ADDRESS or an https URL/],
    ['CONTACT', 'mailto:a b@example.com', /mailto:ADDRESS or an https URL/],
    ['LOG_LEVEL', 'loud', /fatal, error, warn, info, debug, trace, silent/],
    ['VALIDATE_RESPONSES', 'yes', /0 or 1/],
  ]
  for (const [name, value, valid] of bad) {
    assert.throws(
      () => readOptions({ [name]: value }),
      (error) =>
        error instanceof OperatorError &&
        error.exitCode === 2 &&
        error.message.includes(`${name}=${JSON.stringify(value)}`) &&
        valid.test(error.message),
      `${name}=${value}`,
    )
  }
})

test('all bad values are named at once', () => {
  assert.throws(() => readOptions({ PORT: 'x', LOG_LEVEL: 'y' }), /PORT="x".*\n.*LOG_LEVEL="y"/)
})

test('the derived address is one a client can use', () => {
  assert.equal(derivePublicUrl('0.0.0.0', 4000), 'http://localhost:4000')
  assert.equal(derivePublicUrl('::', 4000), 'http://localhost:4000')
  assert.equal(derivePublicUrl('::1', 4000), 'http://[::1]:4000')
})

test('what does not go together is refused with what to do', () => {
  const payTo = { PAY_TO: 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy' }
  const facilitator = { PAYMENTS: 'facilitator', FACILITATOR_URL: 'https://pay.example.com', ...payTo }
  const cases: [Record<string, string>, RegExp][] = [
    [{ PAYMENTS: 'facilitator' }, /needs FACILITATOR_URL[\s\S]*needs PAY_TO/],
    [{ PAYMENTS: 'self', ...payTo }, /needs FEE_PAYER_KEYPAIR[\s\S]*needs SOLANA_RPC_URL/],
    [{ PUBLIC_URL: 'https://api.example.com' }, /play money, and PUBLIC_URL=https.*ALLOW_PLAY_MONEY=1/],
    [{ HOST: '0.0.0.0' }, /play money, and HOST=0\.0\.0\.0 opens it.*ALLOW_PLAY_MONEY=1/],
    [{ HOST: '10.1.2.3', PUBLIC_URL: 'http://localhost:4000' }, /HOST=10\.1\.2\.3 opens it/],
    [{ PAYMENTS: 'sandbox', SOURCE: 'rpc:https://node.example/?key=secretword' }, /sandbox.*SOURCE=rpc:….*real chain/],
    [
      { PAYMENTS: 'sandbox', SOURCE: 'yellowstone:https://a', ALLOW_PLAY_MONEY: '1' },
      /real chain: set PAYMENTS to off/,
    ],
    [{ RATE_LIMITS: 'shared' }, /needs DATABASE_URL/],
    [{ FOLLOW_EXCHANGES: '1' }, /needs EXCHANGES/],
    [{ FOLLOW_EXCHANGES: '1', EXCHANGES: 'a.json', OBSERVE: 'off' }, /OBSERVE=off do not go together/],
  ]
  for (const [env, message] of cases) assert.throws(() => readOptions(env), { name: 'OperatorError', message })
  const allowed = [
    facilitator,
    { ...facilitator, DATABASE_URL: 'postgres://db/ti' },
    { PUBLIC_URL: 'https://api.example.com', ALLOW_PLAY_MONEY: '1' },
    { PUBLIC_URL: 'https://api.example.com', PAYMENTS: 'off' },
    { PUBLIC_URL: 'http://[::1]:4000' },
    { HOST: '0.0.0.0', ALLOW_PLAY_MONEY: '1' },
    { FOLLOW_DEPLOYERS: '5', OBSERVE: 'off' },
  ]
  for (const env of allowed) assert.doesNotThrow(() => readOptions(env), JSON.stringify(env))
})

test('a live source takes no play money, whether or not somebody says so', () => {
  assert.equal(readOptions({ SOURCE: 'rpc:https://node.example' }).payments.mode, 'off')
  assert.equal(readOptions({ SOURCE: 'capture:day.cap' }).payments.mode, 'sandbox')
})

test('conflicts are named beside invalid variables, except those about them', () => {
  const env = { PORT: 'x', CHECKPOINTS: 'nats:', RATE_LIMITS: 'all', FOLLOW_EXCHANGES: '1', EXCHANGES: '\0' }
  const { problems } = examineOptions(env)
  assert.deepEqual(
    problems.map((one) => one.split(/[ =]/, 1)[0]),
    ['PORT', 'RATE_LIMITS', 'EXCHANGES', 'CHECKPOINTS'],
    problems.join('\n'),
  )
})

test('what is open to others drains before it closes', () => {
  const chosen = (env: Record<string, string>) => readOptions({ PAYMENTS: 'off', ...env }).drainSeconds
  assert.equal(chosen({}), 0)
  assert.equal(chosen({ HOST: '0.0.0.0' }), 5)
  assert.equal(chosen({ PUBLIC_URL: 'https://api.example.com' }), 5)
  assert.equal(chosen({ HOST: '0.0.0.0', DRAIN_SECONDS: '0' }), 0)
})

test('a production configuration: all that is wrong is listed at once', () => {
  const problems = (env: Record<string, string>, isIngest = false) =>
    productionProblems(examineOptions(env).options, isIngest).map((one) => one.split(/[ =]/, 1)[0])
  const shared = { LOG_URL: 'nats://a:4222' }
  assert.deepEqual(problems({ ...shared, ALLOW_PLAY_MONEY: '1' }), [
    'SOURCE',
    'DATA_DIR',
    'LOG_URL',
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
    'PAYMENTS',
    'ALLOW_PLAY_MONEY',
    'RATE_LIMITS',
    'CONTACT',
  ])
  assert.deepEqual(problems(shared, true), ['SOURCE', 'DATA_DIR'])
  const fit = {
    SOURCE: 'yellowstone:https://grpc.example.com',
    DATA_DIR: '/var/lib/ti',
    PUBLIC_URL: 'https://api.example.com',
    TRUSTED_PROXIES: '10.0.0.10',
    CONTACT: 'https://example.com/security',
  }
  assert.deepEqual(problems(fit), [])
})

test('an address that may carry a password is not repeated', () => {
  for (const name of ['DATABASE_URL', 'SOLANA_RPC_URL', 'FACILITATOR_URL']) {
    assert.throws(
      () => readOptions({ [name]: 'ftp://user:secretword@x' }),
      (error) =>
        error instanceof OperatorError && error.message.includes(name) && !error.message.includes('secretword'),
    )
  }
})

test('trusted proxies are addresses or networks', () => {
  for (const text of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    'proxy.example.com',
    '::1/129',
    '10.0.0.1/8/8',
    '10.0.0.1,',
    '10.0.0.0/',
  ]) {
    assert.throws(() => readOptions({ TRUSTED_PROXIES: text }), /TRUSTED_PROXIES/, text)
  }
})

test('what nodes share has conditions of its own, and the log’s address is not repeated', () => {
  assert.throws(() => readOptions({ CHECKPOINTS: 'nats:' }), /CHECKPOINTS=nats: needs LOG_URL/)
  assert.throws(() => readOptions({ CHECKPOINT_HOURS: '6' }), /CHECKPOINT_HOURS needs CHECKPOINTS/)
  assert.throws(() => readOptions({ FOLLOW_HOLDERS: '5001' }), /FOLLOW_HOLDERS="5001" is not valid/)
  assert.throws(() => readOptions({ FOLLOW_HOLDERS: '-1' }), /FOLLOW_HOLDERS="-1" is not valid/)
  assert.throws(() => readOptions({ FOLLOW_DEPLOYERS: '1e3' }), /FOLLOW_DEPLOYERS="1e3" is not valid/)
  assert.throws(() => readOptions({ LOG_KEEP_HOURS: '0.05' }), /LOG_KEEP_HOURS="0.05" is not valid/)
  for (const LOG_URL of ['http://user:word@a:1', 'nats://a b', 'nats://user:word@a:x']) {
    assert.throws(
      () => readOptions({ LOG_URL }),
      (error) => error instanceof OperatorError && /^LOG_URL is not valid/.test(error.message),
      LOG_URL,
    )
  }
})
