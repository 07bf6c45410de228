import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ACTOR, ACTOR_EDGES, MEMBERSHIP, NAMED_ACTOR } from '@ti/core/model/actors.ts'
import { AGENT_BOOK } from '@ti/core/model/agents.ts'
import { BUNDLE_BOOK } from '@ti/core/model/bundles.ts'
import { DEPLOYER } from '@ti/core/model/deployer.ts'
import { BLOCK_HEAD, CHAIN_NAME, FACTS_HEAD, GAP, TERMS } from '@ti/core/model/entries.ts'
import { EVENTS } from '@ti/core/model/events.ts'
import { FACTS } from '@ti/core/model/facts.ts'
import type { Table, Union } from '@ti/core/model/field.ts'
import { POPULATION } from '@ti/core/model/population.ts'
import { READING_ROW, TOKEN_EVENTS, TRADE_ROW } from '@ti/core/model/rows.ts'
import { GLOBALS, POSITION, TOKEN, WALLET } from '@ti/core/model/state.ts'
import { readLines, startOf, typeOf, writeLines } from './codec-lines.ts'

/** Generates `packages/core/src/model/generated` from the tables in `packages/core/src/model`: `npm run model`. A test compares the files. */
interface File {
  readonly name: string
  /** For the log, where an entry has tables of its keys. */
  readonly keyed: boolean
  readonly of: readonly (Table | Union)[]
  /** Tables whose functions are in this file for use by others, which would otherwise be too long. */
  readonly parts?: readonly Table[]
  /** Tables for which empty records are generated. */
  readonly empty: readonly Table[]
}

const FILES: readonly File[] = [
  { name: 'events', keyed: true, of: [EVENTS], empty: [] },
  { name: 'facts', keyed: true, of: [FACTS], empty: [] },
  { name: 'entries', keyed: true, of: [BLOCK_HEAD, FACTS_HEAD, GAP, CHAIN_NAME, TERMS], empty: [] },
  { name: 'parts', keyed: false, of: [], parts: [MEMBERSHIP, NAMED_ACTOR, POPULATION], empty: [] },
  { name: 'token', keyed: false, of: [TOKEN], empty: [] },
  { name: 'wallet', keyed: false, of: [WALLET, POSITION, GLOBALS], empty: [] },
  { name: 'rows', keyed: false, of: [TRADE_ROW, READING_ROW, TOKEN_EVENTS], empty: [] },
  { name: 'actors', keyed: false, of: [ACTOR, ACTOR_EDGES], empty: [] },
  { name: 'books', keyed: false, of: [BUNDLE_BOOK, AGENT_BOOK], empty: [] },
  { name: 'empty', keyed: false, of: [], empty: [TOKEN, WALLET, POSITION, GLOBALS, DEPLOYER, BUNDLE_BOOK] },
]

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'packages/core/src/model/generated')
const isUnion = (one: Table | Union): one is Union => 'kinds' in one
const fieldsOf = (table: Table) => Object.entries(table.fields)

/** name of a type → the file of the model that declares it */
function declaredIn(): Map<string, string> {
  const model = readdirSync(join(ROOT, 'packages/core/src/model')).filter((name) => /^\w+\.ts$/.test(name))
  return new Map(
    model.flatMap((file) =>
      [
        ...readFileSync(join(ROOT, 'packages/core/src/model', file), 'utf8').matchAll(
          /^export (?:interface|type) (\w+)/gm,
        ),
      ].map(([, type]) => [type!, file] as const),
    ),
  )
}

/** A file as generated so far. */
interface Page extends File {
  readonly functions: string[]
  /** Functions that other generated files use. */
  readonly shared: Set<string>
}

const pages: Page[] = []
/** the file with the functions of each table; a table used in log and store has two */
const homes = { log: new Map<Table, Page>(), store: new Map<Table, Page>() }
const homesOf = ({ keyed }: File): Map<Table, Page> => (keyed ? homes.log : homes.store)

/** Parameters besides the reader or writer. */
const usesQuote = (table: Table): boolean =>
  Object.values(table.fields).some(({ kind, of }) => kind === 'quote' || (of !== undefined && usesQuote(of)))
const usesKeys = (table: Table): boolean =>
  Object.values(table.fields).some(
    ({ kind, of }) => ['key', 'sig', 'keys', 'same'].includes(kind) || (of !== undefined && usesKeys(of)),
  )

