import { type Field, type Interface, type Operation, referred, type Schema } from './interface.ts'

const HEAD = '// Generated from openapi.json by `npm run clients`. Do not edit.\n'

/** Types of every answer and stream message, and the operations. */
export function typescriptOf({ version, schemas, operations, topics }: Interface): string {
  return [
    HEAD,
    `/** The version of the interface. */\nexport const VERSION = '${version}'\n`,
    ...Object.entries(schemas).map(([name, schema]) => declaration(name, schema)),
    `/** The payload of each topic's messages. */\nexport interface Topics {\n${topics
      .map(({ topic, schema }) => `  '${topic}': ${schema}\n`)
      .join('')}}\n`,
    `/** Options of a call, beside its parameters. */
export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal
}\n`,
    `/** Every operation of the interface. Each fails with an \`ApiError\` if the answer is not 200. */
export interface Operations {\n${operations.map(method).join('\n')}}\n`,
    `/** The method, path, query names and body names of each operation. */
export const OPERATIONS: Readonly<Record<keyof Operations, readonly [string, string, readonly string[], readonly string[]]>> = {
${operations.map(row).join('')}}\n`,
  ].join('\n')
}

function declaration(name: string, schema: Schema): string {
  const comment = commentOf(schema.description, '')
  if (isObject(schema)) return `${comment}export interface ${name} ${typeOf(schema, '')}\n`
  return `${comment}export type ${name} = ${typeOf(schema, '')}\n`
}

const isObject = ({ type, properties }: Schema): boolean => type === 'object' && properties !== undefined

function typeOf(schema: Schema, indent: string): string {
  const { $ref, type, items } = schema
  if ($ref !== undefined) return referred($ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const several = schema.oneOf ?? schema.anyOf
  if (several !== undefined) return several.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeOf(one, indent)).join(' & ')
  if (typeof type === 'object') return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(' | ')
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return `readonly ${inBrackets(typeOf(items ?? {}, indent))}[]`
    case 'object':
      return objectOf(schema, indent)
    default:
      return 'unknown'
  }
}

const inBrackets = (type: string): string =>
  /[|&]|^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type

const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? `'${value}'` : String(value)

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Readonly<Record<string, ${values}>>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${commentOf(schema.description, inner)}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')
  return `${indent}/**\n${body}\n${indent} */\n`
}

/** TypeScript takes a method called `new` without quotes for a constructor. */
const nameOf = (id: string): string => (/^[A-Za-z_]\w*$/.test(id) && id !== 'new' ? id : `'${id}'`)

function method({ id, summary, description, inPath, inQuery, inBody, answer }: Operation): string {
  const described = [...inPath, ...inQuery, ...inBody].map(({ name, description: text }) => `@param ${name} ${text}`)
  const comment = commentOf([`${summary}. ${description}`, '', ...described].join('\n').trim(), '  ')
  const asked = [...inQuery, ...inBody]
  const isOptional = asked.every(({ required }) => !required)
  const fields = asked.map(argument).join('; ')
  const options = asked.length === 0 ? 'CallOptions' : `{ ${fields} } & CallOptions`
  const parameters = [
    ...inPath.map((field) => `${field.name}: ${typeOf(field.schema, '')}`),
    `asked${isOptional ? '?' : ''}: ${options}`,
  ]
  return `${comment}  ${nameOf(id)}(${parameters.join(', ')}): Promise<${typeOf(answer, '  ')}>\n`
}

const argument = ({ name, required, schema, isList }: Field): string =>
  `${name}${required ? '' : '?'}: ${typeOf(schema, '')}${isList ? ' | readonly string[]' : ''}`

const row = ({ id, method: verb, path, inQuery, inBody }: Operation): string =>
  `  ${nameOf(id)}: ['${verb}', '${path}', [${namesOf(inQuery)}], [${namesOf(inBody)}]],\n`

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => `'${name}'`).join(', ')
