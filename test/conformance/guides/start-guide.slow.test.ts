import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { operatorOf, PATIENCE_MS, type Started, startService } from '../../simulation/service.ts'
import { type Block, blocksOf, ROOT } from '../../support/guides.ts'
import { until } from '../../support/live-service.ts'
import { eventually } from '../../support/wait.ts'

/**
 * docs/start.md from the first example to the last, against a service as an operator starts it. What an example prints is
 * compared with the page: to the letter where the simulated market decides it, by its shape where the moment does.
 */
const PAGE = 'docs/start.md'
const GUIDE = readFileSync(join(ROOT, PAGE), 'utf8')
const WRITTEN_HOST = '127.0.0.1:4000'

interface Example {
  readonly heading: string
  readonly language: string
  readonly code: string
  /** what the page says it prints; null where the page shows nothing */
  readonly printed: string | null
}

/** Fenced blocks in the order of the page; `text` and `json` after a program are what it prints. */
function examplesOf(blocks: readonly Block[]): Example[] {
  const isOutput = (at: number): boolean =>
    /^(text|json)$/.test(blocks[at]?.language ?? '') &&
    /^(sh|ts|python)$/.test(blocks[at - 1]?.language ?? '') &&
    blocks[at]!.heading === blocks[at - 1]!.heading
  return blocks.flatMap(({ heading, language, code }, at) =>
    isOutput(at) ? [] : [{ heading, language, code, printed: isOutput(at + 1) ? blocks[at + 1]!.code : null }],
  )
}

/** Names and kinds of a value's fields, all the way down; of lists only that they are lists. What may be null is one kind. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list'
  if (value === null || typeof value !== 'object') return value === null ? 'number' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, shapeOf(inner)]),
  )
}

const sameShape = (printed: string, page: string): void =>
  assert.deepEqual(shapeOf(JSON.parse(printed)), shapeOf(JSON.parse(page)))

/** Every line of both is one of these. */
const linesLike =
  (line: RegExp, count: number) =>
  (printed: string, page: string): void => {
    for (const text of [printed, page]) {
      const lines = text.trim().split('\n')
      assert.equal(lines.length, count, text)
      for (const one of lines) assert.match(one, line)
    }
  }

const exactly = (printed: string, page: string): void => assert.equal(printed.trim(), page.trim())

/** How each example's output is compared, by its place on the page. */
const COMPARED: readonly (readonly [string, string, ((printed: string, page: string) => void) | null])[] = [
  // what starts the service and what holds its key are how the test itself begins
  ['A key', 'npm ci && npm start\n', null],
  ['A key', 'export KEY=sk_live_…\n', null],
  ['The first answer', 'v1/tokens/new', linesLike(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 1)],
  ['The first answer', 'fields=score,ratings', sameShape],
  ['TypeScript', 'fetch(', linesLike(/^\S.* \d+(\.\d)? (green|yellow|red|neutral)$/, 3)],
  ['Python', 'urllib', linesLike(/^(buy|sell) \d+(\.\d+)?(e-\d+)? ([a-z]+-[a-z]+-\d+|on its own)$/, 3)],
  ['The first stream', "from 'ws'", exactly],
  ['The first stream', 'tail frames', (printed, page) => exactly(withoutChance(printed), withoutChance(page))],
  ['An agent', 'mcpServers', null],
  ['An agent', 'tools/call', sameShape],
  ['Pay per call', '@x402/fetch', linesLike(/^\d+ tokens, paid by [1-9A-HJ-NP-Za-km-z]{32,44}: true$/, 1)],
]

/** Symbols are known once a token is on a list or has an event. */
const withoutChance = (text: string): string =>
  text
    .replace(/^\d\d:\d\d:\d\d/gm, '')
    .replace(/“[^”]*”/g, '')
    .replace(/ +/g, ' ')

async function start(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'start-guide-'))
  // the examples find their packages as in a project of a reader
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const service = startService({ DATA_DIR: join(folder, 'data') })
  t.after(async () => {
    service.child.kill('SIGKILL')
    await service.exit
    rmSync(folder, { recursive: true, force: true })
  })
  const [url, key] = [await service.url, await service.key]
  assert.ok(key !== null, 'the first start showed no key')
  const headers = { authorization: `Bearer ${key}` }
  const tradesOfNewest = async (): Promise<number> => {
    const list = (await (await fetch(`${url}/v1/tokens/new`, { headers })).json()) as { data?: { mint: string }[] }
    if ((list.data?.length ?? 0) < 3) return 0
    const trades = await fetch(`${url}/v1/tokens/${list.data![0]!.mint}/trades`, { headers })
    return ((await trades.json()) as { data?: unknown[] }).data?.length ?? 0
  }
  // each look is two of the key's 600 calls a minute
  await until('there are tokens with trades', async () => {
    await pause(500)
    return (await tradesOfNewest()) >= 3
  })
  return { folder, url, key }
}

