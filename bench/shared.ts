import { attack } from './shortages.ts'
import type { BenchRow } from './types.ts'

/** How long a Pro key waits while strangers hold all of theirs and go on asking: a measurement of test/attacks/shared.attack.ts. */
const BAR = 2

export async function benchShared(): Promise<BenchRow[]> {
  const said = await attack('shared')
  const [, quiet, busy] = /quiet ([\d.]+) ms of \d+, with strangers ([\d.]+) ms/.exec(said) ?? []
  if (quiet === undefined || busy === undefined) throw new Error(`the attack failed:\n${said}`)
  const ratio = Number(busy) / Number(quiet)
  return [
    {
      name: 'p99 of a Pro key while strangers hold all of theirs against quiet, in turns (at most)',
      ratio,
      bar: BAR,
      pass: ratio < BAR,
      detail: `${busy} ms : ${quiet} ms`,
    },
  ]
}
