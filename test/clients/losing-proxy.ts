import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Where an exchange with a payment is lost: the client sees its connection reset each time. */
const LOSSES = [
  'before the request',
  'during the work',
  'before the answer',
  'in the answer',
  'after the answer',
] as const
type Loss = (typeof LOSSES)[number] | 'without a service'

export interface LosingProxy {
  readonly url: string
  readonly losses: ReadonlyMap<Loss, number>
  /** loses nothing from now on */
  calm(): void
  close(): void
}

interface Options {
  /** address of the service, which may be another one after it was killed */
  readonly service: () => Promise<string>
  readonly random: () => number
  /** share of the exchanges with a payment that are lost */
  readonly share: number
}

const PAYMENT = /payment-signature|x-payment|x_payment|x402\/payment/

/** A proxy between clients and the service that loses exchanges with a payment. */
export async function startLosingProxy({ service, random, share }: Options): Promise<LosingProxy> {
  const losses = new Map<Loss, number>()
  let isCalm = false

  function lose(loss: Loss, { socket }: IncomingMessage): void {
    losses.set(loss, (losses.get(loss) ?? 0) + 1)
    socket.destroy()
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request)
    const isPaid = PAYMENT.test(`${Object.keys(request.headers)} ${body}`)
    const loss = isPaid && !isCalm && random() < share ? LOSSES[Math.floor(random() * LOSSES.length)]! : null
    if (loss === 'before the request') return lose(loss, request)
    const asked = httpRequest((await service()) + request.url, {
      method: request.method,
      headers: { ...request.headers, connection: 'close' },
      // an address of its own, so that nobody comes to a rate limit
      localAddress: `127.${[250, 250, 250].map((bound) => 1 + Math.floor(random() * bound)).join('.')}`,
      agent: false,
    })
    asked.end(body)
    if (loss === 'during the work') {
      asked.on('error', () => {})
      await pause(random() * 50)
      asked.destroy()
      return lose(loss, request)
    }
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    if (loss === 'before the answer') {
      asked.destroy()
      return lose(loss, request)
    }
    const whole = await bytesOf(answer)
    if (loss === 'after the answer') return lose(loss, request)
    response.writeHead(answer.statusCode!, { ...answer.headers, 'content-length': whole.length })
    if (loss === null) return void response.end(whole)
    response.write(whole.subarray(0, whole.length / 2), () => lose(loss, request))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => lose('without a service', request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    losses,
    calm() {
      isCalm = true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}
