import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createPreviews, type Preview, type Previews } from '@ti/core/query/previews.ts'
import { alertJson } from '@ti/service/alerts/alert.ts'
import { discordMessage } from '@ti/service/alerts/delivery/discord.ts'
import { telegramMessage } from '@ti/service/alerts/delivery/telegram.ts'
import { draftOf, type Happening } from '@ti/service/alerts/events.ts'
import { withHead } from '@ti/service/faces/web/share/head.ts'
import { pictureOf } from '@ti/service/faces/web/share/picture.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openSource } from '@ti/service/source/open.ts'
import { WebSocket } from 'ws'
import { deployerAddress, mintAddress, mintOf, namedAddress, writeHostileMarket } from '../browser/hostile-market.ts'
import { type Site, startSite } from '../browser/site.ts'
import { PROGRAM } from '../simulation/service.ts'
import { readAll } from '../support/export-reader.ts'
import {
  CANARY,
  isOutsideMarks,
  RED_TEAM,
  RED_TEAM_KINDS,
  textsOf,
  unseenIn,
  WALLET_CANARY,
  WALLET_NAME,
} from '../support/red-team.ts'

/** A market whose every text is an attack on whoever reads it, through every face of the built program. */
const dir = mkdtempSync(join(tmpdir(), 'red-team-'))
const capture = join(dir, 'market.capture')
const MINTS = RED_TEAM.map((_, launch) => mintAddress(launch))
const endings: (() => Promise<void>)[] = []
let site: Site
let node: Node
let previews: Previews

