import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * The success of Pro keys under 26,000 connections, and the recovery time after disk space or descriptors were
 * exhausted at 50 moments: measurements of test/attacks/shortages.attack.ts, compared with bars. Needs the built
 * program.
 */
const BAR = { share: 3, backS: 5 }

export async function benchShortages(): Promise<BenchRow[]> {
  const said = await attack('shortages')
  const [, quiet, busy] = /quiet ([\d.]+) ms of \d+, under attack ([\d.]+) ms/.exec(said) ?? []
  const [, back] = /back after (\d+) ms/.exec(said) ?? []
  if (quiet === undefined || busy === undefined || back === undefined) throw new Error(`the attack failed:\n${said}`)
  const [share, backS] = [Number(busy) / Number(quiet), Number(back) / 1_000]
  return [
    {
      name: 'p99 of Pro keys under 26,000 connections against quiet, in turns (at most)',
      ratio: share,
      bar: BAR.share,
      pass: share < BAR.share,
      detail: `${busy} ms : ${quiet} ms`,
    },
    {
      name: 'seconds until the service is itself again after 50 shortages (at most)',
      ratio: backS,
      bar: BAR.backS,
      pass: backS < BAR.backS,
      detail: 'counted from when the crowd has left',
    },
  ]
}

/** Returns the output of a file of test/attacks; throws if it fails. */
export function attack(name: string): Promise<string> {
  const file = join(ROOT, `test/attacks/${name}.attack.ts`)
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '--test', file], { cwd: ROOT })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  child.stderr.pipe(process.stderr)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => (code === 0 ? done(said) : fail(new Error(`the attack failed:\n${said}`))))
  })
}
