import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs, seed } from '../../../../test/support/chance.ts'
import fc from '../../../../test/support/property.ts'
import { seededRandom } from '../../../../test/support/random.ts'
import { FILTER_BOUNDS, type Fields, parseFilter, STREAM_FIELDS, TOKEN_FIELDS, type Values } from './filter.ts'

const FIELDS: Fields = { pad: 'text', mcap: 'number', trades: 'number', wallet: 'text', rugged: 'flag' }
const VALUES: Values = { pad: 'pumpfun', mcap: 5_000, trades: null, wallet: 'b"c', rugged: false }

function holds(text: string, values: Values = VALUES): boolean {
  const parsed = parseFilter(text, FIELDS)
  assert.ok(parsed.ok, 'message' in parsed ? parsed.message : '')
  return parsed.filter.test(values)
}

test('what holds and what does not', () => {
  for (const [text, expected] of [
    ['pad == "pumpfun"', true],
    ['pad=="pumpfun"and mcap>4999.5', true],
    ['pad != "pumpfun"', false],
    ['mcap < 5000', false],
    ['mcap <= 5000 and mcap >= 5000 and mcap == 5000.0', true],
    ['mcap > -1', true],
    // no comparison with an unknown value is true, not even an inequality
    ['trades > 0', false],
    ['trades != 3', false],
    ['not trades > 0', true],
    ['rugged', false],
    ['not rugged', true],
    ['rugged == false', true],
    ['rugged or mcap > 1', true],
    // precedence: not, and, or
    ['mcap > 1 or mcap < 1 and rugged', true],
    ['(mcap > 1 or mcap < 1) and rugged', false],
    ['not rugged and not (mcap == 1)', true],
    ['wallet == "b\\"c"', true],
    ['wallet == "c"', false],
    ['wallet in ["x", "b\\"c"]', true],
    ['wallet in ["x"]', false],
  ] as const) {
    assert.equal(holds(text), expected, text)
  }
})

test('a refusal says where, and what is allowed there', () => {
  for (const [text, message] of [
    ['', 'at character 1: expected one of the fields pad, mcap, trades, wallet, rugged'],
    ['colour == 1', 'at character 1: expected one of the fields pad, mcap, trades, wallet, rugged'],
    ['mcap', 'at character 5: expected after `mcap` one of == != < <= > >='],
    ['mcap = 1', 'at character 6: expected a field, a value or an operator'],
    ['mcap == "1"', 'at character 9: expected a number for `mcap`'],
    ['mcap == 1e3', 'at character 9: expected a field, a value or an operator'],
    ['pad == pumpfun', 'at character 8: expected a text in double quotes for `pad`'],
    ['pad > "a"', 'at character 5: expected after `pad` one of == != in'],
    ['pad in []', 'at character 9: expected a text in double quotes for `pad`'],
    ['pad in ["a"', 'at character 12: expected `]`'],
    ['rugged == 1', 'at character 11: expected true or false for `rugged`'],
    ['(mcap == 1', 'at character 11: expected `)`'],
    ['mcap == 1 mcap == 2', 'at character 11: expected `and`, `or` or the end'],
    ['pad == "a', 'at character 8: expected a field, a value or an operator'],
    ['constructor == 1', 'at character 1: expected one of the fields pad, mcap, trades, wallet, rugged'],
  ] as const) {
    assert.deepEqual(parseFilter(text, FIELDS), { ok: false, message }, text)
  }
})

test('bounds: characters, depth, comparisons and values', () => {
  const { length, depth, terms } = FILTER_BOUNDS
  const answer = (text: string): string => {
    const parsed = parseFilter(text, FIELDS)
    return parsed.ok ? 'ok' : parsed.message
  }
  const long = (characters: number): string => `mcap == 1${' '.repeat(characters - 9)}`
  assert.equal(answer(long(length)), 'ok')
  assert.match(answer(long(length + 1)), /at most 1000 characters/)
  assert.match(answer('x'.repeat(1 << 20)), /at most 1000 characters/)
  const nested = (brackets: number): string => `${'('.repeat(brackets)}rugged${')'.repeat(brackets)}`
  assert.equal(answer(nested(depth - 1)), 'ok')
  assert.match(answer(nested(depth)), /at most 16 brackets/)
  assert.match(answer(`${'not '.repeat(200)}rugged`), /at most 16 brackets/)
  assert.equal(answer(Array(terms).fill('rugged').join(' or ')), 'ok')
  assert.match(
    answer(
      Array(terms + 1)
        .fill('rugged')
        .join(' or '),
    ),
    /at most 64 comparisons/,
  )
  assert.match(answer(`pad in [${Array(terms).fill('"a"').join(',')}]`), /at most 64 comparisons/)
})