/** True if it writes bytes of its own, and not only references to keys. */
const usesBytes = (table: Table): boolean =>
  Object.values(table.fields).some(
    ({ kind, of, when }) =>
      when !== undefined || (of === undefined ? !['key', 'sig', 'given', 'shortcut'].includes(kind) : usesBytes(of)),
  )

function signature(name: string, params: readonly string[], type: string): string {
  const line = `function ${name}(${params.join(', ')}): ${type} {`
  return line.length <= 120 ? line : `function ${name}(\n  ${params.join(',\n  ')},\n): ${type} {`
}

/** Parameters of a record's functions: for calls, and with their types. */
const writeParams = (keyed: boolean, table: Table) => [
  ...(!keyed || usesBytes(table) ? ['w'] : []),
  ...(keyed && usesKeys(table) ? ['keys'] : []),
]
const readParams = (keyed: boolean, table: Table) => [
  ...(!keyed || usesBytes(table) ? ['r'] : []),
  ...(keyed && usesKeys(table) ? ['keys'] : []),
  ...(keyed && usesQuote(table) ? ['quoteMax'] : []),
]
const TYPES: Record<string, string> = { quoteMax: 'number' }
const typed = (side: 'Reader' | 'Writer') => (name: string) =>
  `${name}: ${TYPES[name] ?? (name === 'keys' ? `Key${side}` : side)}`

const givenOf = (table: Table) => fieldsOf(table).filter(([, { kind }]) => kind === 'given')

/** Generates the functions of `table` and its nested tables in `page`; those of other pages are imported. */
function place(page: Page, table: Table): void {
  const home = homesOf(page).get(table)
  if (home !== undefined) {
    if (home !== page) for (const side of ['write', 'read']) home.shared.add(side + table.name)
    return
  }
  homesOf(page).set(table, page)
  if (table.byHand !== undefined) return
  for (const { of } of Object.values(table.fields)) if (of !== undefined) place(page, of)
  const { keyed } = page
  const write = writeLines(table, { keyed, writeParams })
  if (write.length > 0)
    page.functions.push(
      [
        signature(
          `write${table.name}`,
          [...writeParams(keyed, table).map(typed('Writer')), `v: ${table.name}`],
          'void',
        ),
        ...write,
        '}',
      ].join('\n'),
    )
  const given = givenOf(table).map(([name]) => `${name}: number`)
  page.functions.push(
    [
      signature(`read${table.name}`, [...readParams(keyed, table).map(typed('Reader')), ...given], table.name),
      ...readLines(table, { keyed, readParams }),
      '}',
    ].join('\n'),
  )
}

