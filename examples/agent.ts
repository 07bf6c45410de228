// An agent that pays for itself: it asks about each token of a list and stops when its budget is spent. Killed at any moment and started
// again within the hour, it goes on: no answer is lost or paid for twice, and the budget holds over all starts.
//
//   TI_URL=http://127.0.0.1:4000 WALLET=wallet.json npx tsx examples/agent.ts MINT MINT …
//
// WALLET: a file of `solana-keygen`; the wallet holds USDC. BUDGET: in USD (1). JOURNAL: payments and answers (agent.jsonl).
import { readFileSync } from 'node:fs'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { createClient } from '@token-intelligence/client'
import { type Payment, payingFetch } from '@token-intelligence/client/payments'
import { openJournal } from './journal.ts'

const { TI_URL = 'http://127.0.0.1:4000', WALLET = 'wallet.json', BUDGET = '1', JOURNAL = 'agent.jsonl' } = process.env

type Entry = { readonly path: string } & ({ readonly payment: Payment } | { readonly said: string })

const journal = openJournal<Entry>(JOURNAL, Number.MAX_SAFE_INTEGER)
const payments = new Map<string, Payment>()
const answers = new Map<string, string>()
/** Units of USDC signed for: a payment that did not arrive still could. */
let spent = 0

function take(entry: Entry): void {
  if ('said' in entry) answers.set(entry.path, entry.said)
  else {
    payments.set(entry.path, entry.payment)
    spent += Number(JSON.parse(atob(entry.payment[1])).accepted.amount)
  }
}

function note(entry: Entry): void {
  journal.append(entry)
  journal.sync()
  take(entry)
}

const pathOf = (asked: string): string => new URL(asked.split(' ')[1]!).pathname

journal.entries.forEach(take)
const described = (await (await fetch(`${TI_URL}/.well-known/x402`)).json()) as {
  readonly payments: { readonly network: `${string}:${string}`; readonly rpc_url: string }
}
const wallet = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(readFileSync(WALLET, 'utf8'))))
const client = createClient({
  baseUrl: TI_URL,
  // A repeated call carries the payment that was made for it, so it may be repeated.
  retries: 10,
  fetch: payingFetch({
    wallet,
    network: described.payments.network,
    rpcUrl: described.payments.rpc_url,
    maxPerCall: '$0.05',
    maxTotal: `$${Number(BUDGET) - spent / 1e6}`,
    payments: {
      get: (asked) => payments.get(pathOf(asked)),
      // A payment is on disk before it is sent.
      set(asked, payment) {
        if (payments.get(pathOf(asked))?.[1] !== payment[1]) note({ path: pathOf(asked), payment })
        return this as never
      },
      // It is kept: until its answer is on disk too, a kill could lose it, and the payment brings it again.
      delete: () => true,
    },
  }),
})

/** Returns the answer in words, from the journal if it was paid for before. */
async function ask(path: string, call: () => Promise<string>): Promise<string> {
  const known = answers.get(path)
  if (known !== undefined) return known
  const said = await call()
  note({ path, said })
  return said
}

try {
  for (const mint of process.argv.slice(2)) {
    const check = await ask(`/v1/tokens/${mint}/check`, async () => {
      const { colour, text } = (await client.check(mint)).data
      return `${colour}: ${text}`
    })
    console.log(mint, check)
    if (check.startsWith('red')) continue
    const who = await ask(`/v1/tokens/${mint}/who`, async () => {
      const { groups, holders, coverage } = (await client.who(mint)).data
      const unknown = coverage.unknown.length === 0 ? 'nothing' : coverage.unknown.join(', ')
      return `${groups.length} groups, ${holders.count} holders, the ten largest own ${holders.top_10_pct}%; unknown: ${unknown}`
    })
    console.log(mint, who)
  }
} catch (error) {
  if (!`${error}`.includes('of the total is spent')) throw error
  console.log('the budget is spent')
}
console.log(`$${spent / 1e6} of $${BUDGET} for ${answers.size} answers`)
