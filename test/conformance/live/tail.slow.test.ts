import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import { headOf } from '@ti/service/cli/tail-lines.ts'
import { PATIENCE_MS, startService } from '../../simulation/service.ts'
import { KEYS } from '../../support/fake-service.ts'
import { fakeStreams, openLive, soon, until } from '../../support/live-service.ts'

/** `tail` as it is built, a process of its own. */
const MAIN = resolve(import.meta.dirname, '../../../dist/main.js')
const TOPIC = 'frames:live'

interface Running {
  readonly child: ChildProcess
  readonly lines: string[]
  /** what it said about the connection */
  said(): string
  readonly exit: Promise<number | NodeJS.Signals | null>
}

/** `script`: a line of a shell in which `tail` is the command. */
function run(t: TestContext, args: readonly string[], env: Record<string, string> = {}, script = 'exec tail'): Running {
  const shell = `tail() { "$NODE" "$MAIN" tail "$@"; }; ${script.replace('exec tail', 'exec "$NODE" "$MAIN" tail "$@"')}`
  const child = spawn('bash', ['-o', 'pipefail', '-c', shell, 'bash', ...args], {
    env: { ...process.env, TI_KEY: KEYS.pro, NODE: process.execPath, MAIN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  t.after(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  let said = ''
  createInterface({ input: child.stdout! }).on('line', (line) => void lines.push(line))
  child.stderr!.on('data', (chunk) => {
    said += chunk
  })
  const exit = new Promise<number | NodeJS.Signals | null>((done) => {
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      done(code ?? signal)
    })
  })
  return { child, lines, said: () => said, exit }
}

async function saying(running: Running, pattern: RegExp): Promise<void> {
  await until(`it says ${pattern}`, () => pattern.test(running.said())).catch((error) => {
    throw new Error(`${error.message}: ${running.said()}`)
  })
}

const { mint: MINT, trader: TRADER } = EXAMPLE_ADDRESSES
const [TRADE] = EXAMPLES.trades.data
const trades = (...changes: object[]) => ({
  signature: TRADE!.signature,
  mint: MINT,
  slot: 5,
  timestamp: null,
  trades: changes.map((change) => ({ ...TRADE, ...change })),
})

test('what is asked for wrongly ends at once and repeats no key', async (t) => {
  const secret = `sk_live_${'s'.repeat(42)}`
  const cases: [string[], RegExp][] = [
    [[], /an argument is missing/],
    [['trades'], /no stream "trades": it is tokens, frames or verdicts/],
    [['constructor'], /no stream "constructor"/],
    [['frames', 'tokens'], /too many arguments/],
    [['frames', '--count', '0'], /--count takes 1 or more/],
    [['frames', '--after-seq', '-1'], /argument is ambiguous|whole number/],
    [['frames', '--mint', `${MINT}1`], /--mint takes base58 of 32 bytes/],
    [['frames', '--wallet', '0OIl'], /--wallet takes base58 of 32 bytes/],
    [['tokens', '--wallet', TRADER], /--wallet belongs to frames/],
    [['frames', '--url', 'ws://127.0.0.1'], /--url or TI_URL takes/],
    [['frames', '--url', 'http://a:b@127.0.0.1'], /--url or TI_URL takes/],
    [['frames', '--key', secret], /that is no key/],
    [['frames', '--key', ''], /a key is needed[\s\S]*keys create/],
  ]
  const started = cases.map(([args]) => run(t, args))
  for (const [i, running] of started.entries()) {
    const [args, message] = cases[i]!
    assert.equal(await running.exit, 2, args.join(' '))
    assert.match(running.said(), message)
    assert.equal(running.said().includes(secret), false, 'the key was written down')
    assert.deepEqual(running.lines, [])
  }
  const keyless = run(t, ['frames'], { TI_KEY: '' })
  assert.equal(await keyless.exit, 2)
  assert.match(keyless.said(), /TI_KEY or --key[\s\S]*keys create/)
})

test('lines of the trades that pass the filters, no colours in a pipe, an end after --count', async (t) => {
  const service = await openLive(t)
  const args = ['frames', '--url', `${service.baseUrl}/`, '--mint', MINT, '--wallet', TRADER, '--count', '3']
  const running = run(t, args)
  await saying(running, /^connected: frames:live/)
  const other = EXAMPLE_ADDRESSES.holder
  service.publish(TOPIC, trades({ user_name: 'a\u001b[31m\nb' }))
  service.publish(TOPIC, trades({ user_address: other }))
  service.publish(
    TOPIC,
    trades({ mint: other }, { is_buy: false, user_name: null }, { mcap: 7, user_name: 'example' }, { mcap: 8 }),
  )
  assert.equal(await running.exit, 0)
  assert.deepEqual(running.lines, [
    headOf(TOPIC),
    '01:25:23  buy        0.75  “MOON”          93mC…kxsp      $15.2k  a[31m b',
    '01:25:23  sell       0.75  “MOON”          93mC…kxsp      $15.2k  HxXP…XLpN',
    '01:25:23  buy        0.75  “MOON”          93mC…kxsp          $7  example',
  ])
  await until('it has left', async () => (await service.metric('ti_live_sockets')) === 0)
})

test('Ctrl-C, and SIGTERM, leave and end with 0, connected or not', async (t) => {
  const service = await openLive(t)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const running = run(t, ['frames', '--url', service.baseUrl])
    await saying(running, /^connected/)
    running.child.kill(signal)
    assert.equal(await running.exit, 0)
  }
  await until('both have left', async () => (await service.metric('ti_live_sockets')) === 0)
  const waiting = run(t, ['frames', '--url', service.baseUrl])
  await saying(waiting, /^connected/)
  await service.close()
  await saying(waiting, /cannot reach/)
  waiting.child.kill('SIGINT')
  assert.equal(await waiting.exit, 0)
})

test('refusals and silence end with a message and 1', async (t) => {
  const open = async () => ({ ok: false, retryAfterS: 60 }) as const
  const service = await openLive(t, { trials: { open } })
  const revoked = run(t, ['frames', '--url', service.baseUrl, '--key', KEYS.revoked])
  const free = run(t, ['tokens', '--url', service.baseUrl], { TI_KEY: KEYS.free })
  assert.equal(await revoked.exit, 1)
  assert.match(revoked.said(), /The API key was revoked|streams need an API key/)
  assert.equal(await free.exit, 1)
  assert.match(free.said(), /used up.*Come back in 60 s, at \d\d:\d\d:\d\d UTC\.\n$/)
  const gone = await openLive(t)
  await gone.close()
  const nobody = run(t, ['frames', '--url', gone.baseUrl])
  assert.equal(await nobody.exit, 1)
  assert.match(nobody.said(), /no service answers at http.*npm start/)
  for (const { said } of [revoked, free, nobody]) assert.doesNotMatch(said(), /sk_live_|\n.*\n| {4}at /)
})

test('a reader that has enough is no error', async (t) => {
  const service = await openLive(t)
  const running = run(t, ['frames', '--url', service.baseUrl], {}, 'tail "$@" | head -n 2')
  await saying(running, /^connected/)
  const timer = setInterval(() => service.publish(TOPIC, trades({})), 20)
  t.after(() => clearInterval(timer))
  assert.equal(await running.exit, 0)
  assert.equal(running.lines.length, 2)
  assert.match(running.said(), /^connected.*\n$/)
})

test('a reader that is slow gets everything once', async (t) => {
  const service = await openLive(t)
  const script = 'tail "$@" | { read -r line; echo "$line"; while [ ! -e "$GO" ]; do sleep 0.1; done; cat; }'
  const dir = mkdtempSync(join(tmpdir(), 'tail-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const count = 60
  const args = ['frames', '--url', service.baseUrl, '--json', '--count', `${count}`]
  const running = run(t, args, { GO: join(dir, 'go') }, script)
  await saying(running, /^connected/)
  const padding = 'x'.repeat((16 << 20) / count)
  for (let i = 0; i < count; i++) service.publish(TOPIC, { ...trades({}), padding })
  await until(
    'it is closed as too slow',
    async () => (await service.metric('ti_live_closed_total{why="events slow"}')) > 0,
  )
  writeFileSync(join(dir, 'go'), '')
  assert.equal(await soon('the end', running.exit), 0)
  assert.deepEqual(
    running.lines.map((line) => JSON.parse(line).data.seq),
    [...Array(count).keys()].map((i) => i + 1),
  )
})

test('the built service is killed and starts again on its port: JSON of the contract, every seq once', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tail-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, SOURCE: 'simulator:seed=3&tps=60&warmup=300', PAYMENTS: 'off' }
  const first = startService(env)
  t.after(() => void first.child.kill('SIGKILL'))
  const url = await first.url
  const TI_KEY = (await first.key)!
  const frames = run(t, ['frames', '--url', url, '--json', '--after-seq', '0'], { TI_KEY })
  const tokens = run(t, ['tokens', '--url', url, '--json', '--after-seq', '0'], { TI_KEY })
  for (const running of [frames, tokens]) await saying(running, /^connected/)
  await until('they have received', () => frames.lines.length > 300 && tokens.lines.length > 20)
  first.child.kill('SIGKILL')
  await first.exit
  for (const running of [frames, tokens]) await saying(running, /cannot reach/)
  const before = [frames.lines.length, tokens.lines.length] as const

  const second = startService({ ...env, PORT: new URL(url).port })
  t.after(() => void second.child.kill('SIGKILL'))
  assert.equal(await second.url, url)
  for (const running of [frames, tokens]) await saying(running, /\nresumed: \d+ messages since seq \d+\n/)
  await until('they receive again', () => frames.lines.length > before[0] + 100 && tokens.lines.length > before[1])
  for (const [running, schema] of [
    [frames, Frame],
    [tokens, TokenEvent],
  ] as const) {
    running.child.kill('SIGINT')
    assert.equal(await running.exit, 0)
    const seqs = running.lines.map((line) => schema.parse(JSON.parse(line)).data.seq)
    assert.deepEqual(
      seqs,
      [...seqs.keys()].map((i) => i + 1),
    )
    assert.doesNotMatch(running.said(), /missing|sk_live_/)
  }
  second.child.kill('SIGTERM')
  assert.equal((await second.exit).code, 0)
})

test('a place that is out of reach is said', async (t) => {
  const topics = fakeStreams(5)
  for (let i = 0; i < 20; i++) topics.append(TOPIC, trades({}))
  const service = await openLive(t, { topics })
  const running = run(t, ['frames', '--url', service.baseUrl, '--after-seq', '2', '--count', '1'])
  await saying(running, /^not resumed: seqs 3 to 20 are missing, the oldest still held is 16\n/)
  service.publish(TOPIC, trades({}))
  assert.equal(await running.exit, 0)
})
