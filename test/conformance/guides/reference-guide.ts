import { createHash, type KeyObject, sign } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'

/* The functions that docs/agents.md shows: compiled here, compared with the page by a test, ready to be called by others. */

/** `secret` is the wallet's 64-byte secret key in base58, `rpcUrl` a Solana RPC node. */
export async function payingFetch(secret: string, rpcUrl: string) {
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secret))
  return wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', client: new ExactSvmScheme(signer, { rpcUrl }) }],
    spendControls: { maxAmountPerPayment: '$0.05' },
  })
}

/** The snapshot of a token, as the tool answers it; `url` is the address of `/mcp`. */
export async function scan(url: string, key: string, mint: string) {
  const client = new Client({ name: 'my-bot', version: '1.0.0' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const answer = await client.callTool({ name: 'scan_token', arguments: { mint } })
  await client.close()
  const [said] = answer.content as { text: string }[]
  return JSON.parse(said!.text)
}

interface Task {
  readonly required: boolean
  readonly nonce: string
  readonly parts: number
  readonly bits: number
}

/** `wallet` is the address in base58, `secret` its ed25519 key. A new API key; the service shows it only once. */
export async function freeKey(service: string, wallet: string, secret: KeyObject): Promise<string> {
  let cookie = ''
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', cookie }
    const answer = await fetch(service + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data, error } = (await answer.json()) as { data: T; error?: { message: string } }
    if (!answer.ok) throw new Error(error?.message)
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return data
  }
  const { nonce, message } = await post<{ nonce: string; message: string }>('/account/challenge', { wallet })
  await post('/account/session', { nonce, signature: sign(null, Buffer.from(message), secret).toString('base64') })

  const task = await post<Task>('/account/work', {})
  const isDone = (part: number, n: number): boolean => {
    const hash = createHash('sha256').update(`${task.nonce}.${part}.${n}`).digest()
    return Math.clz32(hash.readUInt32BE()) >= task.bits
  }
  const counters: number[] = []
  while (task.required && counters.length < task.parts) {
    let n = 0
    while (!isDone(counters.length, n)) n++
    counters.push(n)
  }
  const work = task.required ? { work: { nonce: task.nonce, counters } } : {}
  const made = await post<{ key: string }>('/account/keys', { name: 'my agent', ...work })
  return made.key
}
