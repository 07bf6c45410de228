import type { CommandDefinition } from './definition.ts'

const JSON_OPTION = { json: { help: 'the result as JSON' } } as const
const URL_OPTION = { takes: 'URL', default: 'http://127.0.0.1:4000', help: 'address of the running service' } as const
const NONE = { least: 0, most: 0 } as const
const ONE = { least: 1, most: 1 } as const

/** The service, and what asks a running one. */
export const SERVICE_DEFINITIONS: readonly CommandDefinition[] = [
  {
    name: 'serve',
    summary: 'runs the service',
    usage: '[--role all|ingest|serve]',
    operands: NONE,
    options: {
      role: {
        takes: 'ROLE',
        default: 'all',
        help: 'with LOG_URL: ingest brings what SOURCE gives, serve only folds and answers, all does both',
      },
    },
    notes: `Configured by HOST, PORT, PUBLIC_URL, DATA_DIR, SOURCE, LOG_URL, CHECKPOINTS, AGENTS_FILE, LOG_LEVEL,
VALIDATE_RESPONSES and others: see the README and docs/operating.md. With LOG_URL several nodes share one log.`,
    example: 'serve',
    signals: 'own',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'keys create',
    summary: 'makes a Pro key of the operator and prints it once',
    usage: '[--name NAME] [--expires-in-days N]',
    operands: NONE,
    options: {
      name: { takes: 'NAME', default: 'command line', help: 'what lists show' },
      'expires-in-days': { takes: 'N', default: 'never', help: 'days until it ends' },
    },
    notes: 'The key alone is on stdout. Needs a directory in which a service has run.',
    example: 'keys create --name "my bot" --expires-in-days 30',
    load: async () => (await import('./keys.ts')).createKey,
  },
  {
    name: 'keys list',
    summary: 'the keys of the operator',
    usage: '[--json]',
    operands: NONE,
    options: JSON_OPTION,
    example: 'keys list',
    load: async () => (await import('./keys.ts')).listKeys,
  },
  {
    name: 'keys revoke',
    summary: 'ends a key, of anybody, at once in the running service',
    usage: 'ID',
    operands: ONE,
    options: {},
    example: 'keys revoke key_0123456789ab',
    load: async () => (await import('./keys.ts')).revokeKey,
  },
  {
    name: 'accounts verify',
    summary: 'reads the database of accounts and its copies, says what is damaged; changes nothing',
    usage: '',
    operands: NONE,
    options: {},
    example: 'accounts verify',
    load: async () => (await import('./accounts.ts')).verifyAccounts,
  },
  {
    name: 'accounts restore',
    summary: 'replaces it by the newest good copy; what was there is kept aside',
    usage: '[--copy NAME]',
    operands: NONE,
    options: { copy: { takes: 'NAME', default: 'the newest good one', help: 'the copy to use' } },
    example: 'accounts restore',
    load: async () => (await import('./accounts.ts')).restoreAccounts,
  },
  {
    name: 'accounts accept',
    summary: 'uses the database as it is, though it is not what was written last',
    usage: '',
    operands: NONE,
    options: {},
    notes: `PostgreSQL reads all of it once. For an older back-up of your own, or after a power cut; payments acknowledged after
that state are gone.`,
    example: 'accounts accept',
    load: async () => (await import('./accounts.ts')).acceptAccounts,
  },
  {
    name: 'demo-pay',
    summary: 'buys one snapshot from a running service with play money',
    usage: '[MINT] [--url URL] [--v1] | --subscribe REFERENCE [--sol N] [--url URL]',
    operands: { least: 0, most: 1 },
    options: {
      url: URL_OPTION,
      v1: { help: 'pays as older clients do' },
      subscribe: {
        takes: 'REFERENCE',
        help: 'pays for an account instead; its page under /account shows the reference',
      },
      sol: { takes: 'N', default: '1', help: 'with --subscribe: how much' },
    },
    notes: `Uses the official x402 client and the sandbox chain of the service: a new wallet, 1 USDC of play money, no account.
Without MINT it first buys the list of new tokens.`,
    example: 'demo-pay',
    load: async () => (await import('./demo-pay.ts')).demoPay,
  },
  {
    name: 'tail',
    summary: 'follows a stream of a running service',
    usage: 'tokens|frames [options]',
    operands: ONE,
    options: {
      url: URL_OPTION,
      key: { takes: 'KEY', default: 'TI_KEY', help: 'better in TI_KEY, where no list of processes shows it' },
      mint: { takes: 'MINT', many: true, help: 'only what has to do with this token; several: with one of them' },
      wallet: { takes: 'WALLET', many: true, help: 'frames only: trades of this wallet; several: of one of them' },
      'after-seq': { takes: 'N', default: 'what is new', help: 'first shows what came after that message' },
      count: { takes: 'N', default: 'no end', help: 'ends after so many lines' },
      json: { help: 'the messages as they came' },
    },
    notes: `frames: a line for every trade. tokens: a line for every event of a token. After a break it resumes where it was.
Ctrl-C ends it.`,
    example: 'tail frames --count 6',
    signals: 'finishes',
    load: async () => (await import('./tail.ts')).tail,
  },
  {
    name: 'unknown',
    summary: 'lists events and instructions of the watched programs that no decoder knows',
    usage: '[--data-dir DIR] [--json] [--capture OUT]',
    operands: NONE,
    options: {
      'data-dir': { takes: 'DIR', default: 'DATA_DIR or ./data', help: 'of the node, which may be running' },
      ...JSON_OPTION,
      capture: { takes: 'OUT', help: 'also writes one of each kind into a capture, to be sent to the project' },
    },
    notes: 'Such events are signs that a program was upgraded.',
    example: 'unknown',
    load: async () => (await import('./unknown.ts')).unknown,
  },
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document of the REST interface',
    usage: '',
    operands: NONE,
    options: {},
    example: 'openapi > openapi.json',
    load: async () => (await import('./openapi.ts')).openapi,
  },
]
