// Receives alerts: verifies the signature, answers the challenge, and prints each alert once. TLS is left to a proxy before it.
//
//   WEBHOOK_SECRET=whsec_… PORT=8080 npx tsx examples/webhook.ts
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

interface Message {
  readonly type: string
  readonly data: { readonly challenge: string } & { readonly id: string; readonly title: string }
}
const { WEBHOOK_SECRET, PORT = '8080' } = process.env
if (WEBHOOK_SECRET === undefined)
  throw new Error('WEBHOOK_SECRET is missing: it is in the answer that made the destination')
const webhook = new Webhook(WEBHOOK_SECRET)
/** the newest ids: a message may come twice */
const seen = new Set<string>()

/** Returns the text of the answer. Throws if the signature is not ours. */
function take(body: string, headers: Record<string, string>): string {
  const { type, data } = webhook.verify(body, headers) as Message
  if (type === 'alert.challenge') return data.challenge
  if (!seen.has(data.id)) console.log(type, data.title)
  seen.add(data.id)
  if (seen.size > 1_000) seen.delete(seen.values().next().value!)
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
