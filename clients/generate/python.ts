import { type Field, type Interface, type Operation, referred, type Schema } from './interface.ts'

const FOLDER = 'clients/python/token_intelligence'
const HEAD = '# Generated from openapi.json by `npm run clients`. Do not edit.\n'

/** Path from the project's root → text. Contains the types, and the operations twice: synchronous and asynchronous. */
const literal = (value: string | number | boolean | null): string =>
  value === null ? 'None' : typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value)

export function pythonOf(described: Interface): Readonly<Record<string, string>> {
  return {
    [`${FOLDER}/types.py`]: typesOf(described),
    [`${FOLDER}/_operations.py`]: operationsOf(described),
  }
}

function typesOf({ version, schemas }: Interface): string {
  const classes: string[] = []
  const names: string[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    names.push(name)
    const before = classes.length
    // A nullable type is a union of the class and None. The union gets the plain name.
    const type = typeOf(schema, typeof schema.type === 'object' ? `${name}Value` : name, classes)
    if (type !== name) classes.push(`${name} = ${type}\n${docOf(schema.description, '')}`)
    else if (classes.length === before) throw new Error(`${name} is itself`)
  }
  // A type may be used before its declaration.
  return [
    HEAD,
    `"""The answers and stream messages of the service. \`VERSION\` is the version of the interface."""\n`,
    'from __future__ import annotations\n',
    'from typing import Any, Literal, NotRequired, TypedDict, Union\n',
    `VERSION = "${version}"\n`,
    ...classes,
  ].join('\n')
}

/** The Python type of a schema. Objects become classes that are named after their place. */
function typeOf(schema: Schema, name: string, classes: string[]): string {
  const { $ref, type, items } = schema
  if ($ref !== undefined) return quoted(referred($ref))
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const several = schema.oneOf ?? schema.anyOf
  if (several !== undefined) return union(several.map((one, i) => typeOf(one, `${name}${wordOf(one, i)}`, classes)))
  if (typeof type === 'object') return union(type.map((one) => typeOf({ ...schema, type: one }, name, classes)))
  switch (type) {
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `list[${typeOf(items ?? {}, `${name}Item`, classes)}]`
    case 'object':
      return objectOf(schema, name, classes)
    default:
      return 'Any'
  }
}

/** Quotes a name that may be used before its declaration. */
const quoted = (name: string): string => `"${name}"`

const union = (types: readonly string[]): string => `Union[${types.join(', ')}]`

/** Variants are named after their kind if they have one. */
function wordOf({ properties }: Schema, i: number): string {
  const kind = properties?.type?.const ?? properties?.type?.enum?.[0]
  return typeof kind === 'string' ? kind.split('_').map(capital).join('') : String(i + 1)
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function objectOf({ properties, required = [], description }: Schema, name: string, classes: string[]): string {
  if (properties === undefined) return 'dict[str, Any]'
  const fields = Object.entries(properties).map(([field, schema]) => {
    const inner = typeOf(schema, name + field.split('_').map(capital).join(''), classes)
    // The class of this field is already in the list.
    const type = required.includes(field) ? inner : `NotRequired[${inner}]`
    return `    ${field}: ${type}\n${docOf(schema.description, '    ')}`
  })
  classes.push(`class ${name}(TypedDict):\n${docOf(description, '    ')}${fields.join('') || '    pass\n'}`)
  return name
}

function docOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n')
  const body = lines.map((line, i) => (i === 0 ? line : `${indent}${line}`.trimEnd())).join('\n')
  return `${indent}"""${body}${lines.length > 1 ? `\n${indent}` : ''}"""\n`
}

function operationsOf({ operations }: Interface): string {
  const methods = (isAsync: boolean) => operations.map((operation) => methodOf(operation, isAsync)).join('\n')
  return [
    HEAD,
    'from __future__ import annotations\n',
    'from collections.abc import Mapping, Sequence',
    'from typing import Any, Optional, Union',
    'from urllib.parse import quote\n',
    'from . import types',
    'from ._shared import LEFT_OUT\n\n',
    'class Operations:',
    '    """Every operation of the interface. Each raises an `ApiError` if the answer is not 200."""\n',
    '    def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:',
    '        raise NotImplementedError\n',
    `${methods(false)}\n`,
    'class AsyncOperations:',
    '    """The same operations, asynchronous."""\n',
    '    async def _call(self, method: str, path: str, query: Mapping[str, Any], body: Mapping[str, Any]) -> Any:',
    '        raise NotImplementedError\n',
    methods(true),
  ].join('\n')
}

function methodOf({ id, method, path, summary, description, ...fields }: Operation, isAsync: boolean): string {
  const { inPath, inQuery, inBody, answer } = fields
  const optional = [...inQuery, ...inBody]
  const parameters = [
    'self',
    ...inPath.map(({ name }) => `${name}: str`),
    ...(optional.length > 0 ? ['*'] : []),
    ...inQuery.map((field) => parameter(field, 'Optional[', '] = None')),
    ...inBody.map((field) => parameter(field, '', ' = LEFT_OUT')),
  ]
  const filled = inPath.reduce((sum, { name }) => sum.replace(`{${name}}`, `{quote(${name}, safe='')}`), path)
  const described = [...inPath, ...optional].map(({ name, description: text }) => `${name}: ${text}`)
  const doc = docOf(
    [`${summary}. ${description}`, ...(described.length > 0 ? ['', ...described] : [])].join('\n'),
    '        ',
  )
  const call = `self._call("${method}", ${inPath.length > 0 ? 'f' : ''}"${filled}", ${dict(inQuery)}, ${dict(inBody)})`
  return `    ${isAsync ? 'async ' : ''}def ${id}(${parameters.join(', ')}) -> ${answerOf(answer)}:
${doc}        answer: ${answerOf(answer)} = ${isAsync ? 'await ' : ''}${call}
        return answer
`
}

const answerOf = ({ $ref }: Schema): string => ($ref === undefined ? 'Any' : `types.${referred($ref)}`)

const dict = (fields: readonly Field[]): string => `{${fields.map(({ name }) => `"${name}": ${name}`).join(', ')}}`

/** A field of a body can be null, which says something else than a field that is left out. */
function parameter({ name, required, schema, isList }: Field, before: string, after: string): string {
  const types: string[] = []
  const type = isList ? 'Union[str, Sequence[str]]' : typeOf(schema, '', types)
  const plain = types.length > 0 || type.includes('"') ? 'Any' : type
  return required ? `${name}: ${plain}` : `${name}: ${before}${plain}${after}`
}
