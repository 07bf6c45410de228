import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { EventSource } from 'eventsource'
import { freePort } from '../ports.mjs'
import { seed } from '../support/chance.ts'
import { soon, until } from '../support/live-service.ts'
import { seededRandom } from '../support/random.ts'
import { makeKeys } from './keys.ts'
import { command, startService } from './service.ts'
import { undisturbed } from './streams-reader.ts'

/** An EventSource and a loop around `curl -N` follow a service that is killed at random moments. */
const SEED = seed()
const KILLS = 3
const TRADES = 5_000

/** Messages by seq; the same seq twice, or one that is missing, is a failure. */
function createHeard() {
  const payloads: string[] = []
  return {
    payloads,
    add(id: string, data: string): void {
      assert.equal(Number(id), payloads.length + 1, 'in order, each once')
      payloads.push(data)
    },
  }
}

function followWithCurl(
  url: string,
  key: string,
  heard: ReturnType<typeof createHeard>,
  enough: number,
): Promise<void> {
  let failed: unknown = null
  const once = (): Promise<void> =>
    new Promise((done) => {
      const after = `Last-Event-ID: ${heard.payloads.length}`
      const child = spawn('curl', ['-sN', '-H', `Authorization: Bearer ${key}`, '-H', after, url])
      let [id, event] = ['', '']
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('id: ')) id = line.slice(4)
        else if (line.startsWith('event: ')) event = line.slice(7)
        else if (line.startsWith('data: ') && event === 'frame') {
          try {
            heard.add(id, line.slice(6))
          } catch (error) {
            failed ??= error
          }
          if (heard.payloads.length >= enough || failed !== null) child.kill()
        }
      })
      child.on('close', () => done())
    })
  return (async () => {
    while (heard.payloads.length < enough && failed === null) await once()
    if (failed !== null) throw failed
  })()
}

test(`EventSource and curl over ${KILLS} kills: every seq once, the same bytes`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const dir = mkdtempSync(join(tmpdir(), 'events-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--trades', `${TRADES}`, '--seed', '11')
  const expected = [...(await undisturbed(capture, join(dir, 'undisturbed')))['frames:live'].values()]
  const data = join(dir, 'killed')
  const [key] = await makeKeys(data, 1)
  const PORT = `${await freePort()}`
  const url = `http://127.0.0.1:${PORT}/v1/stream?topic=frames:live`

  const [browser, terminal] = [createHeard(), createHeard()]
  const source = new EventSource(`${url}&after_seq=0&api_key=${key}`)
  t.after(() => source.close())
  let [joins, failure] = [0, null as unknown]
  source.addEventListener('joined', ({ data }) => {
    joins++
    if (JSON.parse(data).resumed !== true) failure ??= new Error(`did not resume: ${data}`)
  })
  source.addEventListener('frame', ({ lastEventId, data }) => {
    try {
      browser.add(lastEventId, data)
    } catch (error) {
      failure ??= error
    }
  })
  const curl = followWithCurl(url, key!, terminal, expected.length)
  curl.catch((error) => {
    failure ??= error
  })

  const start = () => startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=25`, PAYMENTS: 'off', PORT })
  const readAtKills: number[] = []
  for (let kill = 0; kill < KILLS && failure === null; kill++) {
    const service = start()
    await service.url
    const enough = Math.floor((expected.length * (kill + random())) / (KILLS + 1))
    await until(
      'it has read for a while',
      () => failure !== null || (joins > kill && browser.payloads.length >= enough),
    )
    service.child.kill('SIGKILL')
    assert.equal((await service.exit).signal, 'SIGKILL')
    readAtKills.push(browser.payloads.length)
  }
  const last = start()
  t.after(() => last.child.kill('SIGKILL'))
  await last.url
  await until('all is read', () => failure !== null || (joins > KILLS && browser.payloads.length === expected.length))
  if (failure !== null) throw failure
  await soon('the end of curl', curl)
  t.diagnostic(`${expected.length} frames, ${joins} connections, killed at ${readAtKills.join(' ')}`)
  assert.equal(readAtKills[0]! < expected.length, true, 'a kill in the middle')
  assert.deepEqual(browser.payloads, expected)
  assert.deepEqual(terminal.payloads, expected)
})
