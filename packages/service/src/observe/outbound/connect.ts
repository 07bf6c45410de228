import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isOwnAddress, isPublicAddress } from './addresses.ts'
import type { Network } from './network.ts'
import { Refused } from './reasons.ts'
import type { Target } from './target.ts'

/** addresses of one name, and how many of them are dialled; milliseconds for each, and again for TLS */
export const ADDRESSES = 64
const ADDRESSES_TRIED = 3
export const CONNECT_MS = 3_000

/**
 * A connection to a checked address: the name is resolved here, once, every address is checked, and one of exactly these
 * addresses is dialled as a literal. Nothing resolves the name a second time.
 */
export async function openConnection(target: Target, network: Network, signal: AbortSignal): Promise<Socket> {
  const addresses = await judgedAddresses(target, network, signal)
  let last: unknown
  for (const address of addresses.slice(0, ADDRESSES_TRIED)) {
    const { host, port } = network.dial(address, target.port)
    try {
      const socket = await dial(host, port, signal)
      return target.url.protocol === 'https:' ? await secure(socket, target, network.ca, signal) : socket
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error
      last = error
    }
  }
  throw new Refused('connect', last)
}

/** The addresses of a target, IPv4 first; a Refused where one of them may not be dialled. */
export async function judgedAddresses(target: Target, network: Network, signal: AbortSignal): Promise<string[]> {
  const { host, literal, allowed, local } = target
  const found = literal ? [host] : await resolved(target, network, signal)
  if (found.length === 0 || found.length > ADDRESSES) throw new Refused('dns')
  // one bad address rejects the name: a mixture is an attempt at DNS rebinding
  if (!allowed && !local && !found.every((address) => isPublicAddress(address) && !isOwnAddress(address))) {
    throw new Refused('address')
  }
  // IPv4 first: a machine without IPv6 would wait for nothing
  return [...found].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
}

async function resolved({ host, allowed }: Target, network: Network, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await untilAborted(network.resolve(host, allowed, signal), signal)
  } catch (error) {
    if (signal.aborted) throw error
    throw new Refused('dns', error)
  }
}

/** The promise, or the signal's end: a resolver may be slow to react to an abort. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((done, fail) => {
    const stop = (): void => fail(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(done, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

const dial = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  opened(connectTcp({ host, port, noDelay: true }), 'connect', CONNECT_MS, signal)

/** The certificate has to be for the name in the URL, whatever address answers. */
async function secure(
  socket: Socket,
  { host, literal }: Target,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  try {
    const tls = connectTls({
      socket,
      host,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(literal ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca }),
    })
    return await opened(tls, 'secureConnect', CONNECT_MS, signal)
  } catch (error) {
    socket.destroy()
    if (signal.aborted) throw error
    throw new Refused('tls', error)
  }
}

/** Resolves when `event` comes; otherwise the socket is gone when this rejects. */
function opened<S extends Socket>(socket: S, event: string, withinMs: number, signal: AbortSignal): Promise<S> {
  return new Promise<S>((done, fail) => {
    const give = (error: unknown): void => {
      settle()
      // an error after the end has no listener
      socket.on('error', () => {})
      socket.destroy()
      fail(error)
    }
    const timer = setTimeout(() => give(new Error('no connection in time')), withinMs)
    const onEvent = (): void => {
      settle()
      done(socket)
    }
    const onClose = (): void => give(new Error('the connection closed'))
    const onAbort = (): void => give(signal.reason)
    function settle(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.off(event, onEvent).off('error', give).off('close', onClose)
    }
    socket.once(event, onEvent).once('error', give).once('close', onClose)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
