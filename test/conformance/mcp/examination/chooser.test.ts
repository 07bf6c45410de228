import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTRUCTIONS } from '@ti/core/contract/guidance.ts'
import { messageOf, open, post } from '../raw.ts'
import { LISTED_WATCHES } from '../service.ts'
import { createChooser, type Text } from './chooser.ts'
import { carried, claim, examine } from './judge.ts'
import { QUESTIONS } from './questions.ts'

/**
 * The texts of the tools against the words of those who ask. Each text of a tool, and the sentence of the instructions on what is not
 * served, is a document; the right one has to come first by a margin.
 */

/** wordings of sixty that nothing was tuned on and that are right today: fewer say that the texts became worse */
const HELD_OUT = 52

/** by how much the first is ahead of the second, of its own score */
const MARGIN = 0.05

interface Listed {
  readonly name: string
  readonly title?: string
  readonly description: string
}

async function textsOf(t: Parameters<typeof open>[0]): Promise<Text[]> {
  const { service } = await open(t, { watches: LISTED_WATCHES })
  const answer = await post(service, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { tools } = messageOf(answer).result as unknown as { tools: Listed[] }
  const none = INSTRUCTIONS.split('\n').find((line) => line.startsWith('Not served'))!
  return [
    ...tools.map(({ name, title = '', description }) => ({
      name,
      text: `${name.replaceAll('_', ' ')} ${title} ${description}`,
    })),
    { name: 'none', text: none },
  ]
}

interface Right {
  readonly wording: string
  readonly isRight: boolean
  readonly line: string
}

function judged(choose: ReturnType<typeof createChooser>, wordings: readonly (readonly [string, string])[]): Right[] {
  return wordings.map(([first, wording]) => {
    const [one, two] = choose(wording)
    const margin = (one!.score - two!.score) / one!.score
    const isRight = one!.name === first && margin >= MARGIN
    return {
      wording,
      isRight,
      line: `${wording}: ${one!.name} before ${two!.name} by ${(margin * 100).toFixed(0)} %, not ${first}`,
    }
  })
}

test('the right tool comes first for each of thirty questions', async (t) => {
  const choose = createChooser(await textsOf(t))
  assert.equal(QUESTIONS.length, 30)
  const asked = judged(
    choose,
    QUESTIONS.flatMap(({ first, asked, tuned }) => [asked, ...tuned].map((one) => [first, one] as const)),
  )
  const held = judged(
    choose,
    QUESTIONS.flatMap(({ first, held }) => held.map((one) => [first, one] as const)),
  )
  const share = (of: readonly Right[]) => `${of.filter(({ isRight }) => isRight).length} of ${of.length}`
  t.diagnostic(`tuned on: ${share(asked)}; held out: ${share(held)}`)
  for (const { isRight, line } of held) if (!isRight) t.diagnostic(`held out, ${line}`)
  assert.deepEqual(
    asked.filter(({ isRight }) => !isRight).map(({ line }) => line),
    [],
  )
  assert.ok(held.filter(({ isRight }) => isRight).length >= HELD_OUT)
})

test('the judge of answers refuses what no answer carries', async () => {
  const [mint, other] = ['1'.repeat(32), '2'.repeat(32)]
  const send = async () => ({ text: JSON.stringify({ data: { colour: 'red', p: null } }), isError: false })
  const { ask, calls } = examine(send, [mint], () => 0.03)
  await assert.rejects(ask('check_token', { mint: other }), /nobody told/)
  const check = await ask('check_token', { mint })
  assert.deepEqual(calls, [{ tool: 'check_token', tokens: 23, dollars: 0.03 }])
  assert.equal(claim`It is ${carried(check, 'data.colour')}: ${carried(check, 'data.p')}.`, 'It is red: unknown.')
  assert.throws(() => carried(check, 'data.text'), /no field data.text/)
  const said = carried(check, 'data.colour')
  assert.throws(() => claim`It is green, not ${said}.`, /no answer carries/)
  assert.throws(() => claim`It is ${said}, by 80 %.`, /no answer carries/)
  assert.throws(() => claim`It is ${said}; buying it is safe.`, /no answer carries/)
})
