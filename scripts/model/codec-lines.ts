import { QUOTE, QUOTE_BIT_MAX } from '@ti/core/model/events.ts'
import type { Bits, Field, Table } from '@ti/core/model/field.ts'

/** Generates the lines that write and read a record from its table, for codecs.ts. */
type Any = Field<unknown, 'plain' | 'fixed' | 'optional'>
type Params = (keyed: boolean, table: Table) => string[]

/** The written record is named `v`. */
const WIDTH = 120
const fieldsOf = (table: Table): [string, Any][] => Object.entries(table.fields)
const flagsName = (byte: number): string => (byte === 1 ? 'flags' : 'flags2')
const shiftOf = (bit: number): number => Math.log2(bit)
const isCounted = (values: readonly (string | number)[]): boolean => values.every((value, i) => value === i)
/** a mask of all bits of a packed number, shifted to 0 */
const widthMask = ({ values }: Any): number => 2 ** Math.ceil(Math.log2(values!.length)) - 1

/** Bits of a field in the bytes of flags. */
function bitsOf(field: Any): Bits[] {
  return [field.bits, field.when, field.as?.bits].filter((bits) => bits !== undefined)
}

const isNew = (name: string): string => `v.${name} > ${QUOTE_BIT_MAX}`

/** The condition under which an optional field is present. */
function isThere(name: string, { start, kind }: Any): string {
  if (start === null) return `v.${name} !== null`
  if (Array.isArray(start)) return `v.${name}.length !== 0`
  return `v.${name} !== ${kind === 'sig' ? "''" : start}`
}

/** The term of a field in a byte of flags; null if it has none there. */
function flagTerm(name: string, field: Any, byte: number): string | null {
  const { kind, bits, when, values } = field
  if (kind === 'quote' && bits?.byte === byte) return `(${isNew(name)} ? 0 : v.${name} << ${shiftOf(bits.bit)})`
  if (kind === 'quote' && when?.byte === byte) return `(${isNew(name)} ? ${when.bit} : 0)`
  if (kind === 'same' && when?.byte === byte) return name
  if (kind === 'flag' && bits?.byte === byte) return `(v.${name} ? ${bits.bit} : 0)`
  if (kind === 'packed' && bits?.byte === byte) {
    if (isCounted(values!)) return `(v.${name} << ${shiftOf(bits.bit)})`
    const tests = values!
      .slice(0, -1)
      .map((value, i) => `v.${name} === ${JSON.stringify(value).replaceAll('"', "'")} ? ${i} : `)
    return `(${tests.join('')}${values!.length - 1})`
  }
  if (when?.byte === byte) {
    return field.start === null
      ? `(v.${name} === null ? 0 : ${when.bit})`
      : `(${isThere(name, field)} ? ${when.bit} : 0)`
  }
  return null
}

function flagsLines(table: Table, byte: number): string[] {
  // bits of keys that may be equal are used twice, and comparing keys is expensive
  const first = fieldsOf(table).flatMap(([name, { kind, when, as }]) =>
    kind === 'same' && when!.byte === byte
      ? [`  const ${name} = v.${name} === null ? 0 : v.${name} === v.${as!.field} ? ${as!.bits.bit} : ${when!.bit}`]
      : [],
  )
  return [...first, ...flagsLine(table, byte)]
}

function flagsLine(table: Table, byte: number): string[] {
  const terms = fieldsOf(table)
    .map(([name, field]) => flagTerm(name, field, byte))
    .filter((term) => term !== null)
  // a single term needs no brackets
  const line = `  w.u8(${terms.length === 1 ? terms[0]!.replace(/^\((.*)\)$/, '$1') : terms.join(' | ')})`
  if (line.length <= WIDTH) return [line]
  const inside = `    ${terms.join(' | ')},`
  if (inside.length <= WIDTH) return ['  w.u8(', inside, '  )']
  return [
    '  w.u8(',
    ...terms.map((term, i) => `${i === 0 ? '    ' : '      '}${term}${i < terms.length - 1 ? ' |' : ','}`),
    '  )',
  ]
}

/** The bytes of flags that begin at this field, because no earlier field has a bit in them. */
function newBytes(seen: Set<number>, field: Any): number[] {
  const bytes = [...new Set(bitsOf(field).map(({ byte }) => byte))].filter((byte) => !seen.has(byte))
  for (const byte of bytes) seen.add(byte)
  return bytes
}

interface Writing {
  readonly keyed: boolean
  readonly writeParams: Params
}