function placeUnion(page: Page, union: Union): void {
  const { keyed } = page
  const { head, kinds } = union
  const extra = union.with
  const all = kinds.map(([, own]) => own)
  const whole: Table = { name: union.name, fields: Object.assign({}, head.fields, ...all.map(({ fields }) => fields)) }
  if (extra !== undefined) place(page, extra.of)
  const kept = fieldsOf(head).filter(([, { kind }]) => kind !== 'given')
  const heads = fieldsOf(head).map(([name, field]) => `${name}: ${typeOf(field)}`)
  const headNames = fieldsOf(head).map(([name]) => name)
  for (const [kind, own] of kinds) {
    for (const { of } of Object.values(own.fields)) if (of !== undefined) place(page, of)
    if (fieldsOf(own).length === 0) continue
    const params = [...writeParams(keyed, own).map(typed('Writer')), `v: ${own.name}`]
    page.functions.push(
      [signature(`write${own.name}`, params, 'void'), ...writeLines(own, { keyed, writeParams }), '}'].join('\n'),
    )
    const reads = [...readParams(keyed, own).map(typed('Reader')), ...heads]
    const lines = readLines(own, { keyed, readParams, before: [`kind: '${kind}'`, ...headNames], type: union.name })
    page.functions.push([signature(`read${own.name}`, reads, union.name), ...lines, '}'].join('\n'))
  }
  const number = kinds.map(([kind], i) => `${kind}: ${i}`).join(', ')
  const numberOf = `${union.name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_KIND`
  const test =
    extra === undefined ? '' : `v.kind === '${extra.kind}' && v.${extra.field} !== undefined ? ${kinds.length} : `
  const numbers = `const ${numberOf} = { ${number} } as const`
  const listed = `const ${numberOf} = {\n  ${number.replaceAll(', ', ',\n  ')},\n} as const`
  page.functions.push(numbers.length <= 120 ? numbers : listed)
  page.functions.push(
    [
      `export ${signature(`write${union.name}`, [...writeParams(keyed, whole).map(typed('Writer')), `v: ${union.name}`], 'void')}`,
      `  w.u8(${test}${numberOf}[v.kind])`,
      ...writeLines({ name: union.name, fields: Object.fromEntries(kept) }, { keyed, writeParams }),
      '  switch (v.kind) {',
      ...kinds.flatMap(([kind, own]) => {
        const call = `write${own.name}(${[...writeParams(keyed, own), 'v'].join(', ')})`
        if (extra?.kind === kind)
          return [
            `    case '${kind}':`,
            `      ${call}`,
            `      if (v.${extra.field} !== undefined) write${extra.of.name}(${[...writeParams(keyed, extra.of), `v.${extra.field}`].join(', ')})`,
            '      return',
          ]
        return [`    case '${kind}':`, `      return${fieldsOf(own).length === 0 ? '' : ` ${call}`}`]
      }),
      '  }',
      '}',
    ].join('\n'),
  )
  const callOf = ([kind, own]: Union['kinds'][number]): string =>
    fieldsOf(own).length === 0
      ? `{ ${[`kind: '${kind}'`, ...headNames].join(', ')} }`
      : `read${own.name}(${[...readParams(keyed, own), ...headNames].join(', ')})`
  const given = givenOf(head).map(([name]) => `${name}: number`)
  const reads = [...readParams(keyed, whole).map(typed('Reader')), ...given]
  page.functions.push(
    [
      `export ${signature(`read${union.name}`, reads, union.name)}`,
      '  const kind = r.u8()',
      ...readLines({ name: union.name, fields: Object.fromEntries(kept) }, { keyed, readParams, constants: true }),
      '  switch (kind) {',
      ...kinds.flatMap((one, i) => [`    case ${i}:`, `      return ${callOf(one)}`]),
      ...(extra === undefined
        ? []
        : [
            `    case ${kinds.length}: {`,
            `      const ${extra.kind} = ${callOf(kinds.find(([kind]) => kind === extra.kind)!)} as ${kinds.find(([kind]) => kind === extra.kind)![1].name}`,
            `      return { ...${extra.kind}, ${extra.field}: read${extra.of.name}(${readParams(keyed, extra.of).join(', ')}) }`,
            '    }',
          ]),
      '    default:',
      `      throw new MalformedBytes(\`unknown kind \${kind}\`)`,
      '  }',
      '}',
    ].join('\n'),
  )
}

/** Generates the store's functions: a record to bytes, valid until the next call, and back. */
function placeWhole(page: Page, name: string, given: readonly string[]): void {
  page.functions.push(
    [
      `export function encode${name}(v: ${name}): Buffer {`,
      ...['  w.take()', `  write${name}(w, v)`, '  return w.take()', '}'],
    ].join('\n'),
    [
      `export function decode${name}(${[...given.map((one) => `${one}: number`), 'bytes: Buffer'].join(', ')}): ${name} {`,
      '  r.open(bytes, 0, bytes.length)',
      `  const v = read${name}(${['r', ...given].join(', ')})`,
      ...['  r.done()', '  return v', '}'],
    ].join('\n'),
  )
}

function placeEmpty(page: Page, table: Table): void {
  for (const { kind, of, start } of Object.values(table.fields))
    if (kind === 'record' && of !== undefined && start === undefined) placeEmpty(page, of)
  const fixed = fieldsOf(table).filter(([, { how }]) => how === 'fixed')
  const lines = fieldsOf(table).map(([name, field]) =>
    field.how === 'fixed' ? `  ${name},` : `  ${name}: ${startOf(field)},`,
  )
  const params = fixed.map(([name, field]) => `${name}: ${typeOf(field)}`).join(', ')
  const own = page.empty.includes(table) ? 'export ' : ''
  page.functions.push(`${own}const empty${table.name} = (${params}): ${table.name} => ({\n${lines.join('\n')}\n})`)
}

