import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createOutboundOn, type Outbound, type OutboundOptions } from '@ti/service/observe/outbound/outbound.ts'
import { createInternet, type Internet } from '../../support/observe-internet.ts'

export const ASK = {
  purpose: 'metadata',
  namedBy: 'stranger',
  accept: ['application/json', 'image/*'],
  bytesMax: 10_000,
  timeoutMs: 5_000,
} as const
export const JSON_TYPE = { 'content-type': 'application/json' }

/** What a site answers, whoever asks. */
export const answering =
  (headers: Record<string, string | string[]>, body: string | Buffer, status = 200): RequestListener =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)

/** An internet, and ways out into it. */
export interface Asking {
  readonly net: Internet
  outbound(options?: OutboundOptions): Outbound
  /** how a request ends, `ok` or its reason, having seen that it was counted as that */
  reasonFor(url: string, more?: object, through?: Outbound): Promise<string>
}

export async function createAsking(): Promise<Asking> {
  const net = await createInternet()
  const outbound = (options: OutboundOptions = {}): Outbound => createOutboundOn(net.network, options)
  return {
    net,
    outbound,
    async reasonFor(url, more = {}, through = outbound()) {
      const result = await through.get({ ...ASK, url, ...more })
      const reason = result.ok ? 'ok' : result.reason
      assert.equal(through.counts.get(`metadata:${reason}`), 1, `${url}: counted by purpose and reason`)
      assert.equal(through.inFlight, 0)
      return reason
    },
  }
}
