/**
 * The filter language: comparisons of fields with values, combined by `and`, `or`, `not` and brackets, such as
 * `launchpad == "pumpfun" and bundled_pct <= 10`. Fields are a closed, typed list (docs/alerts.md).
 */

type FieldType = 'number' | 'text' | 'flag'
export type Fields = Readonly<Record<string, FieldType>>
/** Values of fields. Null is unknown, and no comparison with it is true. */
export type Values = Readonly<Record<string, number | string | boolean | null>>

/** Characters, nesting of brackets and `not`, and total terms: a page of text, evaluated in microseconds. */
export const FILTER_BOUNDS: Readonly<Record<'length' | 'depth' | 'terms', number>> = {
  length: 1_000,
  depth: 16,
  terms: 64,
}

/** Fields of a new token; percentages are 0 to 100. */
export const TOKEN_FIELDS = {
  mint: 'text',
  name: 'text',
  symbol: 'text',
  launchpad: 'text',
  deployer: 'text',
  colour: 'text',
  mcap: 'number',
  score: 'number',
  age_slots: 'number',
  trades: 'number',
  holders: 'number',
  bundled_pct: 'number',
  dirty_pct: 'number',
  dumpers_pct: 'number',
  alpha_hands_pct: 'number',
  conviction: 'number',
  deployer_pct: 'number',
  snipers_pct: 'number',
  fresh_pct: 'number',
  top_10_pct: 'number',
  curve_pct: 'number',
  kols: 'number',
  actors: 'number',
  bad_actors: 'number',
  graduated: 'flag',
  dex_paid: 'flag',
  drained: 'flag',
  rugged: 'flag',
  copied: 'flag',
} as const satisfies Fields

/** Fields of a topic's messages. A frame matches if one of its trades does. */
export const STREAM_FIELDS = {
  'frames:live': {
    mint: 'text',
    wallet: 'text',
    launchpad: 'text',
    sol_amount: 'number',
    mcap: 'number',
    buy: 'flag',
    bundled: 'flag',
    smart_money: 'flag',
  },
  'tokens:live': { mint: 'text', symbol: 'text', name: 'text', launchpad: 'text', type: 'text', mcap: 'number' },
  'verdicts:live': { mint: 'text', launchpad: 'text', before: 'text', colour: 'text', code: 'text' },
} as const satisfies Readonly<Record<string, Fields>>

/** A filter as a tree. A list of texts stands for `in`. */
export type Node =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly part: Node }
  | {
      readonly kind: 'is'
      readonly field: string
      readonly operator: string
      readonly literal: Literal | readonly string[]
    }

export interface Filter {
  /** Canonical text: equal for filters that differ only in spaces and notation. */
  readonly text: string
  readonly test: (values: Values) => boolean
  readonly node: Node
  /** The fields it names. */
  readonly fields: readonly string[]
}

type Parsed = { readonly ok: true; readonly filter: Filter } | { readonly ok: false; readonly message: string }

type Part = Pick<Filter, 'text' | 'node'>
type Literal = number | string | boolean

class Wrong extends Error {}

const TOKEN =
  /\s*(?:("(?:[^"\\\u0000-\u001f]|\\["\\])*")|(-?\d{1,15}(?:\.\d{1,9})?)(?![\w.])|([A-Za-z_]\w*)|(==|!=|<=|>=|[<>()[\],]))/y

interface Lexeme {
  readonly kind: 'text' | 'number' | 'word' | 'sign' | 'end'
  readonly raw: string
  readonly at: number
}

function lexemes(text: string): Lexeme[] {
  const found: Lexeme[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw wrong(text.length - text.slice(at).trimStart().length, 'a field, a value or an operator')
    at = TOKEN.lastIndex
    const raw = match[0].trim()
    const kind =
      match[1] !== undefined ? 'text' : match[2] !== undefined ? 'number' : match[3] !== undefined ? 'word' : 'sign'
    found.push({ kind, raw, at: at - raw.length })
  }
  return [...found, { kind: 'end', raw: 'the end', at: text.length }]
}

const wrong = (at: number, expected: string): Wrong => new Wrong(`at character ${at + 1}: expected ${expected}`)

/** Never throws. The message of a rejection gives the position and what is allowed there. */
export function parseFilter(text: string, fields: Fields): Parsed {
  if (text.length > FILTER_BOUNDS.length) {
    return { ok: false, message: `a filter has at most ${FILTER_BOUNDS.length} characters` }
  }
  try {
    return { ok: true, filter: createParser(lexemes(text), fields).whole() }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, message: error.message }
    throw error
  }
}

const OPERATORS: Readonly<Record<FieldType, readonly string[]>> = {
  number: ['==', '!=', '<', '<=', '>', '>='],
  text: ['==', '!=', 'in'],
  flag: ['==', '!='],
}

