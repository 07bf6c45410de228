import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type FakeService, startFake } from '../support/fake-service.ts'
import { SMUGGLING } from './smuggling-rows.ts'

/** What every connection is closed with that was not closed before. */
const LAST = 'DELETE /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const ANSWER_OF_LAST = 405

describe('a request within a request', () => {
  let service: FakeService
  before(async () => {
    service = await startFake({ unlimited: true })
  })
  after(() => service.close())

  /** Statuses of all answers of a connection on which these bytes are sent, and then the last request there is. */
  const answersTo = (bytes: string): Promise<number[]> =>
    new Promise((done) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.baseUrl).port) })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => done([...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))))
      socket.write(`${bytes}${LAST}`, 'latin1')
    })

  for (const { name, bytes, status, closes } of SMUGGLING) {
    test(name, async () => {
      assert.deepEqual(await answersTo(bytes), closes ? [status] : [status, ANSWER_OF_LAST])
    })
  }

  test('what they are compared with: two requests behind each other are two, and the second is seen', async () => {
    const head = 'HTTP/1.1\r\nHost: localhost\r\n\r\n'
    assert.deepEqual(await answersTo(`GET /healthz ${head}GET /smuggled ${head}`), [200, 404, ANSWER_OF_LAST])
  })
})