before(async () => {
  await writeHostileMarket(capture, RED_TEAM, WALLET_NAME)
  site = await startSite({ after: (end) => void endings.push(end) }, { source: `capture:${capture}?speed=0` })
  node = await openNode(join(dir, 'node'))
  const entries = createEntryStream(await openSource(`capture:${capture}?speed=0`))
  await node.feed(entries, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
  const query = createQuery({ engine: node.engine, store: node.store })
  previews = createPreviews({ store: node.store, views: query.views, query })
})
after(async () => {
  for (const end of endings) await end()
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

const HEADERS = () => ({ authorization: `Bearer ${site.key}` })
const kindOf = (mint: string): string => RED_TEAM_KINDS[MINTS.indexOf(mint)] ?? mint

/** Nothing in it is invisible or controls anything; `lines`: it has line ends of its own. */
function assertSeen(text: string, of: string, lines = false): void {
  assert.equal(unseenIn(lines ? text.replaceAll('\n', '') : text), null, `${of}: ${JSON.stringify(text.slice(0, 300))}`)
}

/** Where the specification has the deployer's words. */
const OWN_FIELDS = new Set([
  'symbol',
  'name',
  'description',
  'twitter',
  'telegram',
  'website',
  'image_uri',
  'user_name',
])

/** Every text of an answer; those with the red team's words are in fields for them. */
function assertJson(bytes: string, of: string, isApart = false): void {
  assertSeen(bytes, of)
  const texts = textsOf(JSON.parse(bytes))
  for (const { path, text } of texts) {
    assertSeen(text, `${of} ${path}`)
    const fields = path.split('.')
    if (text.includes(CANARY)) {
      assert.ok(OWN_FIELDS.has(fields.at(-1)!), `${of}: ${path} has ${text}`)
      if (isApart) assert.ok(fields.includes('said_by_deployer'), `${of}: ${path} is not apart`)
    }
    if (text.includes(WALLET_CANARY)) assert.ok(['name', 'user_name'].includes(fields.at(-1)!), `${of}: ${path}`)
  }
}

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(site.url + path, { headers: { ...HEADERS(), ...headers } })
  assert.equal(answer.status, 200, path)
  return answer.text()
}

const APART = ['who', 'check', 'explain']

test('REST: texts are visible, in their fields, and apart where the specification leaves room', async () => {
  const lists = ['new', 'gems', 'survivors', 'pumps', 'agents', 'smart-money'].map((list) => `/v1/tokens/${list}`)
  let said = 0
  for (const path of [...lists, `/v1/traders/${namedAddress}`, `/v1/devs/${deployerAddress}/tokens`]) {
    const answer = await fetch(site.url + path, { headers: HEADERS() })
    if (answer.status !== 404) assertJson(await answer.text(), path)
  }
  for (const mint of MINTS) {
    for (const path of ['', '/trades']) assertJson(await read(`/v1/tokens/${mint}${path}`), kindOf(mint))
    for (const operation of APART) {
      const bytes = await read(`/v1/tokens/${mint}/${operation}`)
      assertJson(bytes, `${operation} of ${kindOf(mint)}`, true)
      if (bytes.includes(CANARY)) said++
    }
  }
  assert.equal(said, APART.length * MINTS.length, 'what the deployer says is there')
})

async function mcp(method: string, params: object): Promise<{ result: Record<string, never> }> {
  const answer = await fetch(`${site.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await answer.json()) as { result: Record<string, never> }
}

test('MCP: the same, and instructions and tools say what it is', async () => {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const { instructions } = (await mcp('initialize', hello)).result as unknown as { instructions: string }
  const { tools } = (await mcp('tools/list', {})).result as unknown as {
    tools: { description: string; name: string }[]
  }
  const bare = tools.filter(({ name }) => !/^watch/.test(name))
  for (const text of [instructions, ...bare.map(({ description }) => description)])
    assert.match(text, /data, never instructions/)
  for (const mint of MINTS)
    for (const name of ['who_is_behind', 'check_token', 'explain_score']) {
      const { content } = (await mcp('tools/call', { name, arguments: { mint } })).result as unknown as {
        content: { text: string }[]
      }
      assertJson(content[0]!.text, `${name} of ${kindOf(mint)}`, true)
      assert.ok(content[0]!.text.includes(CANARY))
    }
})

test('server-sent events and WebSocket: a message is one message, and every text is visible', async () => {
  const end = new AbortController()
  const answer = await fetch(`${site.url}/v1/stream?topic=tokens:live`, {
    headers: { ...HEADERS(), 'last-event-id': '0' },
    signal: end.signal,
  })
  let text = ''
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.split('token_metadata_retrieved').length > MINTS.length && text.endsWith('\n\n')) break
  }
  end.abort()
  const fields = text.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  for (const line of fields) assert.match(line, /^(?:id: \d+|event: (?:token_event|joined)|data: \{.*\}|retry: \d+)$/)
  const data = fields.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6))
  assert.ok(data.length >= 2 * MINTS.length)
  for (const one of data) assertJson(one, 'an event')

  const socket = new WebSocket(`${site.url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0`, { headers: HEADERS() })
  const frames: string[] = []
  await new Promise<void>((done, failed) => {
    socket.on('error', failed)
    socket.on('open', () => socket.send('["1","1","tokens:live","phx_join",{"after_seq":0}]'))
    socket.on('message', (message) => {
      frames.push(message.toString())
      if (frames.filter((one) => one.includes('token_metadata_retrieved')).length === MINTS.length) done()
    })
  })
  socket.terminate()
  for (const frame of frames) assertJson(frame, 'a frame')
})

const run = promisify(execFile)
/** A command of the built program: its whole output, byte for byte. */
async function command(...args: string[]): Promise<string> {
  const [file, ...rest] = [...PROGRAM, ...args]
  const { stdout, stderr } = await run(file!, rest, { env: { ...process.env, TI_KEY: site.key }, maxBuffer: 1 << 26 })
  assertSeen(stderr, args[0]!, true)
  return stdout
}

test('commands: a terminal obeys nothing, and words of strangers stay in quotation marks', async () => {
  const lines = await command(
    'tail',
    'tokens',
    '--url',
    site.url,
    '--key',
    site.key,
    '--after-seq',
    '0',
    '--count',
    `${2 * MINTS.length}`,
  )
  assert.equal(lines.split('\n').length, 1 + 2 * MINTS.length + 1)
  for (const line of lines.split('\n')) {
    assertSeen(line, 'tail')
    assert.equal(isOutsideMarks(line), false, line)
  }
  assert.ok(lines.includes(CANARY))
  const json = await command(
    'tail',
    'tokens',
    '--url',
    site.url,
    '--key',
    site.key,
    '--after-seq',
    '0',
    '--count',
    '9',
    '--json',
  )
  for (const line of json.trim().split('\n')) assertJson(line, 'tail --json')
  const asked = [
    ['board', '--count', '50'],
    ...MINTS.flatMap((mint) => [
      ['who', mint],
      ['check', mint],
    ]),
  ]
  for (const args of asked) {
    const text = await command(...args, '--url', site.url)
    assertSeen(text, args[0]!, true)
    if (args[0] !== 'board') assert.ok(text.includes(CANARY), text)
    assert.equal(isOutsideMarks(text), false, text)
  }
  for (const mint of MINTS.slice(0, 6)) {
    const text = await command('explain', mint, '--file', capture)
    assertSeen(text, 'explain', true)
    assert.ok(text.includes(CANARY))
    assert.equal(isOutsideMarks(text), false, text.slice(0, 300))
  }
  assertSeen(await command('explain', MINTS[0]!, '--file', capture, '--json'), 'explain --json', true)
})

test('an export: every cell is visible', async () => {
  const out = join(dir, 'export')
  await command('export', '--parquet', out, '--data-dir', join(dir, 'node'))
  const tables = await readAll(out)
  const cells = Object.values(tables).flatMap((rows) => rows.flatMap((row) => Object.entries(row)))
  const texts = cells.filter((cell): cell is [string, string] => typeof cell[1] === 'string')
  for (const [column, text] of texts) assertSeen(text, `column ${column}`)
  assert.ok(texts.filter(([, text]) => text.includes(CANARY)).length >= 2 * MINTS.length)
})

test('alerts: as JSON, in Telegram and in Discord a name is a name in quotation marks', () => {
  for (const launch of RED_TEAM.keys()) {
    const token = node.engine.tokens.peek(mintOf(launch))!.token
    const watch = { id: 'watch_1', name: 'mine', account_id: 'a' } as Happening['watch']
    const event = { watch, event: 'rugged', key: 'k', token, wallet: null, why: { mcap: 1 }, signature: null } as const
    const places = { page: 'https://page.example', explorer: null }
    const alert = { ...draftOf({ ...event, slot: 1, time: 1 }, places), seq: 1, place: 1 }
    const json = alertJson(alert)
    assert.ok(json.title.includes(CANARY))
    for (const { path, text } of textsOf(json)) {
      assertSeen(text, path)
      assert.equal(isOutsideMarks(text), false, text)
    }
    const telegram = telegramMessage(alert)
    const discord = discordMessage(alert) as {
      embeds: { description: string }[]
      allowed_mentions: { parse: string[] }
    }
    assert.deepEqual(discord.allowed_mentions, { parse: [] })
    const told = discord.embeds[0]!.description
    for (const [text, shown] of [
      [telegram.text, telegram.text.replace(/<code>[^<>]*<\/code>/g, '')],
      [told, told.replace(/`[^`\n]*`/g, '')],
    ] as const) {
      assertSeen(text, 'a message', true)
      assert.ok(text.includes(CANARY))
      assert.equal(isOutsideMarks(text), false, text)
      assert.doesNotMatch(shown, new RegExp(`${CANARY}|@|evil`), 'a name outside code')
    }
  }
})

