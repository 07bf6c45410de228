import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { request } from 'node:http'
import WebSocket from 'ws'
import { wallet } from '../support/wallet.ts'
import type { Target } from './target.ts'

/** Strangers: addresses without an account, and free accounts. */
export const STRANGERS = 1_000
export const ACCOUNTS = 100

/** An address of a stranger on loopback. */
export const addressOf = (n: number): string => `127.${50 + ((n >> 8) % 4)}.${n & 255}.1`

interface Asked {
  readonly method?: string
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** What strangers and a paying caller do to a service. */
export function createScene({ port, keys }: Target) {
  const key = keys[0]!
  const own = { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }

  const ask = (path: string, { method = 'GET', from = '127.0.0.1', headers = {}, body }: Asked = {}) =>
    new Promise<Answered>((done) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const type = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': `${text.length}` }
      const to = { host: '127.0.0.1', port, path, method, localAddress: from, agent: false as const }
      const asked = request({ ...to, headers: { ...own, ...type, ...headers } }, (response) => {
        let answer = ''
        response.setEncoding('latin1').on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => done({ status: response.statusCode!, headers: response.headers, text: answer }))
      })
      asked.on('error', () => done({ status: 0, headers: {}, text: '' }))
      asked.end(text)
    })

  const cookieOf = ({ headers }: Answered): string => String(headers['set-cookie']).split(';', 1)[0]!

  async function visitor(): Promise<string> {
    return cookieOf(await ask('/app/session', { headers: { 'sec-fetch-site': 'same-origin' } }))
  }

  /** Signs a new wallet in, from an address of its own. */
  async function account(n: number): Promise<{ readonly from: string; readonly headers: { readonly cookie: string } }> {
    const holder = wallet()
    const from = addressOf(n)
    const post = (path: string, body: object) => ask(path, { method: 'POST', from, body })
    const { data } = JSON.parse((await post('/account/challenge', { wallet: holder.address })).text)
    const signature = sign(null, Buffer.from(data.message), holder.key).toString('base64')
    const signedIn = await post('/account/session', { nonce: data.nonce, signature })
    assert.equal(signedIn.status, 200, signedIn.text)
    return { from, headers: { cookie: cookieOf(signedIn) } }
  }

  /** Opens a socket; the status where it is refused. */
  const open = (from: string, { cookie, query = '' }: { readonly cookie?: string; readonly query?: string }) =>
    new Promise<WebSocket | number>((done) => {
      const headers = cookie === undefined ? {} : { ...own, cookie }
      const url = `ws://127.0.0.1:${port}/socket/websocket?vsn=2.0.0${query}`
      const socket = new WebSocket(url, { headers, localAddress: from } as WebSocket.ClientOptions)
      socket.on('open', () => done(socket))
      socket.on('unexpected-response', (_request, response) => done(response.statusCode!))
      socket.on('error', () => done(0))
    })

  /** Joins a topic again and again is fine: the reply to this join. */
  function join(socket: WebSocket, payload: object): Promise<string> {
    const ref = `${++joins}`
    return new Promise((done) => {
      socket.on('message', function hear(data) {
        const [, to, , event, body] = JSON.parse(String(data))
        if (event !== 'phx_reply' || to !== ref) return
        socket.off('message', hear)
        done(body.status === 'ok' ? 'ok' : body.response.reason)
      })
      socket.once('close', () => done('closed'))
      socket.send(JSON.stringify([ref, ref, 'frames:live', 'phx_join', payload]))
    })
  }
  let joins = 0

  return { ask, visitor, account, open, join, pro: { authorization: `Bearer ${key}` }, key }
}

export type Scene = ReturnType<typeof createScene>

/** Runs `work` for each number below `count`, so many at once. */
export async function each(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
}
