import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { handshake, openRaw } from '../conformance/live/peer.ts'
import { exchange } from '../support/exchange.ts'
import { type FakeService, KEYS, startFake } from '../support/fake-service.ts'
import { openLive } from '../support/live-service.ts'
import { HANDSHAKES, JOINS, PARSING, WINDOWS } from './interface-rows.ts'

const PRO = [`Authorization: Bearer ${KEYS.pro}`]
const call = (path: string, headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`

describe('calls that a parser could read as something else', () => {
  let service: FakeService
  let lookups = 0
  const looked = (): null => {
    lookups++
    return null
  }
  before(async () => {
    service = await startFake({ unlimited: true, query: { snapshot: looked, trades: looked, trader: looked } })
  })
  after(() => service.close())

  for (const { name, path, status, headers = PRO } of PARSING) {
    test(name, async () => {
      service.logged.length = 0
      lookups = 0
      const answer = await exchange(service.baseUrl, call(path, headers))
      assert.equal(answer?.status, status)
      assert.equal(lookups, 0, 'nothing was looked up')
      assert.deepEqual(service.logged, [], 'nothing failed inside')
    })
  }
})

describe('calls that want the window of somebody else', () => {
  for (const { name, headers } of WINDOWS) {
    test(name, async (t) => {
      const service = await startFake()
      t.after(service.close)
      const left = async (sent: readonly string[]): Promise<number> => {
        const answer = await exchange(service.baseUrl, call('/v1/tokens/new', sent))
        assert.equal(answer?.status, 402)
        return Number(answer.headers.get('x-ratelimit-remaining'))
      }
      const first = await left([])
      assert.equal(await left(headers), first - 1)
      assert.equal(await left([]), first - 2)
    })
  }
})

describe('streams', () => {
  for (const { name, change, status } of HANDSHAKES) {
    test(`a handshake with ${name}`, async (t) => {
      const service = await openLive(t)
      const request = handshake(service.url())
      assert.notEqual(change(request), request)
      assert.equal((await exchange(service.baseUrl, change(request)))?.status, status)
      assert.equal(await service.metric('ti_live_sockets'), 0)
    })
  }

  for (const { name, topic, payload, joinRef, says } of JOINS) {
    test(`a join of ${name}`, async (t) => {
      const service = await openLive(t)
      service.append('frames:live')
      const peer = await openRaw(t, service.url())
      peer.sendText(`["1","1","${topic}","phx_join",${payload}]`)
      assert.match(await peer.text(`[${joinRef},"1","${topic}","phx_reply"`), says)
      // the same socket joins as it should
      peer.sendText('["2","2","frames:live","phx_join",{}]')
      assert.match(await peer.text('["2","2","frames:live","phx_reply"'), /"status":"ok"/)
    })
  }
})