test('filters that differ in writing only have the same text; the fields they name are known', () => {
  const one = parseFilter('pad in ["b","a","a"] and(rugged)', FIELDS)
  const other = parseFilter(' pad   in [ "a", "b" ] and rugged == true ', FIELDS)
  assert.ok(one.ok && other.ok)
  assert.equal(one.filter.text, other.filter.text)
  assert.deepEqual(one.filter.fields, ['pad', 'rugged'])
  // the canonical text is an equivalent filter
  const again = parseFilter(one.filter.text, FIELDS)
  assert.ok(again.ok)
  assert.equal(again.filter.text, one.filter.text)
})

test('whatever comes in, nothing is thrown and nothing hangs', () => {
  const word = fc.constantFrom(
    ...['mcap', 'pad', 'rugged', 'wallet', 'and', 'or', 'not', 'in', '(', ')', '[', ']', ',', '==', '!=', '<', '>='],
    ...['"a"', '"\\"', '1', '-0.5', '999999999999999', '1.', '.', '\\', '"', ' ', '\u0000', '\ud800', '__proto__'],
  )
  const hostile = fc.oneof(
    fc.array(word, { maxLength: 80 }).map((words) => words.join(' ')),
    fc.string({ maxLength: FILTER_BOUNDS.length + 1, unit: 'binary' }),
    fc.array(word, { maxLength: 80 }).map((words) => words.join('')),
  )
  for (const fields of [FIELDS, TOKEN_FIELDS, ...Object.values(STREAM_FIELDS)]) {
    fc.assert(
      fc.property(hostile, (text) => {
        const parsed = parseFilter(text, fields)
        if (!parsed.ok) return /^(at character \d+: |a filter has at most)/.test(parsed.message)
        return typeof parsed.filter.test({}) === 'boolean'
      }),
      { numRuns: runs(2_000) },
    )
  }
})

type Tree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Tree[] }
  | { readonly kind: 'not'; readonly of: Tree }
  | { readonly kind: 'leaf'; readonly text: string; readonly holds: boolean }

/** A slow evaluation of the tree instead of the text. */
function expected(tree: Tree): boolean {
  switch (tree.kind) {
    case 'leaf':
      return tree.holds
    case 'not':
      return !expected(tree.of)
    case 'and':
      return !tree.parts.some((part) => !expected(part))
    case 'or':
      return tree.parts.some(expected)
  }
}

const written = (tree: Tree): string =>
  tree.kind === 'leaf'
    ? tree.text
    : tree.kind === 'not'
      ? `not ${tree.of.kind === 'leaf' ? tree.of.text : `(${written(tree.of)})`}`
      : tree.parts.map((part) => (part.kind === 'leaf' ? part.text : `(${written(part)})`)).join(` ${tree.kind} `)

function grow(random: () => number, depth: number): Tree {
  const kind = depth === 0 ? 0 : Math.floor(random() * 4)
  if (kind === 0) {
    const value = Math.floor(random() * 3) + 4_999
    const signs = { '<': 5_000 < value, '>': 5_000 > value, '==': value === 5_000, '!=': value !== 5_000 }
    const sign = (['<', '>', '==', '!='] as const)[Math.floor(random() * 4)]!
    return { kind: 'leaf', text: `mcap ${sign} ${value}`, holds: signs[sign] }
  }
  if (kind === 1) return { kind: 'not', of: grow(random, depth - 1) }
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => grow(random, depth - 1))
  return { kind: kind === 2 ? 'and' : 'or', parts }
}

test('a written tree of comparisons means what the tree means', () => {
  const random = seededRandom(seed())
  let compared = 0
  for (let n = 0; n < runs(3_000); n++) {
    const tree = grow(random, 3)
    const text = written(tree)
    const parsed = parseFilter(text, FIELDS)
    if (!parsed.ok) {
      assert.match(parsed.message, /at most/, text)
      continue
    }
    assert.equal(parsed.filter.test(VALUES), expected(tree), text)
    compared++
  }
  assert.ok(compared > runs(2_000))
})
