import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { EventSource } from 'eventsource'
import { WebSocket } from 'ws'
import { type ClientOptions, createClient, type WebSocketClass } from '../../clients/typescript/src/index.ts'
import { freePort } from '../ports.mjs'
import { makeKeys } from '../simulation/keys.ts'
import { command, startService } from '../simulation/service.ts'
import { undisturbed } from '../simulation/streams-reader.ts'
import { seed } from '../support/chance.ts'
import { until } from '../support/live-service.ts'
import { seededRandom } from '../support/random.ts'
import { PYTHON } from './tools.ts'

/**
 * A service that is killed at random moments, and all who resume: both transports of the TypeScript client, both clients of
 * Python, an EventSource, and a loop around `curl -N`.
 */
const SEED = seed()
const KILLS = 10
/** of the market: between two kills a part of them is played, so that it never runs ahead of the readers */
const SLOTS = 250

/** A reader of the frames from the first to the last; `heard` grows by JSON texts. */
interface Reader {
  readonly name: string
  readonly heard: string[]
  failure: unknown
}

interface Place {
  readonly url: string
  readonly key: string
  /** frames there are */
  readonly count: number
  /** ends the readers: without it those of a test that failed would ask on */
  readonly stop: AbortSignal
}

/** Runs until all is heard; a seq twice, or one that is missing, is a failure. */
function startReader(name: string, read: (add: (payload: string) => void) => Promise<void>): Reader {
  const reader: Reader = { name, heard: [], failure: null }
  const add = (payload: string): void => {
    const { seq } = JSON.parse(payload).data
    reader.heard.push(payload)
    assert.equal(seq, reader.heard.length, `${name}: in order, each once`)
  }
  read(add).catch((error: unknown) => {
    reader.failure = error
  })
  return reader
}

function readWithClient(options: ClientOptions, { url, key, count, stop }: Place) {
  return async (add: (payload: string) => void): Promise<void> => {
    const client = createClient({ ...options, baseUrl: url, apiKey: key })
    for await (const frame of client.frames({ afterSeq: 0, signal: stop })) {
      add(JSON.stringify(frame))
      if (frame.data.seq === count) return
    }
  }
}

/** Whole lines of a program's output, until it ends: what a killed service left unfinished is none. */
async function linesOf(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  let failure: unknown = null
  let rest = ''
  child.on('error', () => {}) // it was stopped
  const ended = new Promise((done) => child.once('close', done))
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    if (failure !== null) return
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    try {
      lines.forEach(onLine)
    } catch (error) {
      failure = error
      child.kill()
    }
  })
  await ended
  if (failure !== null) throw failure
}

const CLIENT = resolve(import.meta.dirname, '../../clients/python')

function readWithPython(how: 'called' | 'awaited', { url, key, count, stop }: Place) {
  return async (add: (payload: string) => void): Promise<void> => {
    const env = { ...process.env, PYTHONPATH: CLIENT, TI_URL: url, TI_KEY: key, PYTHONIOENCODING: 'utf8' }
    const args = ['-B', join(CLIENT, 'tests/follow.py'), how, `${count}`]
    await linesOf(spawn(PYTHON!, args, { env, stdio: ['ignore', 'pipe', 'inherit'], signal: stop }), add)
  }
}

function readWithCurl({ url, key, count, stop }: Place) {
  return async (add: (payload: string) => void): Promise<void> => {
    let has = 0
    while (has < count && !stop.aborted) {
      const headers = [`Authorization: Bearer ${key}`, `Last-Event-ID: ${has}`].flatMap((one) => ['-H', one])
      const child = spawn('curl', ['-sN', ...headers, `${url}/v1/stream?topic=frames:live`], { signal: stop })
      let event = ''
      await linesOf(child, (line) => {
        if (line.startsWith('event: ')) event = line.slice(7)
        if (!line.startsWith('data: ') || event !== 'frame') return
        add(line.slice(6))
        if (++has === count) child.kill()
      })
    }
  }
}