export function writeLines(table: Table, on: Writing): string[] {
  const seen = new Set<number>()
  return fieldsOf(table).flatMap(([name, field]) => [
    ...newBytes(seen, field).flatMap((byte) => flagsLines(table, byte)),
    ...writeField(name, field, on),
  ])
}

function writeField(name: string, field: Any, { keyed, writeParams }: Writing): string[] {
  const x = `v.${name}`
  const at = keyed ? 'keys' : 'w'
  const call = (of: Table, value: string) => `write${of.name}(${[...writeParams(keyed, of), value].join(', ')})`
  const lines = ((): string[] => {
    switch (field.kind) {
      case 'num':
      case 'int':
        return [`w.num(${x})`]
      case 'numOrNull':
      case 'text':
      case 'textOrNull':
        return [`w.${field.kind}(${x})`]
      case 'small':
        return [`w.u8(${x})`]
      case 'bool':
        return [`w.u8(${x} ? 1 : 0)`]
      case 'key':
      case 'sig':
        return [`${at}.${field.kind}(${x})`]
      case 'numbers':
        return [`writeNumbers(w, ${x})`]
      case 'record':
        return [call(field.of!, x)]
      case 'list':
        return [`w.num(${x}.length)`, `for (const item of ${x}) ${call(field.of!, 'item')}`]
      case 'keys':
        return [`w.num(${x}.length)`, `for (const item of ${x}) ${at}.key(item)`]
      case 'same':
        return [`if (${name} === ${field.when!.bit}) ${at}.key(${x}!)`]
      case 'quote':
        return [field.bits === undefined ? `w.u8(${x})` : `if (${isNew(name)}) w.u8(${x})`]
      case 'asset':
        if (field.how === 'optional') return [`if (v.quote === ${QUOTE.other}) ${call(field.of!, 'assetOf(v)')}`]
        return [`if (${x} !== null) ${call(field.of!, x)}`]
      case 'packed':
      case 'flag':
      case 'given':
      case 'shortcut':
        return []
    }
  })()
  if (field.when === undefined || field.kind === 'same' || field.kind === 'quote')
    return lines.map((line) => `  ${line}`)
  if (lines.length === 1) return [`  if (${isThere(name, field)}) ${lines[0]}`]
  return [`  if (${isThere(name, field)}) {`, ...lines.map((line) => `    ${line}`), '  }']
}

interface Reading {
  readonly keyed: boolean
  readonly readParams: Params
  /** Properties before the table's own. */
  readonly before?: readonly string[]
  /** The type of the returned record, if it is not the table's. */
  readonly type?: string
  /** Generates only constants for the fields, no record. */
  readonly constants?: boolean
}

/**
 * Fields before this index become constants, because later ones depend on them; the others are read within the record
 * literal.
 */
function firstInPlace(table: Table): number {
  const names = fieldsOf(table).map(([name]) => name)
  const seen = new Set<number>()
  return Math.max(
    0,
    ...fieldsOf(table).map(([, field], i) => {
      if (field.kind === 'asset') return field.how === 'optional' ? i + 1 : names.indexOf('quote') + 1
      const begins = newBytes(seen, field).length > 0
      return Math.max(begins ? i : 0, field.as === undefined ? 0 : names.indexOf(field.as.field) + 1)
    }),
  )
}

export function readLines(table: Table, on: Reading): string[] {
  const fields = fieldsOf(table)
  const inPlace = on.constants ? fields.length : firstInPlace(table)
  const seen = new Set<number>()
  const lines: string[] = []
  const properties = (on.before ?? []).map((property) => `    ${property},`)
  const asset = fields.some(([, { kind, how }]) => kind === 'asset' && how === 'optional')
  for (const [i, [name, field]] of fields.entries()) {
    for (const byte of newBytes(seen, field)) lines.push(...flagsRead(table, byte))
    const value = readField(name, field, table, on)
    if (field.kind === 'quote' && field.bits !== undefined) lines.push(...packedQuote(field))
    else if (i < inPlace && !['given', 'flag', 'packed', 'shortcut'].includes(field.kind))
      lines.push(`  const ${name} = ${value}`)
    else {
      properties.push(value === name ? `    ${name},` : `    ${name}: ${value},`)
      continue
    }
    if (field.kind !== 'asset' || field.how !== 'optional') properties.push(`    ${name},`)
  }
  if (on.constants) return lines
  if (!asset) return [...lines, '  return {', ...properties, '  }']
  const all = [`  const v: ${table.name} = {`, ...properties, '  }']
  return [...lines, ...all, '  return asset === undefined ? v : { ...v, asset }']
}

