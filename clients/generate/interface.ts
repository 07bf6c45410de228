import { STREAM_EVENTS, type Topic } from '@ti/core/contract/streams.ts'

/** The input of the generator: the OpenAPI document, and the messages of the streams. */

/** The part of JSON Schema that the interface uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly const?: string | number | boolean | null
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Field {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
  /** True for a comma-separated list. */
  readonly isList: boolean
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly inPath: readonly Field[]
  readonly inQuery: readonly Field[]
  readonly inBody: readonly Field[]
  readonly answer: Schema
  /** only the page's session opens it */
  readonly isOfPage: boolean
}

export interface Interface {
  readonly version: string
  readonly schemas: Readonly<Record<string, Schema>>
  readonly operations: readonly Operation[]
  /** Topic, event, and the name of the schema of its messages. */
  readonly topics: readonly { readonly topic: string; readonly event: string; readonly schema: string }[]
}

type Content = Readonly<Record<string, { readonly schema?: Schema } | undefined>>

interface PathOperation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

const METHODS = ['get', 'post', 'patch', 'delete'] as const
const JSON_TYPE = 'application/json'
const STREAMED: Readonly<Record<Topic, string>> = {
  'tokens:live': 'TokenEvent',
  'frames:live': 'Frame',
  'verdicts:live': 'VerdictChanged',
}

/** `openApi` is the text of the document. */
export function readInterface(openApi: string): Interface {
  const document = JSON.parse(openApi) as Document
  const { schemas } = document.components
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const one = methods[method]
      const answer = one?.responses['200']?.content?.[JSON_TYPE]?.schema
      return one === undefined || answer === undefined ? [] : [operationOf(document, { path, method, one, answer })]
    }),
  )
  // a client has a key, and no session of the page
  const operations = found.filter(({ isOfPage }) => !isOfPage)
  const streamed = Object.values(STREAMED).map((name) => ({ $ref: name }))
  const used = namesUsed(schemas, [...operations, ...streamed])
  const ofPage = namesUsed(
    schemas,
    found.filter(({ isOfPage }) => isOfPage),
  )
  return {
    version: document.info.version,
    schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name) || !ofPage.has(name))),
    operations,
    topics: Object.entries(STREAM_EVENTS).map(([topic, event]) => ({
      topic,
      event,
      schema: STREAMED[topic as Topic],
    })),
  }
}

/** Names of schemas that these values refer to, at any depth. */
function namesUsed(schemas: Readonly<Record<string, Schema>>, by: readonly unknown[]): ReadonlySet<string> {
  const used = new Set<string>()
  function visit(value: unknown): void {
    JSON.stringify(value, (key, inner: unknown) => {
      if (key !== '$ref') return inner
      const name = referred(String(inner))
      if (used.has(name)) return inner
      used.add(name)
      visit(schemas[name])
      return inner
    })
  }
  by.forEach(visit)
  return used
}

/** `#/components/schemas/Trade` → `Trade` */
export const referred = (ref: string): string => ref.split('/').at(-1)!

interface Described {
  readonly path: string
  readonly method: string
  readonly one: PathOperation
  readonly answer: Schema
}

function operationOf({ components }: Document, { path, method, one: found, answer }: Described): Operation {
  const parameters = (found.parameters ?? []).map((one) =>
    '$ref' in one ? components.parameters![referred(one.$ref)]! : one,
  )
  const fieldsIn = (place: string): Field[] => parameters.filter((one) => one.in === place).map(fieldOf)
  const body = found.requestBody?.content?.[JSON_TYPE]?.schema
  const shape = body?.$ref === undefined ? body : components.schemas[referred(body.$ref)]
  return {
    id: found.operationId ?? `${method}${path}`.replace(/\W+/g, '_'),
    method: method.toUpperCase(),
    path,
    summary: found.summary ?? '',
    description: found.description ?? '',
    inPath: fieldsIn('path'),
    inQuery: fieldsIn('query'),
    inBody: Object.entries(shape?.properties ?? {}).map(([name, schema]) => ({
      name,
      required: shape!.required?.includes(name) ?? false,
      description: schema.description ?? '',
      schema,
      isList: false,
    })),
    answer,
    isOfPage: found.tags?.includes('session') ?? false,
  }
}

const fieldOf = ({ name, required = false, description, schema }: Parameter): Field => {
  const text = description ?? schema.description ?? ''
  return { name, required, description: text, schema, isList: /^comma-separated/i.test(text) }
}