function readWithEventSource({ url, key, count, stop }: Place) {
  return (add: (payload: string) => void): Promise<void> =>
    new Promise((done, fail) => {
      const source = new EventSource(`${url}/v1/stream?topic=frames:live&after_seq=0&api_key=${key}`)
      stop.addEventListener('abort', () => source.close())
      source.addEventListener('frame', ({ data, lastEventId }) => {
        try {
          add(data)
        } catch (error) {
          source.close()
          fail(error)
        }
        if (Number(lastEventId) !== count) return
        source.close()
        done()
      })
    })
}

function startReaders(place: Place): Reader[] {
  const socket = { WebSocket: WebSocket as unknown as WebSocketClass }
  const readers = [
    startReader('TypeScript, WebSocket', readWithClient(socket, place)),
    startReader('TypeScript, events', readWithClient({ transport: 'events' }, place)),
    startReader('EventSource', readWithEventSource(place)),
    startReader('curl', readWithCurl(place)),
  ]
  if (PYTHON === null) return readers
  return [
    ...readers,
    startReader('Python, called', readWithPython('called', place)),
    startReader('Python, awaited', readWithPython('awaited', place)),
  ]
}

test(`${KILLS} kills of the service: every client has every seq once, the same as undisturbed`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const dir = mkdtempSync(join(tmpdir(), 'clients-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const market = async (slots: number): Promise<string> => {
    const capture = join(dir, `${slots}.capture`)
    await command('capture', 'simulate', capture, '--slots', `${slots}`, '--seed', '11', '--no-truth')
    return capture
  }
  const whole = await market(SLOTS)
  const expected = [...(await undisturbed(whole, join(dir, 'undisturbed')))['frames:live'].values()]
  const slotOf = (payload: string): number => JSON.parse(payload).data.slot
  const framesWithin = (slots: number): number =>
    expected.filter((payload) => slotOf(payload) < slotOf(expected[0]!) + slots).length
  const data = join(dir, 'killed')
  const [key] = await makeKeys(data, 1)
  const PORT = `${await freePort()}`
  const stop = new AbortController()
  t.after(() => stop.abort())
  const readers = startReaders({
    url: `http://127.0.0.1:${PORT}`,
    key: key!,
    count: expected.length,
    stop: stop.signal,
  })
  t.diagnostic(`readers: ${readers.map(({ name }) => name).join('; ')}`)
  const isFailed = (): boolean => readers.some(({ failure }) => failure !== null)
  const read = (): number[] => readers.map(({ heard }) => heard.length)
  const readInAll = (): number => read().reduce((sum, one) => sum + one)

  const start = (capture: string) =>
    startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=5`, PAYMENTS: 'off', PORT })
  const readAtKills: number[] = []
  for (let kill = 1; kill <= KILLS && !isFailed(); kill++) {
    const slots = Math.floor((kill * SLOTS) / (KILLS + 1))
    const service = start(await market(slots))
    t.after(() => service.child.kill('SIGKILL'))
    await service.url
    const [before, all] = [Math.max(...read()), framesWithin(slots)]
    const enough = before + 1 + Math.floor(random() * (all - before))
    await until('one of them has read for a while', () => isFailed() || Math.max(...read()) >= enough, readInAll)
    service.child.kill('SIGKILL')
    assert.equal((await service.exit).signal, 'SIGKILL')
    readAtKills.push(Math.max(...read()))
  }
  const last = start(whole)
  t.after(() => last.child.kill('SIGKILL'))
  await last.url
  await until('all have read all', () => isFailed() || Math.min(...read()) === expected.length, readInAll)
  t.diagnostic(`${expected.length} frames, killed at ${readAtKills.join(' ')}`)
  for (const { failure } of readers) if (failure !== null) throw failure
  for (const { name, heard } of readers) {
    if (name.startsWith('Python')) assert.deepEqual(heard.map(parsed), expected.map(parsed), name)
    else assert.deepEqual(heard, expected, name)
  }
})

/** Python writes some numbers otherwise: 1e-05. */
const parsed = (text: string): unknown => JSON.parse(text)
