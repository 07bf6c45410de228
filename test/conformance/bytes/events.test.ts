import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { EventSource } from 'eventsource'
import { KEYS } from '../../support/fake-service.ts'
import {
  type Ending,
  fakeStreams,
  type LiveService,
  openLive,
  revocableKeys,
  soon,
  until,
  untilQuiet,
} from '../../support/live-service.ts'
import { sharedWith } from '../../support/shared.ts'

/** The streams as server-sent events, read by the WHATWG client's port to Node, by curl and by hand. */
const VISITS = { visitMs: 60, visitSlots: 3 }

const urlOf = ({ baseUrl }: Pick<LiveService, 'baseUrl'>, more = '') => `${baseUrl}/v1/stream?topic=frames:live${more}`
const bearer = { authorization: `Bearer ${KEYS.pro}` }

/** A response that streams; its text so far grows. */
async function read(t: Ending, url: string, headers: Record<string, string> = bearer) {
  const end = new AbortController()
  t.after(() => end.abort())
  const response = await fetch(url, { headers, signal: end.signal })
  const reading = { response, text: '', ended: false, stop: () => end.abort() }
  void (async () => {
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) reading.text += chunk
    } catch {
      // cut
    }
    reading.ended = true
  })()
  return reading
}

/** An EventSource whose requests carry a key in the header, and what it has heard. */
function listen(t: Ending, url: string, headers: Record<string, string> = bearer) {
  const seqs: number[] = []
  const joins: { readonly seq: number; readonly resumed: boolean }[] = []
  const ends: string[] = []
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
  })
  source.addEventListener('frame', ({ data, lastEventId }) => {
    const { seq } = JSON.parse(data).data
    assert.equal(lastEventId, `${seq}`)
    seqs.push(seq)
  })
  source.addEventListener('joined', ({ data }) => void joins.push(JSON.parse(data)))
  for (const name of ['end', 'refused']) {
    source.addEventListener(name, ({ data }) => void ends.push(`${name} ${JSON.parse(data).reason ?? ''}`.trim()))
  }
  t.after(() => source.close())
  return { source, seqs, joins, ends }
}

test('a stream: where it is, then every message as on the socket, its seq as id', async (t) => {
  const service = await openLive(t)
  service.publish('frames:live', { text: 'é😀' })
  service.publish('frames:live')
  const stream = await read(t, urlOf(service, '&after_seq=1'))
  await until('it has joined', () => stream.text.includes('id: 2'))
  service.publish('frames:live', { text: 'line\nbreak' })
  service.publish('tokens:live')
  await until('all has come', () => stream.text.includes('id: 3'))
  const { status, headers } = stream.response
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/event-stream')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.match(headers.get('x-request-id')!, /^req_/)
  assert.equal(
    stream.text,
    [
      'retry: 1000\nid: 1\nevent: joined\ndata: {"topic":"frames:live","seq":2,"oldest_seq":1,"resumed":true}',
      'id: 2\nevent: frame\ndata: {"data":{"seq":2}}',
      'id: 3\nevent: frame\ndata: {"data":{"seq":3,"text":"line\\nbreak"}}',
      '',
    ].join('\n\n'),
  )
  stream.stop()
  await untilQuiet(service)
  assert.equal(await service.metric('ti_live_closed_total{why="events client"}'), 1)
})

test('an EventSource goes on where it was over a restart, also one that is refused for a while', async (t) => {
  const topics = fakeStreams()
  const first = await openLive(t, { topics })
  const { seqs, joins, ends } = listen(t, urlOf(first))
  await until('it has joined', () => joins.length === 1)
  for (let i = 0; i < 3; i++) first.publish('frames:live')
  await until('it follows', () => seqs.length === 3)
  await first.close()
  for (let i = 0; i < 3; i++) topics.append('frames:live')
  // every place is taken at first
  const second = await openLive(t, { topics, port: first.port, shared: sharedWith({ sockets: { pool: { pro: 0 } } }) })
  await until('it was refused', () => ends.length === 2)
  await second.close()
  const third = await openLive(t, { topics, port: first.port, bounds: VISITS })
  const late = listen(t, urlOf(third), { ...bearer, 'last-event-id': '3' })
  third.publish('frames:live')
  await until('who resumes has all', () => late.seqs.length === 4)
  assert.deepEqual([late.seqs, late.joins[0]!.resumed], [[4, 5, 6, 7], true])
  assert.deepEqual(
    [seqs, ends],
    [
      [1, 2, 3],
      ['end restart', 'refused'],
    ],
  )
})

test('cut at any byte and at once again: every seq once', async (t) => {
  const topics = fakeStreams()
  let service = await openLive(t, { topics, bounds: { eventsRetryMs: 10 } })
  const { seqs, joins } = listen(t, urlOf(service))
  const { port } = service
  await until('it has joined', () => joins.length === 1)
  for (let round = 1; round <= 5; round++) {
    for (let i = 0; i < 40; i++) service.publish('frames:live', { text: 'x'.repeat(i * 50) })
    await service.close()
    for (let i = 0; i < 40; i++) topics.append('frames:live')
    service = await openLive(t, { topics, port, bounds: { eventsRetryMs: 10 } })
    await until('it is back', () => joins.length > round)
  }
  await until('all has come', () => seqs.at(-1) === 400)
  assert.deepEqual(
    seqs,
    Array.from({ length: 400 }, (_, i) => i + 1),
  )
})

