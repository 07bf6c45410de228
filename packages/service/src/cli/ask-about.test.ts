import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import { KEYS, startFake } from '../../../../test/support/fake-service.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { DEFINITIONS } from './definitions.ts'
import { SILENT } from './io.ts'
import { parse } from './parse.ts'

const { mint: MINT, holder: OTHER } = EXAMPLE_ADDRESSES

/** The commands at a running service, and what they write to stdout. */
async function open(t: TestContext) {
  const service = await startFake()
  t.after(service.close)
  return async (line: string, { colours = false, url = service.baseUrl, key = KEYS.pro as string } = {}) => {
    const [name = '', ...args] = line.split(' ')
    const definition = DEFINITIONS.find((one) => one.name === name)!
    const out: string[] = []
    const run = await definition.load()
    const given = parse(definition, [...args, '--url', url, '--key', key])
    await run(given, { ...SILENT, colours, result: (text) => void out.push(text) })
    return out.join('')
  }
}

test('check: the words of the service, with the verdict in its colour on a terminal only', async (t) => {
  const command = await open(t)
  const { text } = FURTHER_EXAMPLES.check.data
  assert.equal(await command(`check ${MINT}`), `“MOON” (“Example Moon”)  ${MINT}\n${text}\n`)
  assert.match(await command(`check ${MINT}`, { colours: true }), /\n\u001b\[31mRED\u001b\[0m: launched/)
  assert.deepEqual(JSON.parse(await command(`check ${MINT} --json`)), FURTHER_EXAMPLES.check.data)
})

test('who: verdict, money, largest holders, what is not known', async (t) => {
  const command = await open(t)
  const lines = (await command(`who ${MINT}`)).split('\n')
  const { verdict } = FURTHER_EXAMPLES.who.data
  assert.match(lines[1]!, /^RED {2}launched 2 min ago, red since /)
  assert.equal(lines[2], `  red      ${verdict.headline}`)
  const head = lines.findIndex((line) => line.startsWith('who took what'))
  assert.match(lines[head]!, /wallets +peak +now +paid SOL +got SOL +result$/)
  assert.match(lines[head + 1]!, /^\S.* \d+ .*%.*%/)
  assert.ok(lines.some((line) => /^largest of .* holders/.test(line)))
  assert.ok(lines.some((line) => line.startsWith('not known: ')))
  assert.doesNotMatch(lines.join('\n'), /\bslot|undefined|NaN|null|_/, 'a slot, or a value that is none')
  assert.deepEqual(JSON.parse(await command(`who ${MINT} --json`)), FURTHER_EXAMPLES.who.data)
})

test('board: the lists, each token with its verdict under one head', async (t) => {
  const command = await open(t)
  const text = await command('board graduated')
  const [title, head, row = ''] = text.split('\n')
  assert.deepEqual(
    [title, head!.trim().split(/ {2,}/)],
    ['Graduated', ['verdict', 'symbol', 'age', 'market cap', 'score', 'why']],
  )
  const [card] = EXAMPLES.graduated.data
  assert.match(row, new RegExp(`^ {2}red +“${card!.symbol}” +2 min +\\$[\\d.]+[kMB]? +[\\d.]+ +The deployer’s group`))
  assert.ok([...row].length <= 140, row)
  const { graduated } = JSON.parse(await command('board graduated --count 1 --json'))
  assert.deepEqual(graduated, [{ card, verdict: FURTHER_EXAMPLES.check.data }])
  assert.deepEqual(Object.keys(JSON.parse(await command('board --json'))), ['new', 'pumps', 'graduated'])
})

test('what cannot be answered says what to do', async (t) => {
  const command = await open(t)
  const cases: [string, RegExp, object?][] = [
    ['check moon', /moon is no mint/],
    [`check ${OTHER}`, /the mint is not tracked/],
    ['board pump', /there is no list pump.*pumps/],
    ['board --count 51', /--count takes 1 to 50/],
    [
      `check ${MINT}`,
      /no service answers at http:\/\/127.0.0.1:1\. Start one with `npm start`.*TI_URL/,
      { url: 'http://127.0.0.1:1' },
    ],
    [`check ${MINT}`, /--url or TI_URL takes/, { url: 'ftp://x' }],
    [`check ${MINT}`, /The API key was revoked/, { key: KEYS.revoked }],
  ]
  for (const [line, message, how] of cases) await assert.rejects(command(line, how ?? {}), message, line)
})

test('an answer, or a message of a stream, without an end is left', async (t) => {
  const piece = Buffer.alloc(1 << 20, 'a')
  const server = createServer((request, response) => {
    const isStream = request.url!.startsWith('/v1/stream')
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
    response.write(isStream ? ': hello\n\ndata: ' : '"')
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const command = await open(t)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const line of [`check ${MINT}`, 'tail tokens']) await assert.rejects(command(line, { url }), /too large/, line)
})

test('TI_URL names the service, else PORT of this machine', () => {
  const urls = [{}, { PORT: '4077' }, { PORT: '4077', TI_URL: 'https://a.example' }, { PORT: '', TI_URL: '' }]
  assert.deepEqual(
    urls.map((env) => readOtherOptions(env).serviceUrl),
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4077', 'https://a.example', 'http://127.0.0.1:4000'],
  )
})

test('every command that talks to a service takes its address from the same place', () => {
  const asking = DEFINITIONS.filter(({ options }) => 'url' in options)
  assert.ok(asking.length >= 6, `only ${asking.length} commands talk to a service`)
  for (const { name, options } of asking)
    assert.equal(options.url!.default, 'TI_URL, or port PORT of this machine', name)
})
