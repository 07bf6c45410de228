import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { SILENT } from '@ti/service/cli/io.ts'
import { parse } from '@ti/service/cli/parse.ts'
import { Webhook } from 'standardwebhooks'
import { KEYS } from '../support/fake-service.ts'
import { openLive, until } from '../support/live-service.ts'
import { memoryAlerts } from '../support/memory-alerts.ts'

/** `forward` between the real stream of alerts and a receiver on this machine. */
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

interface Message {
  readonly type: string
  readonly data: { readonly challenge: string; readonly seq: number }
}

async function receiver(t: TestContext, answers: (message: Message) => readonly [number, string]) {
  const got: Message[] = []
  const webhook = new Webhook(SECRET)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const message = webhook.verify(body, request.headers as IncomingHttpHeaders & Record<string, string>) as Message
    got.push(message)
    const [status, text] = answers(message)
    response.writeHead(status).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  return { got, port: `${(server.address() as AddressInfo).port}` }
}

async function forward(args: readonly string[], url: string) {
  const definition = DEFINITIONS.find(({ name }) => name === 'forward')!
  const [out, notes]: [string[], string[]] = [[], []]
  const stop = new AbortController()
  const given = parse(definition, [...args, '--url', url, '--key', KEYS.pro])
  const run = await definition.load()
  const io = {
    ...SILENT,
    result: (text: string) => void out.push(text),
    note: (line: string) => void notes.push(line),
    signal: stop.signal,
  }
  return { out, notes, stop, ended: run(given, io) }
}

const repeats = ({ data, type }: Message): readonly [number, string] =>
  type === 'alert.challenge' ? [200, data.challenge] : [data.seq === 2 ? 500 : 204, '']

test('a receiver on this machine gets challenge, test and alerts as a webhook does, each once, in order', async (t) => {
  const alerts = memoryAlerts()
  const service = await openLive(t, { alerts })
  alerts.add('acc_pro', 2)
  const { got, port } = await receiver(t, repeats)
  const args = [port, '--secret', SECRET, '--test', '--after-seq', '0', '--count', '3']
  const { out, notes, ended } = await forward(args, service.baseUrl)
  await until('what was there has come', () => got.length === 4)
  // numbers of alerts have gaps
  alerts.add('acc_pro', 1, true, 5)
  await ended
  assert.deepEqual(
    got.map(({ type, data }) => [type, data.seq]),
    [['alert.challenge', undefined], ['alert.test', 0], ...[1, 2, 8].map((seq) => ['alert.sold', seq])],
  )
  assert.deepEqual(
    out.map((line) => line.split('  ').at(-1)),
    ['204\n', '204\n', 'the answer was 500\n', '204\n'],
  )
  assert.ok(!notes.some((line) => /missing/.test(line)), `${notes}`)
})

test('a receiver that does not repeat the challenge is told so, and Ctrl-C ends what follows', async (t) => {
  const service = await openLive(t, { alerts: memoryAlerts() })
  const deaf = await receiver(t, () => [200, 'ok'])
  const refused = await forward([deaf.port, '--secret', SECRET], service.baseUrl)
  await assert.rejects(refused.ended, /did not repeat the challenge: the answer was 200 without the challenge/)
  const { port } = await receiver(t, repeats)
  const { notes, stop, ended } = await forward([`http://127.0.0.1:${port}/hook`, '--secret', SECRET], service.baseUrl)
  await until('it follows', () => notes.some((line) => line.startsWith('connected')))
  stop.abort()
  await ended
})

test('only this machine is posted to, with a secret that is one', async () => {
  for (const [args, why] of [
    [['https://example.com/'], /a port of this machine/],
    [['http://10.0.0.8:80/'], /a port of this machine/],
    [['8080', '--secret', 'whsec_short'], /--secret takes a secret/],
  ] as const) {
    const { ended } = await forward(args, 'http://127.0.0.1:9')
    await assert.rejects(ended, why)
  }
})