test('curl -N shows messages as they come', async (t) => {
  const service = await openLive(t)
  for (let i = 0; i < 3; i++) service.publish('frames:live')
  const args = ['-sN', '--max-time', '1', '-H', `Authorization: Bearer ${KEYS.pro}`, '-H', 'Last-Event-ID: 1']
  const { stdout } = await promisify(execFile)('curl', [...args, urlOf(service)]).catch((error) => {
    if (error.code === 28) return error as { stdout: string }
    throw error
  })
  assert.deepEqual(stdout.match(/^id: \d+$/gm), ['id: 1', 'id: 2', 'id: 3'])
})

test('errors in the form of the interface; what passes is an event to an EventSource', async (t) => {
  const service = await openLive(t, { shared: sharedWith({ sockets: { share: { pro: 1 } } }) })
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers })
    const body = (await response.json()) as { error: { code: string; request_id: string; upgrade_url?: string } }
    assert.equal(body.error.request_id, response.headers.get('x-request-id'))
    return [response.status, body.error.code, response.headers.get('retry-after')]
  }
  assert.deepEqual(await ask(urlOf(service)), [402, 'payment_required', null])
  assert.deepEqual(await ask(urlOf(service), { authorization: `Bearer ${KEYS.revoked}` }), [
    402,
    'payment_required',
    null,
  ])
  assert.deepEqual(await ask(`${service.baseUrl}/v1/stream`, bearer), [400, 'bad_request', null])
  assert.deepEqual(await ask(urlOf(service).replace('frames', 'trades'), bearer), [400, 'bad_request', null])
  for (const bad of ['-1', '1.5', 'x', '1e3', '9'.repeat(16)]) {
    assert.deepEqual(await ask(urlOf(service, `&after_seq=${bad}`), bearer), [400, 'bad_request', null], bad)
    assert.deepEqual(await ask(urlOf(service), { ...bearer, 'last-event-id': bad }), [400, 'bad_request', null], bad)
  }
  const stream = await read(t, urlOf(service, `&api_key=${KEYS.pro}`), {})
  await until('it has joined', () => stream.text.includes('joined'))
  assert.deepEqual(await ask(urlOf(service), bearer), [429, 'rate_limited', '60'])
  const refused = await read(t, urlOf(service), { ...bearer, accept: 'text/event-stream' })
  await until('it has ended', () => refused.ended)
  assert.equal(refused.response.status, 200)
  assert.match(refused.text, /^retry: 60000\nevent: refused\ndata: \{"error":\{"code":"rate_limited",.*\}\n\n$/)
  const { status } = await fetch(urlOf(service), { method: 'POST', headers: bearer })
  assert.equal(status, 405)
  stream.stop()
  await untilQuiet(service)
  const head = await fetch(urlOf(service), { method: 'HEAD', headers: bearer })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
  await untilQuiet(service)
})

test('comments keep what is silent open; a revoked key ends it', async (t) => {
  const { keys, revoke } = revocableKeys()
  const service = await openLive(t, { keys, bounds: { ...VISITS, eventsBeatMs: 100, idleMs: 200 } })
  const stream = await read(t, urlOf(service))
  await until('it was silent for long', () => stream.text.split(': beat\n\n').length > 5)
  revoke(KEYS.pro)
  await until('it has ended', () => stream.ended)
  assert.match(stream.text, /event: end\ndata: \{"reason":"dismissed"\}\n\n$/)
  assert.equal((await fetch(urlOf(service), { headers: bearer })).status, 402)
})

test('who does not read is cut, and holds nobody else up', async (t) => {
  const service = await openLive(t, { bounds: { ...VISITS, unreadBytes: 1 << 20 } })
  const silent = connect(service.port, '127.0.0.1')
  t.after(() => silent.destroy())
  silent.on('error', () => {})
  silent.pause()
  silent.write(`GET /v1/stream?topic=frames:live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEYS.pro}\r\n\r\n`)
  const fast = listen(t, urlOf(service))
  await until(
    'both follow',
    async () => (await service.metric('ti_live_readers{topic="frames:live",state="live"}')) === 2,
  )
  let sent = 0
  const closed = () => service.metric('ti_live_closed_total{why="events slow"}')
  await until('it was cut', async () => {
    sent = service.publish('frames:live', { text: 'x'.repeat(100_000) })
    return (await closed()) === 1
  })
  await until('the other has all', () => fast.seqs.at(-1) === sent)
  assert.equal(fast.seqs.length, sent)
  assert.equal(fast.joins.length, 1, 'never cut')
})

test('who takes no byte of what waits is cut though little waits', async (t) => {
  const service = await openLive(t, { bounds: { ...VISITS, unreadBytes: 1 << 30, stallMs: 300 } })
  const silent = connect(service.port, '127.0.0.1')
  t.after(() => silent.destroy())
  silent.on('error', () => {})
  silent.pause()
  silent.write(`GET /v1/stream?topic=frames:live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEYS.pro}\r\n\r\n`)
  await until('it follows', async () => (await service.metric('ti_live_sockets')) === 1)
  for (let i = 0; i < 200; i++) service.publish('frames:live', { text: 'x'.repeat(100_000) })
  await until('it was cut', async () => (await service.metric('ti_live_closed_total{why="events slow"}')) === 1)
})

test('a second stream behind the first on one connection is not kept waiting in memory', async (t) => {
  const service = await openLive(t)
  const both = connect(service.port, '127.0.0.1')
  t.after(() => both.destroy())
  const closed = new Promise((done) => both.once('close', done))
  both.resume()
  const request = `GET /v1/stream?topic=frames:live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEYS.pro}\r\n\r\n`
  both.write(request + request)
  await soon('the end of the connection', closed)
  await untilQuiet(service)
})
