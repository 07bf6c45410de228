import { URL_OPTION } from '@ti/service/cli/definition.ts'
import { register } from '@ti/service/extensions.ts'

register({
  module: import.meta.url,
  payments: [{ mode: 'sandbox', start: async (options) => (await import('./chain.ts')).startSandboxChain(options) }],
  commands: [
    {
      name: 'demo-pay',
      summary: 'buys one snapshot from a running service with play money',
      usage: '[MINT] [--url URL] [--v1] | --subscribe REFERENCE [--sol N] [--url URL]',
      operands: { least: 0, most: 1 },
      options: {
        url: URL_OPTION,
        v1: { help: 'pays as older clients do' },
        subscribe: {
          takes: 'REFERENCE',
          help: 'pays for an account instead; its page under /account shows the reference',
        },
        sol: { takes: 'N', default: '1', help: 'with --subscribe: how much' },
      },
      notes: `Uses the official x402 client and the sandbox chain of the service: a new wallet, 1 USDC of play money, no account.
Without MINT it first buys the list of new tokens.`,
      example: 'demo-pay',
      load: async () => (await import('./demo/pay.ts')).demoPay,
    },
  ],
})