function createParser(tokens: readonly Lexeme[], fields: Fields) {
  let place = 0
  let terms = 0
  const named = new Set<string>()
  const peek = (): Lexeme => tokens[place]!
  const take = (): Lexeme => tokens[place++]!
  const takes = (raw: string): boolean => peek().raw === raw && peek().kind !== 'text' && ++place > 0

  function expect(raw: string): void {
    if (!takes(raw)) throw wrong(peek().at, `\`${raw}\``)
  }

  function count(at: number): void {
    if (++terms > FILTER_BOUNDS.terms) {
      throw new Wrong(`at character ${at + 1}: a filter has at most ${FILTER_BOUNDS.terms} comparisons and values`)
    }
  }

  function joined(word: 'and' | 'or', part: () => Part): Part {
    const parts = [part()]
    while (takes(word)) parts.push(part())
    if (parts.length === 1) return parts[0]!
    const node = { kind: word, parts: parts.map((one) => one.node) }
    return { text: `(${parts.map((one) => one.text).join(` ${word} `)})`, node }
  }

  const either = (depth: number): Part => joined('or', () => joined('and', () => single(depth)))

  function single(depth: number): Part {
    if (depth > FILTER_BOUNDS.depth) {
      throw new Wrong(
        `at character ${peek().at + 1}: at most ${FILTER_BOUNDS.depth} brackets and \`not\` within each other`,
      )
    }
    if (takes('not')) {
      const { text, node } = single(depth + 1)
      return { text: `not ${text}`, node: { kind: 'not', part: node } }
    }
    if (!takes('(')) return comparison()
    const inner = either(depth + 1)
    expect(')')
    return inner
  }

  function comparison(): Part {
    const name = take()
    if (name.kind !== 'word' || !Object.hasOwn(fields, name.raw)) {
      throw wrong(name.at, `one of the fields ${Object.keys(fields).join(', ')}`)
    }
    const field = name.raw
    const type = fields[field]!
    named.add(field)
    count(name.at)
    // a flag alone is compared with true
    if (type === 'flag' && !['==', '!='].includes(peek().raw)) return compare(field, '==', true)
    const operator = take()
    if (operator.kind === 'text' || !OPERATORS[type].includes(operator.raw)) {
      throw wrong(operator.at, `after \`${field}\` one of ${OPERATORS[type].join(' ')}`)
    }
    return operator.raw === 'in' ? among(field) : compare(field, operator.raw, value(field, type))
  }

  function among(field: string): Part {
    expect('[')
    const listed: string[] = []
    do {
      count(peek().at)
      listed.push(value(field, 'text') as string)
    } while (takes(','))
    expect(']')
    const literal = [...new Set(listed)].sort()
    const texts = literal.map((one) => JSON.stringify(one))
    return { text: `${field} in [${texts.join(', ')}]`, node: { kind: 'is', field, operator: 'in', literal } }
  }

  function value(field: string, type: FieldType): Literal {
    const { kind, raw, at } = take()
    if (type === 'number' && kind === 'number') return Number(raw)
    if (type === 'text' && kind === 'text') return raw.slice(1, -1).replace(/\\(.)/g, '$1')
    if (type === 'flag' && kind === 'word' && (raw === 'true' || raw === 'false')) return raw === 'true'
    const wanted = { number: 'a number', text: 'a text in double quotes', flag: 'true or false' } as const
    throw wrong(at, `${wanted[type]} for \`${field}\``)
  }

  return {
    whole(): Filter {
      const part = either(1)
      if (peek().kind !== 'end') throw wrong(peek().at, '`and`, `or` or the end')
      return filterOf(part, [...named])
    },
  }
}

/** Apart from the parser, so that a filter does not keep the words it was made from. */
const filterOf = ({ text, node }: Part, fields: readonly string[]): Filter => ({
  text,
  node,
  fields,
  test: (values) => holds(node, values),
})

const compare = (field: string, operator: string, literal: Literal): Part => ({
  text: `${field} ${operator} ${JSON.stringify(literal)}`,
  node: { kind: 'is', field, operator, literal },
})

export function holds(node: Node, values: Values): boolean {
  if (node.kind === 'is') return isTrue(node, values[node.field])
  if (node.kind === 'not') return !holds(node.part, values)
  const isAnd = node.kind === 'and'
  for (const part of node.parts) if (holds(part, values) !== isAnd) return !isAnd
  return isAnd
}

/** No comparison with an unknown value is true. */
function isTrue({ operator, literal }: Extract<Node, { kind: 'is' }>, value: Values[string] | undefined): boolean {
  if (value === null || value === undefined) return false
  if (typeof literal === 'object') return literal.includes(value as string)
  switch (operator) {
    case '==':
      return value === literal
    case '!=':
      return value !== literal
    case '<':
      return value < literal
    case '<=':
      return value <= literal
    case '>':
      return value > literal
    default:
      return value >= literal
  }
}
