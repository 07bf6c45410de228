import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../../clients/typescript/src/index.ts'
import { type Market, makeMarket } from '../conformance/x402/program.ts'
import { type Started, startService } from '../simulation/service.ts'
import { blocksOf, checkTypes, folderIn, installClient, program } from '../support/guides.ts'
import { runNode } from './tools.ts'

/**
 * docs/recipes.md: each program compiled with its framework's types and run against the service. A model that says what it is told to
 * calls the tools; of two frameworks only the types are installed, and their action is called as they call it.
 */
const UNKNOWN = '11111111111111111111111111111111'

/** Run behind each program: what was asked over MCP is written down, with the protocol's revision that the request names. */
const AROUND = `
const { URL: url, KEY: key, RED, FINE } = process.env
const asked = []
const send = globalThis.fetch
globalThis.fetch = (to, init) => {
  const { method } = String(to).endsWith('/mcp') && init?.method === 'POST' ? JSON.parse(init.body) : {}
  if (method) asked.push(new Headers(init.headers).get('mcp-protocol-version') + ' ' + method)
  return send(to, init)
}
const buy = async (mint) => 'bought ' + mint
const CALLS = [['check_token', RED], ['check_token', '${UNKNOWN}'], ['buy_token', RED], ['buy_token', FINE]]
`

interface Recipe {
  readonly heading: string
  /** folder of the packages, as a reader of this recipe has them */
  readonly packages: string
  readonly compiler?: object
  /** A mistake that the framework's types must not let pass. */
  readonly mistake: readonly [string, string]
  /** Prints as JSON what came of it. */
  readonly run: string
}

const AI_SDK: Recipe = {
  heading: 'Vercel AI SDK',
  packages: 'test/judges',
  mistake: ['inputSchema:', 'inputScheme:'],
  run: `
import { MockLanguageModelV4 } from 'ai/test'
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const says = (content, unified) => ({ content: [content], finishReason: { unified }, usage, warnings: [] })
const model = new MockLanguageModelV4({
  doGenerate: [
    ...CALLS.map(([toolName, mint], n) =>
      says({ type: 'tool-call', toolCallId: String(n), toolName, input: JSON.stringify({ mint }) }, 'tool-calls')),
    says({ type: 'text', text: 'done' }, 'stop'),
  ],
})
const text = await trade(model, 'Buy one.', { url, key, buy })
const told = model.doGenerateCalls.at(-1).prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
const tools = model.doGenerateCalls[0].tools.map(({ name }) => name)
console.log(JSON.stringify({ text, told: told.map(({ output }) => JSON.stringify(output)), tools, asked }))
`,
}

const LANGCHAIN: Recipe = {
  heading: 'LangChain',
  packages: 'test/judges',
  mistake: ['schema:', 'scheme:'],
  run: `
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
const model = fakeModel()
let tools = []
const bindTools = model.bindTools.bind(model)
model.bindTools = (bound) => {
  tools = bound.map(({ name }) => name)
  return bindTools(bound)
}
for (const [name, mint] of CALLS) model.respondWithTools([{ name, args: { mint } }])
const text = await trade(model.respond(new AIMessage('done')), 'Buy one.', { url, key, buy })
const told = model.calls.at(-1).messages.filter(({ type }) => type === 'tool').map(({ content }) => JSON.stringify(content))
console.log(JSON.stringify({ text, told, tools, asked }))
`,
}

const ELIZA: Recipe = {
  heading: 'ElizaOS',
  packages: 'test/judges',
  // its types name files as bundlers find them
  compiler: { module: 'esnext', moduleResolution: 'bundler' },
  mistake: ['validate:', 'validated:'],
  run: `
const [action] = tokenIntelligence(buy).actions
const runtime = { getSetting: (name) => ({ TI_URL: url, TI_KEY: key })[name] }
const said = []
for (const mint of [RED, FINE, '${UNKNOWN}']) {
  const message = { content: { text: 'buy ' + mint + ' now' } }
  if (!(await action.validate(runtime, message))) throw new Error('not for this action')
  const told = await action.handler(runtime, message, undefined, undefined, async ({ text }) => void said.push(text))
  said.push([told.success, told.values?.colour ?? told.error.code])
}
console.log(JSON.stringify({ said, others: await action.validate(runtime, { content: { text: 'hello' } }) }))
`,
}

const SOLANA_AGENT_KIT: Recipe = {
  heading: 'Solana Agent Kit',
  // with the zod that it asks for
  packages: 'test/judges/node_modules/solana-agent-kit',
  mistake: ['similes:', 'simile:'],
  run: `
const action = buyToken({ url, key }, async (_agent, mint, sol) => 'bought ' + mint + ' for ' + sol)
const answers = []
for (const mint of [RED, FINE]) answers.push(await action.handler({}, action.schema.parse({ mint, sol: 0.1 })))
const refused = await action.handler({}, { mint: '${UNKNOWN}', sol: 0.1 }).catch(({ code }) => code)
console.log(JSON.stringify({ answers, refused, wrong: action.schema.safeParse({ mint: 'x', sol: -1 }).success }))
`,
}