/** The import lines that `body` needs. */
function importsOf(page: Page, body: string, types: ReadonlyMap<string, string>): string {
  const from = new Map<string, string[]>()
  const add = (file: string, name: string) => from.set(file, [...(from.get(file) ?? []), name])
  const code = body.replace(/'[^']*'/g, '')
  const uses = (name: string): boolean => new RegExp(`(?<![.\\w])${name}(?![\\w:])`).test(code)
  for (const name of ['Key', 'Sig']) if (new RegExp(`: ${name}\\b`).test(code)) add('../../base/ids.ts', `type ${name}`)
  const bytes = ['MalformedBytes', 'readList', 'readNumbers', 'recordReader', 'recordWriter', 'writeNumbers']
  for (const name of bytes) if (uses(name)) add('../bytes.ts', name)
  for (const name of ['Reader', 'Writer']) if (code.includes(`: ${name}`)) add('../bytes.ts', `type ${name}`)
  for (const name of ['KeyReader', 'KeyWriter']) if (code.includes(`: ${name}`)) add('../keys.ts', `type ${name}`)
  if (uses('NO_SIG')) add('../../base/ids.ts', 'NO_SIG')
  if (uses('assetOf')) add('../events.ts', 'assetOf')
  for (const [type, file] of types) {
    if (new RegExp(`(?:: |as |=> )${type}\\b(?!')`).test(code) && !/bytes|keys|field/.test(file))
      add(`../${file}`, `type ${type}`)
  }
  for (const [table, home] of homesOf(page)) {
    if (home === page && table.byHand === undefined) continue
    for (const side of ['write', 'read'])
      if (uses(side + table.name)) add(table.byHand ?? `./${home.name}.ts`, side + table.name)
  }
  // sorted like the formatter: by letter, capitals first
  const plain = (name: string) => name.replace('type ', '').replace(/[A-Z]/g, (letter) => `${letter.toLowerCase()} `)
  return [...from]
    .sort(
      ([a], [b]) =>
        (a.startsWith('.') && b.startsWith('.') ? b.split('../../test/').length - a.split('../../test/').length : 0) ||
        (a < b ? -1 : 1),
    )
    .map(([file, names]) => {
      const sorted = names.sort((a, b) => (plain(a) < plain(b) ? -1 : 1))
      const types = sorted.every((name) => name.startsWith('type '))
      const list = types ? sorted.map((name) => name.slice(5)) : sorted
      const line = `import ${types ? 'type ' : ''}{ ${list.join(', ')} } from '${file}'`
      return line.length <= 120 ? line : `import ${types ? 'type ' : ''}{\n  ${list.join(',\n  ')},\n} from '${file}'`
    })
    .join('\n')
}

/** name of each file in packages/core/src/model/generated → its contents */
export function makeCodecs(): Map<string, string> {
  for (const file of FILES) {
    const page: Page = { ...file, functions: [], shared: new Set() }
    pages.push(page)
    if (!file.keyed && file.of.length > 0) page.functions.push('const w = recordWriter\nconst r = recordReader')
    for (const one of file.parts ?? []) place(page, one)
    for (const one of file.of) {
      if (isUnion(one)) placeUnion(page, one)
      else place(page, one)
      if (file.keyed) {
        if (!isUnion(one)) for (const side of ['write', 'read']) page.shared.add(side + one.name)
      } else
        placeWhole(
          page,
          one.name,
          givenOf(isUnion(one) ? one.head : one).map(([name]) => name),
        )
    }
    for (const table of file.empty) placeEmpty(page, table)
  }
  const types = declaredIn()
  const made = new Map(
    pages.splice(0).map((page) => {
      const functions = page.functions.map((text) => {
        const [, name] = /^function (\w+)/.exec(text) ?? []
        return name !== undefined && page.shared.has(name) ? `export ${text}` : text
      })
      const body = `${functions.join('\n\n')}\n`
      const head = '// Generated by `npm run model` from the tables in packages/core/src/model; edit those instead.'
      return [`${page.name}.ts`, `${head}\n${importsOf(page, body, types)}\n\n${body}`]
    }),
  )
  for (const home of [homes.log, homes.store]) home.clear()
  return made
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, text] of makeCodecs()) writeFileSync(join(FOLDER, name), text)
}
