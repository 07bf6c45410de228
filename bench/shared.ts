import { attack } from './shortages.ts'
import type { BenchRow } from './types.ts'

/**
 * How long a Pro key waits while strangers hold all of theirs and go on asking, against a bare node:http server under the same
 * requests: a measurement of test/attacks/shared.attack.ts.
 */
const BAR = 3

export async function benchShared(): Promise<BenchRow[]> {
  const said = await attack('shared')
  const [, quiet, busy, bare] =
    /quiet ([\d.]+) ms, with strangers ([\d.]+) ms, of a bare server ([\d.]+) ms/.exec(said) ?? []
  if (quiet === undefined || busy === undefined || bare === undefined) throw new Error(`the attack failed:\n${said}`)
  const ratio = Number(busy) / Number(bare)
  return [
    {
      name: 'p99 of a Pro key while strangers hold all of theirs and ask, against a bare server that they ask, in turns (at most)',
      ratio,
      bar: BAR,
      pass: ratio < BAR,
      detail: `${busy} ms : ${bare} ms; without strangers ${quiet} ms`,
    },
  ]
}