function flagsRead(table: Table, byte: number): string[] {
  let mask = 0
  let later = 0
  const checks: string[] = []
  for (const [name, field] of fieldsOf(table)) {
    for (const bits of bitsOf(field)) {
      if (bits.byte !== byte) continue
      mask |= field.kind === 'packed' ? widthMask(field) * bits.bit : bits.bit
      if (field.kind === 'quote' && bits === field.when) later = bits.bit
    }
    if (field.kind !== 'packed' || field.bits?.byte !== byte) continue
    const shift = shiftOf(field.bits.bit)
    const shifted = shift === 0 ? flagsName(byte) : `(${flagsName(byte)} >> ${shift})`
    checks.push(`  const ${name} = ${shifted} & ${widthMask(field)}`)
    checks.push(
      `  if (${name} > ${field.values!.length - 1}) throw new MalformedBytes(\`unknown ${name} \${${name}}\`)`,
    )
  }
  const bound = later === 0 ? `${mask}` : `quoteMax > ${QUOTE_BIT_MAX} ? ${mask} : ${mask - later}`
  return [`  const ${flagsName(byte)} = ${mask === 255 ? 'r.u8()' : `r.upTo(${bound})`}`, ...checks]
}

/** Reads a quote that is one bit, or a byte of its own if another bit says so. */
function packedQuote({ bits, when }: Any): string[] {
  const bit = `(${flagsName(bits!.byte)} >> ${shiftOf(bits!.bit)}) & 1`
  return [
    `  const stated = (${flagsName(when!.byte)} & ${when!.bit}) !== 0`,
    `  const quote = (stated ? r.upTo(quoteMax) : ${bit}) as Quote`,
    `  if (stated && (flags & ${bits!.bit} || quote <= ${QUOTE_BIT_MAX})) throw new MalformedBytes('two quotes')`,
  ]
}

function readField(name: string, field: Any, table: Table, { keyed, readParams }: Reading): string {
  const at = keyed ? 'keys' : 'r'
  const call = (of: Table): string => `read${of.name}(${readParams(keyed, of).join(', ')})`
  const value = ((): string => {
    switch (field.kind) {
      case 'num':
      case 'int':
      case 'numOrNull':
      case 'text':
      case 'textOrNull':
      case 'bool':
        return `r.${field.kind}()`
      case 'small':
        return `r.upTo(${field.max}) as ${table.name}['${name}']`
      case 'key':
      case 'sig':
        return `${at}.${field.kind}()`
      case 'numbers':
        return 'readNumbers(r)'
      case 'record':
        return call(field.of!)
      case 'list':
        return keyed ? `readList(r, () => ${call(field.of!)})` : `readList(r, read${field.of!.name})`
      case 'keys':
        return `readList(r, () => ${at}.key())`
      case 'same': {
        const { when, as } = field
        const flags = flagsName(when!.byte)
        return `${flags} & ${as!.bits.bit} ? ${as!.field} : ${flags} & ${when!.bit} ? ${at}.key() : null`
      }
      case 'quote':
        return 'r.upTo(quoteMax) as Quote'
      case 'asset':
        return `quote === ${QUOTE.other} ? ${call(field.of!)} : ${field.how === 'optional' ? 'undefined' : 'null'}`
      case 'flag':
        return `(${flagsName(field.bits!.byte)} & ${field.bits!.bit}) !== 0`
      case 'packed':
        if (isCounted(field.values!)) return `${name} as ${table.name}['${name}']`
        return field
          .values!.map(
            (one, i) =>
              (i === field.values!.length - 1 ? '' : `${name} === ${i} ? `) + JSON.stringify(one).replaceAll('"', "'"),
          )
          .join(' : ')
      case 'given':
        return name
      case 'shortcut':
        return String(field.start)
    }
  })()
  if (field.when === undefined || field.kind === 'same' || field.kind === 'quote') return value
  return `${flagsName(field.when.byte)} & ${field.when.bit} ? ${value} : ${startOf(field)}`
}

/** The start value as code. */
export function startOf({ kind, start, of }: Any): string {
  if (kind === 'sig') return 'NO_SIG'
  if (kind === 'record' && start === undefined) return `empty${of!.name}()`
  if (Array.isArray(start)) return '[]'
  return typeof start === 'string' ? `'${start}'` : String(start)
}

export const typeOf = ({ kind }: Any): string => (kind === 'key' ? 'Key' : kind === 'sig' ? 'Sig' : 'number')
