import { randomBytes } from 'node:crypto'
import { OWN_TOPIC } from '@ti/core/contract/streams.ts'
import type { Alert } from '../alerts/alert.ts'
import { serviceAlert } from '../alerts/delivery/deliveries.ts'
import type { Outcome } from '../alerts/delivery/outcome.ts'
import { makeSecret, readSecret, secretText } from '../alerts/delivery/secret.ts'
import { postWebhook } from '../alerts/delivery/webhook.ts'
import { OperatorError } from '../base/errors.ts'
import { isLoopback } from '../config/options.ts'
import { createOutbound } from '../observe/outbound/outbound.ts'
import type { Run } from './definition.ts'
import { followed } from './follow.ts'
import { wrongUsage } from './parse.ts'
import { serviceOf } from './service-address.ts'
import { clean } from './terminal-text.ts'

/** Posts the account's alerts to a receiver on this machine, as a webhook of the service would. */
export const forward: Run = async (given, io) => {
  const address = receiverAt(given.operands[0]!)
  const count = given.whole('count') ?? Number.POSITIVE_INFINITY
  const secret = secretOf(given.text('secret'))
  serviceOf(given)
  const outbound = createOutbound({ loopback: true })
  const receiver = { address, secret, previous_secret: null, previous_until: null }
  const post = (alert: Alert): Promise<Outcome> => postWebhook({ outbound, now: Date.now }, receiver, alert)
  const send = async (alert: Alert): Promise<void> => {
    const outcome = await post(alert)
    const said = outcome.kind === 'delivered' ? `${outcome.status}` : outcome.error
    io.result(`${alert.seq}  ${alert.event}  ${clean(alert.title, 200)}  ${said}\n`)
  }
  io.note(`signed with ${secretText(secret)}`)
  try {
    const asked = await post(ofService('challenge'))
    if (asked.kind !== 'delivered') throw new OperatorError(`${address} did not repeat the challenge: ${asked.error}`)
    io.note(`${address} repeated the challenge`)
    if (given.has('test')) await send(ofService('test'))
    if (count <= 0) return
    let left = count
    const afterSeq = given.whole('after-seq')
    const begin = { topic: OWN_TOPIC, ...(afterSeq !== undefined && { afterSeq }) }
    for await (const { data } of followed(given, io, begin, (client, how) => client.alertStream(how))) {
      await send({ ...data, account: '', place: 0 })
      if (--left <= 0) return
    }
  } finally {
    outbound.close()
  }
}

const ofService = (event: 'challenge' | 'test'): Alert =>
  serviceAlert({ account: '', event, key: randomBytes(24).toString('base64url'), atMs: Date.now() })

/** A port of this machine, or an address on it. */
function receiverAt(text: string): string {
  const url = /^\d+$/.test(text) ? `http://localhost:${text}/` : text
  if (!URL.canParse(url) || new URL(url).protocol !== 'http:' || !isLoopback(new URL(url).hostname)) {
    throw wrongUsage('the receiver is a port of this machine, or an http address on it, as http://localhost:8080/hook')
  }
  return new URL(url).href
}

function secretOf(text: string | undefined): Uint8Array {
  if (text === undefined) return makeSecret()
  const secret = readSecret(text)
  if (secret === null) throw wrongUsage('--secret takes a secret: whsec_ and base64 of 24 to 64 bytes')
  return secret
}
