import { parseArgs } from 'node:util'
import { PATTERNS, type Pattern } from './market.ts'

export interface SoakOptions {
  readonly commits: number
  readonly seed: number
  readonly pattern: Pattern
  readonly kills: number
  /** clean closings and reopenings */
  readonly restarts: number
  /** comparisons with a plain fold, the one at the end included */
  readonly checks: number
  /** checkpoints and exports, in turns */
  readonly copies: number
  /** processes that read while it is written */
  readonly readers: number
  /** null: a temporary one, removed when nothing failed */
  readonly dir: string | null
  readonly report: string | null
}

const USAGE = `npm run soak -- --commits N --seed S [--pattern ${PATTERNS.join('|')}] [--dir DIR] [--kills K] [--restarts R]
  [--checks C] [--copies C] [--readers R] [--report FILE]`

export function readSoakOptions(args: readonly string[]): SoakOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      commits: text,
      seed: text,
      pattern: text,
      kills: text,
      restarts: text,
      checks: text,
      copies: text,
      readers: text,
      dir: text,
      report: text,
    },
  })
  const count = (name: keyof typeof values, usual: number, least = 0): number => {
    const given = values[name]
    const n = given === undefined ? usual : Number(given)
    if (!Number.isSafeInteger(n) || n < least) throw new Error(`--${name} ${given}: not a whole number\n${USAGE}`)
    return n
  }
  const pattern = PATTERNS.find((one) => one === (values.pattern ?? 'mixed'))
  if (pattern === undefined) throw new Error(`--pattern ${values.pattern}: unknown\n${USAGE}`)
  const commits = count('commits', 20_000, 1)
  return {
    commits,
    seed: count('seed', Date.now() % 1_000_000),
    pattern,
    kills: count('kills', 3),
    restarts: count('restarts', 3),
    checks: count('checks', 2, 1),
    copies: count('copies', 4),
    readers: count('readers', 1),
    dir: values.dir ?? null,
    report: values.report ?? null,
  }
}

/** The command that does the same again; moments of kills differ by milliseconds. */
export function commandOf(options: SoakOptions): string {
  const { commits, seed, pattern, kills, restarts, checks, copies, readers } = options
  const named = { commits, seed, pattern, kills, restarts, checks, copies, readers }
  return `npm run soak -- ${Object.entries(named)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')}`
}