type Scene = Awaited<ReturnType<typeof start>>

/** Runs a program of an example; what it printed. `MINT` goes from one to the next, as in a reader's shell. */
async function run({ folder, url, key }: Scene, { language, code }: Example, env: Record<string, string>) {
  const here = code.replaceAll(WRITTEN_HOST, new URL(url).host)
  if (/^npm run --silent cli -- /.test(here)) {
    const args = here.trim().split(' ').slice(5)
    return finished(startService({ TI_KEY: key }, [...args, '--url', url]).exit)
  }
  const file = join(folder, { sh: 'example.sh', ts: 'example.mts', python: 'example.py' }[language] ?? '')
  writeFileSync(file, here)
  const [command, ...args] = {
    sh: ['sh', '-e', file],
    ts: [process.execPath, '--import', 'tsx', file],
    python: ['python3', file],
  }[language]!
  const child = spawn(command!, args, { cwd: folder, env: { ...process.env, KEY: key, ...env }, timeout: PATIENCE_MS })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return finished(
    new Promise((done, fail) => {
      child.on('error', fail)
      child.on('close', (exit, signal) => done({ code: exit, signal, stdout, stderr }))
    }),
  )
}

/** A service that does not get the processor takes no payments for a while and answers 503: the example is for afterwards. */
async function runPaid(scene: Scene, example: Example, env: Record<string, string>): Promise<string> {
  for (let tries = 5; ; tries--) {
    try {
      return await run(scene, example, env)
    } catch (error) {
      if (tries === 0 || !/Error: 503 /.test((error as Error).message)) throw error
      await eventually('payments are taken', async () => {
        const { payments } = (await (await fetch(`${operatorOf(scene.url)}/readyz`)).json()) as {
          payments: { ready: boolean }
        }
        return payments.ready
      })
    }
  }
}

async function finished(exit: Started['exit']): Promise<string> {
  const { code, stdout, stderr } = await exit
  assert.equal(code, 0, stderr)
  return stdout
}

const hasPython = (): Promise<boolean> =>
  new Promise((done) => {
    const child = spawn('python3', ['--version'], { stdio: 'ignore' })
    child.on('error', () => done(false))
    child.on('close', (code) => done(code === 0))
  })

const examples = examplesOf(blocksOf(PAGE))

test('every example of the page is known here, in its order', () => {
  assert.deepEqual(
    examples.map(({ heading }) => heading),
    COMPARED.map(([heading]) => heading),
  )
  examples.forEach(({ code, printed }, at) => {
    const [, part, compare] = COMPARED[at]!
    assert.ok(code.includes(part), `${part} is not in\n${code}`)
    assert.equal(printed !== null, compare !== null, `the page and the test do not agree whether this prints:\n${code}`)
  })
})

test('the examples run as the page shows them and print what it shows', async (t) => {
  const scene = await start(t)
  const env: Record<string, string> = {}
  for (const [at, example] of examples.entries()) {
    const [heading, part, compare] = COMPARED[at]!
    if (compare === null) continue
    await t.test(`${heading}: ${part}`, async (t) => {
      if (example.language === 'python' && !(await hasPython())) return t.skip('python3 is not installed here')
      const printed = await runPaid(scene, example, env)
      compare(printed, example.printed!)
      if (example.code.includes('echo $MINT')) env.MINT = printed.trim()
    })
  }
})

test('the settings of a client lead to the tools', () => {
  const { code } = examples.find(({ language }) => language === 'json')!
  const { type, url, headers } = JSON.parse(code).mcpServers['token-intelligence']
  assert.deepEqual(
    { type, url, headers },
    {
      type: 'http',
      url: `http://${WRITTEN_HOST}/mcp`,
      headers: { Authorization: 'Bearer YOUR_KEY' },
    },
  )
  assert.ok(
    ENDPOINTS.some(({ tool }) => tool === 'scan_token'),
    'the tool of the example',
  )
})

test('the numbers on the page are those of the service', () => {
  assert.equal(RATES.free, 5, 'five calls a minute')
  assert.equal(RATES.pro, 600, '600 calls a minute')
  assert.match(
    GUIDE,
    /allows five calls a minute; 1 SOL makes all your keys Pro keys for 30 days, with 600 calls\na minute each/,
  )
})
