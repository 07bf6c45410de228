import { randomBytes } from 'node:crypto'
import { AlertEvent } from '@ti/core/contract/account.ts'
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
import { wrongUsage } from './parse.ts'
import { addressOf, keyOf } from './service-address.ts'
import { createFollower } from './tail-follow.ts'
import { clean } from './terminal-text.ts'

/** alerts that wait for the receiver, beyond which the connection is closed, and resumed later */
const WAITING = 100

/** Posts the account's alerts to a receiver on this machine, as a webhook of the service would. */
export const forward: Run = async (given, io) => {
  const address = receiverAt(given.operands[0]!)
  const count = given.whole('count') ?? Number.POSITIVE_INFINITY
  const secret = secretOf(given.text('secret'))
  const url = addressOf(given)
  const key = keyOf(given)
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
    await followAlerts({ url, key, afterSeq: given.whole('after-seq') ?? null, count, send, io })
  } finally {
    outbound.close()
  }
}

const ofService = (event: 'challenge' | 'test'): Alert =>
  serviceAlert({ account: '', event, key: randomBytes(24).toString('base64url'), atMs: Date.now() })

interface Following {
  readonly url: string
  readonly key: string
  readonly afterSeq: number | null
  readonly count: number
  readonly send: (alert: Alert) => Promise<void>
  readonly io: Parameters<Run>[1]
}

/** Hands the account's alerts over, one after the other, until there were `count` or the signal aborts. */
async function followAlerts({ url, key, afterSeq, count, send, io }: Following): Promise<void> {
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const waiting: Alert[] = []
  let left = count
  let isSending = false

  async function sendAll(): Promise<void> {
    if (isSending) return
    isSending = true
    for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
      await send(next)
      if (--left <= 0) finish()
      if (waiting.length === 0) follower.goOn()
    }
    isSending = false
  }

  const read = (payload: object) => AlertEvent.safeParse(payload).data?.data ?? null
  const follower = createFollower({
    ...{ url, key, topic: OWN_TOPIC, afterSeq, filter: null },
    seqOf: (payload) => read(payload)?.seq ?? null,
    onMessage(payload) {
      waiting.push({ ...read(payload)!, account: '', place: 0 })
      if (waiting.length >= WAITING) follower.hold()
      void sendAll()
    },
    onStatus: io.note,
  })
  io.signal.addEventListener('abort', finish)
  if (io.signal.aborted || count <= 0) finish()
  try {
    await Promise.race([finished, follower.failed])
  } finally {
    await follower.leave()
    io.signal.removeEventListener('abort', finish)
  }
}

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
