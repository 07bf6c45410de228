import { existsSync } from 'node:fs'
import { isoMicrosOrNull } from '@ti/core/base/time.ts'
import { exampleOf, isWhole, type UnknownKind } from '@ti/core/decode/unknown.ts'
import { OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { readUnknown } from '../ingest/unknown-file.ts'
import { labelOf } from '../service/unknown-status.ts'
import { createCaptureWriter, partialOf } from '../source/capture/writer.ts'
import type { Run } from './definition.ts'
import type { Io } from './io.ts'

export const unknown: Run = async (given, io) => {
  const dataDir = given.text('data-dir') ?? readOptions(environment()).dataDir
  if (!existsSync(dataDir)) throw new OperatorError(`${dataDir} is not there: name the service's data directory`)
  const kinds = readUnknown(dataDir)
  const out = given.text('capture')
  const isJson = given.has('json')
  io.result(isJson ? `${JSON.stringify(kinds, null, 2)}\n` : listOf(kinds))
  if (out === undefined) return
  const written = await writeExamples(kinds, out, io)
  if (isJson) io.note(written)
  else io.result(`${written}\n`)
}

const HEAD = [
  'program',
  'what',
  'name or discriminator',
  'bytes',
  'why',
  'count',
  'first slot',
  'last slot',
  'last time',
]

function listOf(kinds: readonly UnknownKind[]): string {
  if (kinds.length === 0) return 'nothing: every event and instruction of the watched programs was known\n'
  const rows = kinds.map((kind) => [
    labelOf(kind.program),
    kind.what,
    kind.discriminator === '' ? 'others' : [kind.name, kind.discriminator].filter((part) => part !== '').join(' '),
    kind.length < 0 ? 'several' : String(kind.length),
    kind.why,
    String(kind.count),
    String(kind.firstSlot),
    String(kind.lastSlot),
    isoMicrosOrNull(kind.lastTime) ?? '-',
  ])
  const widths = HEAD.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return `${[HEAD, ...rows].map(line).join('\n')}\n`
}

/** Kinds first found in one transaction are written as one transaction, in its slot. */
async function writeExamples(kinds: readonly UnknownKind[], out: string, io: Io): Promise<string> {
  const whole = kinds.filter(isWhole)
  if (whole.length === 0) throw new OperatorError('nothing to write: no kind has all of its bytes stored')
  const slots = groupsOf(whole, ({ firstSlot }) => firstSlot)
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: 'unknown',
    chain: null,
    holds: 'one event or instruction of each kind that no decoder knew, without the transaction around it',
  })
  const finished = io.leaves(partialOf(out))
  try {
    for (const [slot, met] of [...slots].sort(([a], [b]) => a - b)) {
      const transactions = [...groupsOf(met, ({ signature }) => signature).values()].map(exampleOf)
      await writer.write({ kind: 'raw', block: { slot, parent: -1, time: 0, transactions } })
    }
    await writer.finish()
  } catch (error) {
    await writer.discard()
    throw error
  }
  finished()
  const left = kinds.length - whole.length
  const rest = left === 0 ? '' : `; ${left} without all bytes are only in the list`
  return `${out}: ${whole.length} ${whole.length === 1 ? 'kind' : 'kinds'}${rest}`
}

function groupsOf<Id>(kinds: readonly UnknownKind[], idOf: (kind: UnknownKind) => Id): Map<Id, UnknownKind[]> {
  const groups = new Map<Id, UnknownKind[]>()
  for (const kind of kinds) groups.set(idOf(kind), [...(groups.get(idOf(kind)) ?? []), kind])
  return groups
}
