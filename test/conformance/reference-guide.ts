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
  return answer.structuredContent
}
