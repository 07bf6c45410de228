import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LOG_LEVELS, type LogLevel } from '../base/log.ts'

/** What an operator chooses, from environment variables. An empty variable counts as not set. */
export interface Options {
  readonly host: string
  /** 0 lets the system choose */
  readonly port: number
  /** absolute, without a trailing slash; how the service calls itself in its answers */
  readonly publicUrl: string
  readonly dataDir: string
  readonly source: string
  /** JSON file with the wallets shown as trading agents; null: only the rule strategies */
  readonly agentsFile: string | null
  readonly logLevel: LogLevel
  /** check every answer against its schema before it is sent */
  readonly validateResponses: boolean
}

function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return plain && (url.protocol === 'http:' || url.protocol === 'https:')
}

const variable = (valid: string, check: (text: string) => boolean) => z.string().refine(check, valid)

const SCHEMA = z.object({
  HOST: variable('a host name or address, like 127.0.0.1 or ::', (text) => /^[\w.:-]{1,253}$/.test(text)).default(
    '127.0.0.1',
  ),
  PORT: variable('an integer from 0 to 65535', (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535)
    .transform(Number)
    .default(4_000),
  PUBLIC_URL: variable('an http or https URL without query, like https://api.example.com', isPublicUrl)
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: variable('a directory', (text) => !text.includes('\0')).default('./data'),
  SOURCE: variable('simulator: or capture:FILE, both with options after a ?', (text) =>
    /^(simulator:|capture:.)/.test(text),
  ).default('simulator:'),
  AGENTS_FILE: variable('a file', (text) => !text.includes('\0')).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  VALIDATE_RESPONSES: z
    .enum(['0', '1'], '0 or 1')
    .default('0')
    .transform((text) => text === '1'),
})

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
      return `${name}=${JSON.stringify(given[name])} is not valid: ${issue.message}`
    })
    throw new OperatorError(problems.join('\n'), { exitCode: EXIT.usage })
  }
  const { HOST, PORT, PUBLIC_URL, DATA_DIR, SOURCE, AGENTS_FILE, LOG_LEVEL, VALIDATE_RESPONSES } = parsed.data
  return {
    host: HOST,
    port: PORT,
    publicUrl: PUBLIC_URL ?? derivePublicUrl(HOST, PORT),
    dataDir: DATA_DIR,
    source: SOURCE,
    agentsFile: AGENTS_FILE ?? null,
    logLevel: LOG_LEVEL,
    validateResponses: VALIDATE_RESPONSES,
  }
}
