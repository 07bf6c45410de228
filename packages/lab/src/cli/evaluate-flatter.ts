import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '@ti/service/base/errors.ts'
import type { Run } from '@ti/service/cli/definition.ts'
import { throwIfInterrupted } from '@ti/service/cli/io.ts'
import { flatter } from '../flatter/flatter.ts'
import { cheapGreens, flatteryPage } from '../flatter/report.ts'

/** market of `evaluate --flatter`: slots and trades a second (some fifty planted rugs, in a minute or two), and rugs tried */
const FLATTER_SLOTS = 10_800
const FLATTER_TRADES_PER_SECOND = 12
const FLATTER_RUGS = 48

/** `evaluate --flatter`: tricks on planted rugs, and what they cost. */
export const evaluateFlattery: Run = async (given, io) => {
  if (given.operands.length > 0)
    throw new OperatorError('evaluate --flatter makes a market of its own and takes no FILE')
  const seed = given.whole('seed') ?? 1
  const out = given.text('out') ?? './evaluation'
  const bar = io.progress('flatter')
  const market = { slots: FLATTER_SLOTS, tps: FLATTER_TRADES_PER_SECOND, rugs: FLATTER_RUGS }
  const update = (share: number): void => bar.update(share, () => 'trying tricks on planted rugs')
  const flattery = await flatter({ seed, ...market, signal: io.signal, update })
  throwIfInterrupted(io)
  mkdirSync(out, { recursive: true })
  const page = join(out, 'flattery.md')
  writeFileSync(page, flatteryPage(flattery, `evaluate --flatter --seed ${seed}`))
  bar.done()
  const turned = cheapGreens(flattery.rugs)
  io.result(given.has('json') ? `${JSON.stringify({ page, turned })}\n` : `${page}\n`)
}
