import { existsSync } from 'node:fs'
import { OperatorError } from '../base/errors.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import { readOptions } from '../config/options.ts'
import { exampleOf, isWhole, type UnknownKind } from '../decode/unknown.ts'
import { readUnknown } from '../ingest/unknown-file.ts'
import { createCaptureWriter } from '../source/capture/writer.ts'
import { type Command, parse } from './command.ts'
import { labelOf } from './unknown-status.ts'

const usage = `unknown [--data-dir DIR] [--json] [--capture OUT]
  lists events and instructions of the watched programs that no decoder knows, of the node in DATA_DIR, which may be running:
  signs that a program was upgraded. --capture writes one of each kind into a capture, to be sent to the project`

export const unknown: Command = {
  usage,
  async run(args) {
    const text = { type: 'string' } as const
    const options = { 'data-dir': text, capture: text, json: { type: 'boolean' } } as const
    const { values } = parse(usage, args, options, { min: 0, max: 0 })
    const dataDir = values['data-dir'] ?? readOptions(process.env).dataDir
    if (!existsSync(dataDir)) throw new OperatorError(`${dataDir} is not there: name the service's data directory`)
    const kinds = readUnknown(dataDir)
    process.stdout.write(values.json === true ? `${JSON.stringify(kinds, null, 2)}\n` : listOf(kinds))
    if (values.capture !== undefined) process.stdout.write(`${await writeExamples(kinds, values.capture)}\n`)
  },
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

/** The kinds that were met first in one transaction are one there too, in its slot. */
async function writeExamples(kinds: readonly UnknownKind[], out: string): Promise<string> {
  const whole = kinds.filter(isWhole)
  if (whole.length === 0) throw new OperatorError('nothing to write: there is no kind of which all bytes are kept')
  const slots = groupsOf(whole, ({ firstSlot }) => firstSlot)
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: 'unknown',
    holds: 'one event or instruction of each kind that no decoder knew, without the transaction around it',
  })
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
  const left = kinds.length - whole.length
  const rest = left === 0 ? '' : `; ${left} of which not all bytes are kept are only in the list`
  return `${out}: ${whole.length} ${whole.length === 1 ? 'kind' : 'kinds'}${rest}`
}

function groupsOf<Id>(kinds: readonly UnknownKind[], idOf: (kind: UnknownKind) => Id): Map<Id, UnknownKind[]> {
  const groups = new Map<Id, UnknownKind[]>()
  for (const kind of kinds) groups.set(idOf(kind), [...(groups.get(idOf(kind)) ?? []), kind])
  return groups
}
