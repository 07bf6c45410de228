// Receives alerts: verifies the signature, answers the challenge, and keeps and prints each alert once, also over restarts. TLS is left
// to a proxy before it.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 npx tsx examples/webhook.ts
//
// ALERTS: the file that alerts are kept in (alerts.jsonl).
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { openJournal } from './journal.ts'

interface Alert {
  readonly id: string
  readonly title: string
}
interface Message {
  readonly type: string
  readonly data: Alert & { readonly challenge: string }
}
const { WEBHOOK_SECRET, PORT = '8080', ALERTS = 'alerts.jsonl' } = process.env
if (WEBHOOK_SECRET === undefined)
  throw new Error('WEBHOOK_SECRET is missing: it is in the answer that made the destination')
const webhook = new Webhook(WEBHOOK_SECRET)
const alerts = openJournal<Alert>(ALERTS)
/** A message may come twice, and is recognised by its id. */
const seen = new Set(alerts.entries.map(({ id }) => id))

/** Returns the text of the answer. Throws if the signature is not ours. */
function take(body: string, headers: Record<string, string>): string {
  const { type, data } = webhook.verify(body, headers) as Message
  if (type === 'alert.challenge') return data.challenge
  if (seen.has(data.id)) return ''
  // It is kept before it is acknowledged: what was not acknowledged comes again.
  alerts.append(data)
  alerts.sync()
  seen.add(data.id)
  console.log(type, data.title)
  return ''
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) if (body.length < 100_000) body += piece
  try {
    response.end(take(body, request.headers as Record<string, string>))
  } catch (error) {
    console.error(`${error}`)
    response.writeHead(400).end()
  }
})
server.listen(Number(PORT), () => console.error('listening', server.address()))
