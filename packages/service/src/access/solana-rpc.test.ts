import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { ANSWER_BYTES, createSolanaRpc, RpcFailure } from './solana-rpc.ts'

async function node(t: TestContext, answer: (response: ServerResponse, body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => answer(response, body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/?api-key=secretword`
}

const failure = (why: RegExp, code: number | null) => (error: unknown) => {
  assert.ok(error instanceof RpcFailure)
  assert.match(error.message, why)
  assert.equal(error.code, code)
  assert.ok(!JSON.stringify([error.message, error.stack, String(error.cause)]).includes('secretword'))
  return true
}

test('a result comes back; an error says what the node said', async (t) => {
  const url = await node(t, (response, body) => {
    const { jsonrpc, id, method, params } = JSON.parse(body)
    assert.equal(jsonrpc, '2.0')
    const error = { code: -32_600, message: `no\n\u001b[2J${'x'.repeat(1_000)}` }
    response.statusCode = method === 'bad' ? 400 : 200
    response.end(JSON.stringify(method === 'bad' ? { id, error } : { id, result: method === 'none' ? null : params }))
  })
  const rpc = createSolanaRpc({ url })
  assert.deepEqual(await rpc('echo', [1, { a: 'b' }]), [1, { a: 'b' }])
  assert.equal(await rpc('none', []), null)
  await assert.rejects(rpc('bad', []), (error: Error) => {
    assert.ok(error.message.length < 300)
    assert.doesNotMatch(error.message, /[\u0000-\u001f]/)
    return failure(/^bad: no/, -32_600)(error)
  })
})

test('an answer that is no JSON-RPC, too large, late or absent fails, and the address stays hidden', async (t) => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    html: (response) => response.writeHead(404).end('<html>'),
    many: (response) => response.writeHead(429).end('<html>'),
    empty: (response) => response.end(),
    other: (response) => response.end('[]'),
    nothing: (response) => response.end('{"id":1}'),
    // more than the bound, and never an end
    large: (response) => void response.write('x'.repeat(ANSWER_BYTES + 1)),
    moved: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    late: () => {},
    broken: (response) => void response.write('{', () => response.destroy()),
  }
  const url = await node(t, (response, body) => answers[JSON.parse(body).method]!(response))
  const rpc = createSolanaRpc({ url })
  for (const method of ['html', 'empty', 'other', 'large', 'nothing', 'moved']) {
    await assert.rejects(rpc(method, []), failure(/not JSON-RPC, or too large/, null), method)
  }
  await assert.rejects(rpc('many', []), failure(/too many requests/, null))
  await assert.rejects(rpc('broken', []), failure(/cannot be reached/, null))
  await assert.rejects(createSolanaRpc({ url, timeoutMs: 50 })('late', []), failure(/within 50 ms/, null))
  const nobody = createSolanaRpc({ url: 'http://127.0.0.1:1/?api-key=secretword' })
  await assert.rejects(nobody('echo', []), failure(/cannot be reached/, null))
})
