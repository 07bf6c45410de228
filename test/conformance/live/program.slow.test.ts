import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Trade } from '@ti/core/contract/resources.ts'
import { Frame, TokenEvent } from '@ti/core/contract/streams.ts'
import { startService } from '../../simulation/service.ts'
import { until } from '../../support/live-service.ts'
import { CLIENTS, connectClient, follow } from './official.ts'

/** The real program and the official client: what is streamed has the documented shape, and is what REST answers. */
const dir = mkdtempSync(join(tmpdir(), 'live-program-'))
after(() => rmSync(dir, { recursive: true, force: true }))

/** messages beyond those that were there at the join, and tokens whose trades are compared */
const LIVE_FRAMES = 150
const MINTS = 25

const range = (to: number): number[] => Array.from({ length: to }, (_, i) => i + 1)

test('both topics of the real program: shapes, numbers without a gap, trades as from REST', async (t) => {
  const source = 'simulator:seed=11&tps=40&warmup=600'
  const service = startService({ DATA_DIR: join(dir, 'data'), SOURCE: source, PAYMENTS: 'off' })
  t.after(() => service.child.kill('SIGKILL'))
  const [url, key] = [await service.url, await service.key]
  const client = connectClient(t, CLIENTS[0]![1], `${url.replace('http', 'ws')}/socket`, { params: { api_key: key } })
  // all there is, from the first message on
  const [frames, events] = [
    await follow(client, 'frames:live', { after_seq: 0 }),
    await follow(client, 'tokens:live', { after_seq: 0 }),
  ]
  const joined = [...frames.joins, ...events.joins] as { readonly seq: number; readonly resumed: boolean }[]
  assert.deepEqual(
    joined.map(({ resumed }) => resumed),
    [true, true],
  )
  await until('there is as much as is wanted', () => {
    return frames.seqs.length >= joined[0]!.seq + LIVE_FRAMES && events.seqs.length > joined[1]!.seq
  })

  for (const payload of frames.payloads) Frame.parse(payload)
  for (const payload of events.payloads) TokenEvent.parse(payload)
  assert.deepEqual(frames.seqs, range(frames.seqs.length))
  assert.deepEqual(events.seqs, range(events.seqs.length))
  const types = new Set(events.payloads.map((payload) => (payload as unknown as TokenEvent).type))
  assert.ok(types.has('token_created'), [...types].join())

  const streamed = new Map<string, Trade>()
  let taken = 0
  const take = (): void => {
    for (const payload of frames.payloads.slice(taken)) {
      const { data } = payload as unknown as Frame
      for (const trade of data.trades) {
        assert.ok(!streamed.has(trade.unique_id), `${trade.unique_id} came twice`)
        assert.deepEqual([trade.mint, trade.signature, trade.slot], [data.mint, data.signature, data.slot])
        streamed.set(trade.unique_id, trade)
      }
      taken++
    }
  }
  take()
  const mints = new Set([...streamed.values()].reverse().map(({ mint }) => mint))
  let compared = 0
  for (const mint of [...mints].slice(0, MINTS)) {
    const answer = await fetch(`${url}/v1/tokens/${mint}/trades`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(answer.status, 200)
    const { data } = (await answer.json()) as { readonly data: readonly Trade[] }
    assert.ok(data.length > 0, mint)
    for (const trade of data) {
      await until(`${trade.unique_id} is streamed`, () => {
        take()
        return streamed.has(trade.unique_id)
      })
      assert.deepEqual(streamed.get(trade.unique_id), trade)
      compared++
    }
  }
  t.diagnostic(
    `${frames.seqs.length} frames, ${events.seqs.length} events (${[...types]}), ${compared} trades compared`,
  )
  assert.ok(compared >= MINTS * 2, `${compared} trades`)
  assert.deepEqual(client.story, ['open'])

  service.child.kill('SIGTERM')
  await until('the client was sent away', () => client.story.includes(1012))
  client.socket.disconnect()
  const { code, stderr } = await service.exit
  assert.equal(code, 0, stderr)
  assert.deepEqual(frames.seqs, range(frames.seqs.length))
})
