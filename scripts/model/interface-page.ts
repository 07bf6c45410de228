import { createHash } from 'node:crypto'
import type { Idl, IdlField, IdlType } from '../../test/outside/witness.ts'

/**
 * Reads a page that describes interfaces in short: `## program` with its address, and below it fenced lists of
 * instructions and events, one a line: name, discriminator, and for events the fields after a colon.
 */
export function readPage(page: string): Readonly<Record<string, Idl>> {
  const groups = new Map([...page.matchAll(/(\[[A-Z]+\]) = ([^;\n]+)/g)].map(([, name, fields]) => [name!, fields!]))
  const sections = page.split(/^## /m).slice(1)
  return Object.fromEntries(
    sections.flatMap((section) => {
      const label = /^\w+/.exec(section)![0]
      const address = /Program (\w{32,44})/.exec(section)?.[1]
      return address === undefined ? [] : [[label, interfaceOf(label, address, section, groups)]]
    }),
  )
}

function interfaceOf(label: string, address: string, section: string, groups: ReadonlyMap<string, string>): Idl {
  const list = (kind: string): string => section.split(`### ${label} ${kind}\n`)[1]?.split('```')[1] ?? ''
  const instructions = linesOf(list('instructions'), 'global').map((one) => ({ ...one, accounts: [] }))
  const events = linesOf(list('events'), 'event')
  const fields = new Map(events.map(({ name, rest }) => [name, rest]))
  const types = events.map(({ name, rest }) => {
    const text = /^: as (\w+)$/.exec(rest)
    return {
      name,
      type: { kind: 'struct' as const, fields: fieldsOf(text === null ? rest : fields.get(text[1]!)!, groups) },
    }
  })
  return { address, instructions, events, types }
}

/** Lines that name something, each with the discriminator that its name gives. */
function linesOf(list: string, kind: 'global' | 'event') {
  return [...list.matchAll(/^(\w+)\+? ([0-9a-f]{16})\b(.*)$/gm)].map(([, name, hex, rest]) => {
    const bytes = createHash('sha256').update(`${kind}:${name}`).digest().subarray(0, 8)
    if (bytes.toString('hex') !== hex) throw new Error(`${name}: ${hex} is not the discriminator of this name`)
    return { name: name!, discriminator: [...bytes], rest: rest! }
  })
}

const TYPES: Readonly<Record<string, IdlType>> = {
  k: 'pubkey',
  b: 'bool',
  i: 'i64',
  s: 'string',
  cs: 'u8',
  ok: { option: 'pubkey' },
  V: { vec: { array: ['u8', 34] } },
  keys: { vec: 'pubkey' },
  F: { array: ['u64', 3] },
  VT: { vec: { array: ['u8', 40] } },
}

function fieldsOf(line: string, groups: ReadonlyMap<string, string>): IdlField[] {
  const words = line.replace(/^:/, '').replace(/\[[A-Z]+\]/g, (name) => groups.get(name)!)
  return words
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '|')
    .map((word) => {
      const [name, type = 'u64'] = word.split(':')
      const keys = /^k(\d+)$/.exec(type)
      return { name: name!, type: keys === null ? (TYPES[type] ?? type) : { array: ['pubkey', Number(keys[1])] } }
    })
}
