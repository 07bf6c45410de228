import { existsSync } from 'node:fs'
import type { Run } from '@ti/service/cli/definition.ts'
import { throwIfInterrupted } from '@ti/service/cli/io.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { DRIVERS } from '../life/drivers.ts'
import { playLife, writeLife } from '../life/life.ts'

export const life: Run = async (given, io) => {
  const [out = ''] = given.operands
  const name = given.text('driver') ?? 'token'
  const load = DRIVERS[name]
  if (load === undefined) throw wrongUsage(`--driver takes ${Object.keys(DRIVERS).join(' or ')}, not ${name}`)
  const seed = given.whole('seed') ?? 1
  const steps = given.whole('steps') ?? 100
  const bar = io.progress('life')
  const taken = await playLife(await load(given.text('sdk') ?? null), {
    seed,
    steps,
    programs: given.text('programs') ?? null,
    onStep(done) {
      throwIfInterrupted(io)
      bar.update(Math.min(1, done / steps), () => `${done} transactions`)
    },
  })
  const finished = existsSync(out) ? () => {} : io.leaves(out)
  writeLife(taken, out)
  finished()
  bar.done()
  const failed = taken.filter(({ answer }) => answer.meta.err !== null).length
  const written = { transactions: taken.length, failed, seed, driver: name }
  io.result(
    given.has('json')
      ? `${JSON.stringify(written)}\n`
      : `${out}: ${taken.length} transactions, ${failed} of them failed, and expect.jsonx\n`,
  )
}
