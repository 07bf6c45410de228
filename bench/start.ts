import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

const MAIN = resolve(import.meta.dirname, '../dist/main.js')
const ROUNDS = 15
/** largest multiple of a bare start of Node.js in the same run: help reads a dozen small files */
const BAR = 1.6

/** Milliseconds from start to end. */
function timed(...args: string[]): number {
  const started = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - started
}

/** The start time of commands relative to `node -e 0`, measured alternately. */
export async function benchStart(): Promise<BenchRow[]> {
  const [bare, help, usage]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < ROUNDS; i++) {
    bare.push(timed('-e', '0'))
    help.push(timed(MAIN, 'help'))
    usage.push(timed(MAIN, 'verify', '--help'))
  }
  const ratio = Math.max(median(help), median(usage)) / median(bare)
  const ms = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`
  return [
    {
      name: 'start: help against a bare start of Node',
      ratio,
      bar: BAR,
      pass: ratio <= BAR,
      detail: `bare ${ms(bare)}, help ${ms(help)}, verify --help ${ms(usage)}; medians of ${ROUNDS}`,
    },
  ]
}
