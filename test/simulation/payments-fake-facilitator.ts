import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import type { SandboxChain } from '@ti/sandbox/chain.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { quietly } from '@ti/service/access/x402/sdk-console.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { SettlementCache, toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { hashOf, pickWeighted, type Random } from './payments-market.ts'

/** Somebody else's facilitator: the official one behind HTTP, which settles once whatever comes, and answers badly. */
export interface FakeFacilitator {
  readonly url: string
  /** misbehaviours by name, how often each was met */
  readonly seen: Map<string, number>
  /** behaves from now on, and cuts what hangs */
  calm(): void
  close(): Promise<void>
}

interface Asked {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

const MANNERS = [
  { weight: 10, name: 'as it should' },
  { weight: 2, name: '500, nothing done' },
  { weight: 1, name: 'silence, nothing done' },
  { weight: 2, name: 'pending, nothing done' },
  { weight: 2, name: 'settled, then 500' },
  { weight: 3, name: 'settled, then cut' },
  { weight: 1, name: 'settled, then silence' },
  { weight: 3, name: 'settled, then pending' },
] as const

export async function startFakeFacilitator(chain: SandboxChain, random: Random): Promise<FakeFacilitator> {
  const signer = await createKeyPairSignerFromBytes(chain.feePayerSecret)
  const scheme = new ExactSvmScheme(
    toFacilitatorSvmSigner(signer, { defaultRpcUrl: chain.rpcUrl }),
    new SettlementCache(),
  )
  const official = new x402Facilitator().register(MAINNET.v2, scheme)
  const logger = createLogger('silent')
  const seen = new Map<string, number>()
  /** by hash: what is being settled, and what has been */
  const settlements = new Map<string, Promise<SettleResponse>>()
  const silent = new Set<ServerResponse>()
  let calm = false

  /** The same payment is settled once; whoever asks again is told the same. */
  function settle({ paymentPayload, paymentRequirements }: Asked): Promise<SettleResponse> {
    const hash = hashOf(String(paymentPayload.payload.transaction))
    const known = settlements.get(hash)
    if (known !== undefined) return known
    const made = quietly(logger, () => official.settle(paymentPayload, paymentRequirements))
    settlements.set(hash, made)
    // what failed may be tried again
    const forget = (answer: SettleResponse | null): void => void (answer?.success === true || settlements.delete(hash))
    made.then(forget, () => forget(null))
    return made
  }

  function hold(response: ServerResponse): void {
    silent.add(response)
    response.once('close', () => silent.delete(response))
  }

  async function answerSettle(asked: Asked, response: ServerResponse): Promise<void> {
    const { name } = calm ? MANNERS[0] : pickWeighted(MANNERS, random)
    seen.set(name, (seen.get(name) ?? 0) + 1)
    const pending = { success: false, errorReason: 'settlement_pending', network: MAINNET.v2, payer: '' }
    if (name === '500, nothing done') return write(response, 500, { error: 'out of order' })
    if (name === 'silence, nothing done') return hold(response)
    if (name === 'pending, nothing done') return write(response, 200, { ...pending, transaction: '' })
    const answer = await settle(asked)
    if (name === 'settled, then 500') return write(response, 500, { error: 'out of order' })
    if (name === 'settled, then cut') return void response.destroy()
    if (name === 'settled, then silence') return hold(response)
    if (name === 'settled, then pending' && answer.success) {
      return write(response, 200, { ...pending, transaction: answer.transaction })
    }
    write(response, 200, answer)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/supported') return write(response, 200, official.getSupported())
    const asked = JSON.parse(await textOf(request)) as Asked
    if (request.url === '/settle') return answerSettle(asked, response)
    if (!calm && random() < 0.05) return write(response, 500, { error: 'out of order' })
    const { paymentPayload, paymentRequirements } = asked
    write(response, 200, await quietly(logger, () => official.verify(paymentPayload, paymentRequirements)))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    calm() {
      calm = true
      for (const response of silent) response.destroy()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function write(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