const RECIPES = [AI_SDK, LANGCHAIN, ELIZA, SOLANA_AGENT_KIT]
const blocks = blocksOf('docs/recipes.md')
const codeOf = ({ heading }: Recipe): string => blocks.find((block) => block.heading === heading)!.code

let market: Market
let service: Started
let env: { readonly URL: string; readonly KEY: string; readonly RED: string; readonly FINE: string }
/** what `check` says of a token now */
let textOf: (mint: string) => Promise<string>

before(async () => {
  market = await makeMarket()
  service = startService({ DATA_DIR: market.dataDir, SOURCE: market.source })
  const client = createClient({ baseUrl: await service.url, apiKey: market.key })
  textOf = async (mint) => (await client.check(mint)).data.text
  const byColour = new Map<string, string>()
  for await (const { data } of client.verdicts({ afterSeq: 0 })) {
    const { colour } = (await client.check(data.mint)).data
    byColour.set(colour, data.mint)
    if (byColour.has('red') && byColour.has('yellow')) break
  }
  env = { URL: await service.url, KEY: market.key, RED: byColour.get('red')!, FINE: byColour.get('yellow')! }
})
after(async () => {
  service?.child.kill('SIGTERM')
  await service?.exit
  market?.remove()
})

test('the page has these recipes, none longer than a screen', () => {
  assert.deepEqual(
    blocks.map(({ heading, language }) => [heading, language]),
    RECIPES.map(({ heading }) => [heading, 'ts']),
  )
  for (const { code, at } of blocks) assert.ok(code.split('\n').length <= 40, at)
})

/** Compiles the recipe, and a mistake in it; what its run has printed. */
async function run<T>(recipe: Recipe): Promise<T> {
  const { packages, compiler, mistake, run } = recipe
  const folder = folderIn(packages)
  await installClient(folder)
  const code = codeOf(recipe)
  await checkTypes(folder, new Map([['recipe', code]]), compiler)
  const wrong = code.replace(...mistake)
  assert.notEqual(wrong, code)
  await assert.rejects(checkTypes(folder, new Map([['recipe', wrong]]), compiler), /recipe\.ts\(\d+/)
  const { code: exit, stdout, stderr } = await runNode(program(folder, 'program', code + AROUND + run), [], { env })
  assert.equal(exit, 0, stderr)
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

interface Traded {
  readonly text: string
  /** the answers of the four calls, as the model has got them */
  readonly told: readonly string[]
  readonly tools: readonly string[]
  /** revision and method of each request over MCP */
  readonly asked: readonly string[]
}

async function assertTraded({ text, told, tools, asked }: Traded, revision: string): Promise<void> {
  assert.equal(text, 'done')
  assert.ok(
    ['check_token', 'who_is_behind', 'buy_token'].every((name) => tools.includes(name)),
    tools.join(),
  )
  assert.ok(asked.includes(`${revision} tools/list`), asked.join())
  assert.equal(asked.filter((call) => call === `${revision} tools/call`).length, 2)
  const [check, unknown, refused, bought] = told
  assert.equal(told.length, 4)
  assert.ok(check!.includes(await textOf(env.RED)), check)
  assert.match(unknown!, /not_found/)
  assert.match(refused!, /not bought: RED/)
  assert.ok(bought!.includes(`bought ${env.FINE}`), bought)
}

test('Vercel AI SDK, in the newest revision of the protocol', async () =>
  assertTraded(await run<Traded>(AI_SDK), '2026-07-28'))

test('LangChain, in the revision before it', async () => assertTraded(await run<Traded>(LANGCHAIN), '2025-11-25'))

test('ElizaOS: the action of the plugin', async () => {
  const { said, others } = await run<{ said: unknown[]; others: boolean }>(ELIZA)
  assert.deepEqual(said, [
    `not bought: ${await textOf(env.RED)}`,
    [false, 'red'],
    `bought ${env.FINE}`,
    [true, 'yellow'],
    [false, 'not_found'],
  ])
  assert.equal(others, false, 'a message without a mint is not for it')
})

test('Solana Agent Kit: the action', async () => {
  const { answers, refused, wrong } = await run<Record<string, unknown>>(SOLANA_AGENT_KIT)
  assert.deepEqual(answers, [
    { status: 'refused', message: await textOf(env.RED) },
    { status: 'success', message: `bought ${env.FINE} for 0.1` },
  ])
  assert.deepEqual([refused, wrong], ['not_found', false])
})
