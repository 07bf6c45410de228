import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { createClient } from '../../clients/typescript/src/index.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'
import { seed } from '../support/chance.ts'
import { until } from '../support/live-service.ts'
import { rpc } from '../support/payments-fixtures.ts'
import { seededRandom } from '../support/random.ts'
import { createUserFolder, start, typescript, type UserFolder } from './user-folder.ts'

/** The agent with a budget as a user runs it, paying in the sandbox, killed at any moment. */
const SEED = seed()
const KILLS = 10
const PRICE = 30_000
/** twelve answers and no thirteenth */
const BUDGET = '0.37'
const ANSWERS = 12

let folder: UserFolder
let dir: string
let market: Market
let program: Program
const ends: (() => unknown)[] = []
before(async () => {
  folder = await createUserFolder()
  dir = mkdtempSync(join(tmpdir(), 'agent-'))
  market = await makeMarket()
  program = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  for (const end of ends) await end()
  market?.remove()
  folder?.remove()
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
  const { payments } = (await (await fetch(`${program.url}/.well-known/x402`)).json()) as {
    payments: { rpc_url: string }
  }
  await rpc(payments.rpc_url, 'sandbox_faucet', [address, { usdc: '1000000' }])
  return address
}

test(`${KILLS} kills of the agent: the budget holds, and no answer is paid for twice`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const [WALLET, JOURNAL] = [join(dir, 'wallet.json'), join(dir, 'agent.jsonl')]
  const address = await makeWallet(WALLET)
  const { data: cards } = await createClient({ baseUrl: program.url, apiKey: market.key }).new_tokens()
  const mints = cards.map(({ mint }) => mint)
  assert.ok(mints.length > ANSWERS)
  const run = () =>
    start(t, folder.dir, typescript('agent.ts', ...mints), { TI_URL: program.url, WALLET, JOURNAL, BUDGET })
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
  for (const { payment } of entries) if (payment !== undefined) program.secrets.add(payment[1])
  const paid = entries.filter(({ payment }) => payment !== undefined).map(({ path }) => path)
  const answered = entries.filter(({ said }) => said !== undefined)
  const lost = answered.filter(({ said }) => said!.startsWith('lost')).length
  t.diagnostic(`killed after ${killedAt.join(' ')} entries; ${lost} of ${answered.length} answers were lost`)
  assert.equal(new Set(paid).size, paid.length, 'one payment for each question')
  assert.deepEqual(answered.map(({ path }) => path).sort(), paid.sort(), 'and an end of each')
  assert.equal(paid.length, ANSWERS)
  assert.equal(1_000_000 - (await program.tokens(address)), ANSWERS * PRICE, 'as the chain says')
  assert.deepEqual(lines.slice(-2), ['the budget is spent', `$0.36 of $${BUDGET} for ${ANSWERS} answers`])

  assert.deepEqual(await run().ended, lines, 'what is answered is known')
  assert.equal(1_000_000 - (await program.tokens(address)), ANSWERS * PRICE, 'and costs nothing more')
})