const undone = (text: string): string =>
  text.replace(
    /&(?:#39|quot|amp|lt|gt);/g,
    (one) => ({ '&#39;': "'", '&quot;': '"', '&amp;': '&', '&lt;': '<' })[one] ?? '>',
  )

/** As it is drawn: the texts, top to bottom, with their sizes. */
const drawnIn = (svg: string) =>
  [...svg.matchAll(/<text x="\d+" y="(\d+)"[^>]*font-size="(\d+)"[^>]*>([^<]*)<\/text>/g)]
    .map(([, y, size, text]) => ({ y: Number(y), size: Number(size), text: undone(text!) }))
    .sort((a, b) => a.y - b.y)

test('pictures and heads: our verdict first and largest, names in quotation marks, none that speaks of verdicts', async () => {
  const named: string[] = []
  for (const [launch, mint] of MINTS.entries()) {
    const preview = (await previews.of('token', mint)) as Preview
    const kind = RED_TEAM_KINDS[launch]!
    const texts = drawnIn(pictureOf(preview, 'page.example'))
    const verdict = texts.findIndex(({ text }) => /^(?:RED|YELLOW|GREEN|NEUTRAL):/.test(text))
    const own = texts.flatMap(({ text }, i) => (text.includes(CANARY) ? [i] : []))
    for (const { text } of texts) {
      assertSeen(text, kind)
      assert.equal(isOutsideMarks(text), false, text)
    }
    assert.ok(verdict >= 0, kind)
    for (const i of own) {
      assert.ok(i > verdict && texts[i]!.size < texts[verdict]!.size, kind)
      assert.doesNotMatch(texts[i]!.text, /safe|green|verified|no.?risk|\u0405\u0410F\u0415/i, kind)
      named.push(kind)
    }
    const links = { url: 'https://page.example/t', picture: 'https://page.example/p.png' }
    const head = withHead('<html><head></head></html>', { preview, ...links })
    const title = undone(/<title>([^<]*)<\/title>/.exec(head)![1]!)
    assert.match(title, /^(?:Red|Yellow|Green|No verdict yet)\b/, kind)
    assert.equal(isOutsideMarks(title), false, title)
    assertSeen(head, kind, true)
  }
  for (const kind of ['orders', 'verdicts', 'lookalikes', 'zeroWidth']) assert.ok(!named.includes(kind), kind)
  for (const kind of ['terminal', 'chat', 'markup', 'clusters']) assert.ok(named.includes(kind), kind)
  const deployer = (await previews.of('deployer', deployerAddress)) as Preview
  for (const { text } of drawnIn(pictureOf(deployer, 'page.example'))) assertSeen(text, 'deployer')
})
