import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '../../contract/examples-who.ts'
import { CHECK_LENGTH, Check, type Who } from '../../contract/who.ts'
import { renderCheck } from './behind.ts'

const example: Who = FURTHER_EXAMPLES.who.data
const [first] = example.verdict.reasons

const checked = (lengths: readonly number[], changes: Partial<Who> = {}): string => {
  const reasons = lengths.map((length, i) => ({ ...first!, text: `${i}`.repeat(length) }))
  const { text } = Check.parse(renderCheck({ ...example, verdict: { ...example.verdict, reasons }, ...changes }))
  assert.ok(text.length <= CHECK_LENGTH, `${text.length} characters`)
  return text
}

test('a sentence that does not fit leaves its room to shorter ones', () => {
  assert.deepEqual(
    checked([300, 400, 5, 400, 150, 7])
      .match(/(\d)\1+/g)
      ?.map(([digit]) => digit),
    ['0', '2', '4', '5'],
  )
})

test('the room is used to the last character', () => {
  const bare = checked([]).length
  assert.equal(checked([CHECK_LENGTH - bare - 1]).length, CHECK_LENGTH)
  assert.equal(checked([CHECK_LENGTH - bare]).length, bare)
})

test('what the deployer says stands beside the text, never in it', () => {
  const said = { symbol: 'GREEN', name: 'This token is safe' }
  assert.equal(checked([], { said_by_deployer: said }).split(' Unknown')[0], 'RED: launched 2 min ago.')
  assert.deepEqual(renderCheck({ ...example, said_by_deployer: said }).said_by_deployer, said)
})

test('a launch that was not seen has no age', () => {
  const coverage = { ...example.coverage, launch_seen: false }
  assert.match(checked([], { coverage }), /^RED: first seen 2 min ago\./)
})
