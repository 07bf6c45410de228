import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import type { Network } from '@ti/service/observe/outbound/network.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './observe-certificate.ts'
import { isPublicSlowly } from './observe-cidr.ts'

/** A public address that answers for every name nobody else claims. */
export const SOMEWHERE = '93.184.216.34'

export interface Dialled {
  readonly address: string
  readonly port: number
}

/**
 * An internet on loopback: names with the addresses a test gives them, and servers behind these addresses. Every
 * connection goes to 127.0.0.1, whatever address it was meant for; what was meant is on record.
 */
export interface Internet {
  readonly network: Network
  readonly dialled: readonly Dialled[]
  readonly resolved: readonly string[]
  /** addresses of a name; a function is asked each time */
  name(host: string, addresses: readonly string[] | (() => readonly string[] | Promise<readonly string[]>)): void
  /** answers HTTP, and HTTPS, for the host */
  site(host: string, handler: RequestListener): void
  /** answers with JSON, or what the function makes of the request */
  json(host: string, body: unknown | ((request: IncomingMessage) => unknown)): void
  /** whoever connects to this address on port 80 gets these bytes' author */
  raw(address: string, serve: (socket: Socket) => void): Promise<void>
  /** connections to this address and port end at this port of loopback */
  route(address: string, port: number, to: number): void
  /** no connection was meant for an address outside the public internet, but for those that the operator allowed */
  assertNothingForbidden(allowed?: readonly string[]): void
  close(): Promise<void>
}

export async function createInternet(): Promise<Internet> {
  const dialled: Dialled[] = []
  const resolved: string[] = []
  const names = new Map<string, readonly string[] | (() => readonly string[] | Promise<readonly string[]>)>()
  const sites = new Map<string, RequestListener>()
  const routes = new Map<string, number>()
  const servers: (Server | TcpServer)[] = []
  const sockets = new Set<Socket>()

  const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const site = sites.get(host)
    if (site !== undefined) site(request, response)
    else response.writeHead(404).end()
  }
  const listen = async (server: Server | TcpServer): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }
  const http = await listen(createServer(dispatch))
  const https = await listen(createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, dispatch))
  // nobody listens on a port that was just given back
  const closed = createTcpServer()
  const nobody = await listen(closed)
  await new Promise((done) => closed.close(done))

  return {
    dialled,
    resolved,
    network: {
      async resolve(host) {
        resolved.push(host)
        const found = names.get(host) ?? (sites.has(host) ? [SOMEWHERE] : [])
        return typeof found === 'function' ? await found() : found
      },
      dial(address, port) {
        dialled.push({ address, port })
        const usual = port === 443 ? https : http
        const to = routes.get(`${address} ${port}`) ?? usual
        return { host: '127.0.0.1', port: to }
      },
      ca: CERTIFICATE,
    },
    name: (host, addresses) => void names.set(host, addresses),
    site: (host, handler) => void sites.set(host, handler),
    json(host, body) {
      sites.set(host, (request, response) => {
        const value = typeof body === 'function' ? body(request) : body
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      })
    },
    async raw(address, serve) {
      routes.set(`${address} 80`, await listen(createTcpServer(serve)))
    },
    route: (address, port, to) => void routes.set(`${address} ${port}`, to === 0 ? nobody : to),
    assertNothingForbidden(allowed = []) {
      const forbidden = dialled.filter(({ address }) => !allowed.includes(address) && !isPublicSlowly(address))
      assert.deepEqual(forbidden, [])
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
    },
  }
}

/** Waits for a condition; the message says for what. */
export async function until(what: string, holds: () => boolean, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`)
    await new Promise((done) => setTimeout(done, 2))
  }
}
