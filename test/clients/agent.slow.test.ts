import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { createClient } from '../../clients/typescript/src/index.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'
import { seed } from '../support/chance.ts'
import { EXAMPLES, folderIn, installClient, program } from '../support/guides.ts'
import { until } from '../support/live-service.ts'
import { rpc } from '../support/payments-fixtures.ts'
import { seededRandom } from '../support/random.ts'
import { start } from './start.ts'

/** The agent with a budget as a user runs it, paying in the sandbox, killed at any moment. */
const SEED = seed()
const KILLS = 10
const PRICE = 30_000
/** twelve answers and no thirteenth */
const BUDGET = '0.37'
const ANSWERS = 12

let folder: string
let dir: string
let market: Market
let service: Program
const ends: (() => unknown)[] = []
before(async () => {
  folder = folderIn()
  await installClient(folder)
  dir = mkdtempSync(join(tmpdir(), 'agent-'))
  market = await makeMarket()
  service = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  for (const end of ends) await end()
  market?.remove()
  rmSync(dir, { recursive: true, force: true })
})

interface Entry {
  readonly path: string
  readonly payment?: readonly [string, string]
  readonly said?: string
}

/** A file as `solana-keygen` writes it, of a wallet with a dollar of play money. */
async function makeWallet(file: string) {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const bytes = [d!, x!].flatMap((part) => [...Buffer.from(part, 'base64url')])
  writeFileSync(file, JSON.stringify(bytes))
  const { address } = await createKeyPairSignerFromBytes(Uint8Array.from(bytes))
  const { payments } = (await (await fetch(`${service.url}/.well-known/x402`)).json()) as {
    payments: { rpc_url: string }
  }
  await rpc(payments.rpc_url, 'sandbox_faucet', [address, { usdc: '1000000' }])
  return address
}

test(`${KILLS} kills of the agent: the budget holds, no answer is lost, and none is paid for twice`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const [WALLET, JOURNAL] = [join(dir, 'wallet.json'), join(dir, 'agent.jsonl')]
  const address = await makeWallet(WALLET)
  const { data: cards } = await createClient({ baseUrl: service.url, apiKey: market.key }).new_tokens()
  const mints = cards.map(({ mint }) => mint)
  assert.ok(mints.length > ANSWERS)
  const compiled = program(folder, 'agent', EXAMPLES.get('agent')!)
  const run = () =>
    start(t, folder, [process.execPath, compiled, ...mints], { TI_URL: service.url, WALLET, JOURNAL, BUDGET })
  const journal = (): Entry[] =>
    existsSync(JOURNAL)
      ? readFileSync(JOURNAL, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : []

  const killedAt: number[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const agent = run()
    // a payment and an answer are an entry each: after one of the two, and a little later
    const enough = Math.min(journal().length + 1 + Math.floor(2 * random()), 2 * ANSWERS)
    await until(
      'it has gone on',
      () => journal().length >= enough,
      () => journal().length,
    )
    await new Promise((done) => setTimeout(done, 30 * random()))
    agent.kill('SIGKILL')
    await agent.over
    killedAt.push(journal().length)
  }
  const lines = await run().ended
  const entries = journal()
  for (const { payment } of entries) if (payment !== undefined) service.secrets.add(payment[1])
  const paid = entries.filter(({ payment }) => payment !== undefined).map(({ path }) => path)
  const answered = entries.filter(({ said }) => said !== undefined)
  t.diagnostic(`killed after ${killedAt.join(' ')} entries`)
  assert.equal(new Set(paid).size, paid.length, 'one payment for each question')
  assert.deepEqual(answered.map(({ path }) => path).sort(), paid.sort(), 'and its answer')
  for (const { said } of answered) assert.match(said!, /^((red|yellow|green|neutral): .|\d+ groups, )/)
  assert.equal(paid.length, ANSWERS)
  assert.equal(1_000_000 - (await service.tokens(address)), ANSWERS * PRICE, 'as the chain says')
  assert.deepEqual(lines.slice(-2), ['the budget is spent', `$0.36 of $${BUDGET} for ${ANSWERS} answers`])

  // A kill while the last answer was written: it is not on disk.
  truncateSync(JOURNAL, statSync(JOURNAL).size - 10)
  assert.deepEqual(await run().ended, lines, 'what is answered is known, and what was lost is given again')
  assert.deepEqual(journal(), entries)
  assert.equal(1_000_000 - (await service.tokens(address)), ANSWERS * PRICE, 'and costs nothing more')
})
