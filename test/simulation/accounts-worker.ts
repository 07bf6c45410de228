import { openSync, writeSync } from 'node:fs'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { makeCopy } from '@ti/service/access/sql/copies.ts'
import { openDatabase } from '@ti/service/access/sql/database.ts'
import { createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import type { Draft } from '@ti/service/alerts/events.ts'
import { createWorkerStore } from '@ti/service/alerts/worker-store.ts'
import { seededRandom } from '../support/random.ts'

/**
 * Real work on the embedded database until it is killed, or for so many rounds: `accounts-worker.ts DATA_DIR SEED ROUNDS
 * COPIES`. Each line it writes, to the file ACKNOWLEDGED where that is set, is something that was acknowledged before.
 */
const [dataDir = '', seedText = '0', roundsText = '0', copiesText = ''] = process.argv.slice(2)
const random = seededRandom(Number(seedText))
const rounds = roundsText === '0' ? Number.POSITIVE_INFINITY : Number(roundsText)
const copies = copiesText === 'copies'

const file = process.env.ACKNOWLEDGED === undefined ? 1 : openSync(process.env.ACKNOWLEDGED, 'a')
const tell = (line: string): void => void writeSync(file, `${line}\n`)
const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')

const database = await openDatabase({ dataDir, url: null })
const ledger = createLedger({ database, now: Date.now })
const accounts = createAccounts(database, { now: Date.now })
const alerts = createWorkerStore(database, hex(16))
const known: string[] = []
tell('open')

async function pay(books: Ledger): Promise<void> {
  const hash = hex(64)
  const amount = 1 + Math.floor(random() * 100_000)
  const { claim } = await books.reserve({
    hash,
    operation: 'token',
    request: `token ${hex(44)}`,
    amount,
    payer: hex(44),
    blockhash: hex(44),
  })
  tell(`payment ${hash} reserved ${amount}`)
  if (random() < 0.1) {
    await books.release(claim!, 'for the test')
    return tell(`payment ${hash} released ${amount}`)
  }
  await books.settling(claim!, hex(1_200))
  tell(`payment ${hash} settling ${amount}`)
  await books.sign(claim!, hex(88))
  if (random() < 0.1) return
  const isDue = random() < 0.1
  await books.settled(claim!, null, isDue ? null : hex(200).repeat(100))
  tell(`payment ${hash} ${isDue ? 'settled' : 'answered'} ${amount}`)
}

async function signUp(): Promise<void> {
  const account = await accounts.ofWallet(hex(44))
  tell(`account ${account.id}`)
  known.push(account.id)
  const made = await accounts.createKey(account.id, { name: 'test', expiresAt: null })
  if (!made.ok) return
  tell(`key ${made.info.id} live`)
  const lamports = 1 + Math.floor(random() * 1e9)
  const signature = hex(88)
  await database.sql.transaction().execute(async (inside) => {
    await inside
      .insertInto('deposits')
      .values({ signature, account_id: account.id, lamports, slot: 1, credited_at: new Date() })
      .execute()
    await inside.updateTable('accounts').set({ balance_lamports: lamports }).where('id', '=', account.id).execute()
  })
  tell(`deposit ${account.id} ${lamports}`)
  if (random() < 0.5) return
  await accounts.revokeKey(null, made.info.id)
  tell(`key ${made.info.id} revoked`)
}

async function alert(): Promise<void> {
  if ((await alerts.take()) === null) return
  const account = known[Math.floor(random() * known.length)]!
  const drafts = Array.from({ length: 1 + Math.floor(random() * 5) }, () => draft(account))
  // again, as after a crash: an alert is written once
  for (const _ of [1, 2]) {
    if (!(await alerts.write(drafts, new Map(), { trade: 1, event: 1, slot: 1, condition: 1 }))) return
  }
  for (const { id } of drafts) tell(`alert ${id}`)
}

const draft = (account: string): Draft => ({
  account,
  id: `alert_${hex(16)}`,
  watch: { id: 'w', name: 'a watch' },
  event: 'launched',
  title: 'A launch',
  text: hex(200),
  why: {},
  mint: null,
  wallet: null,
  slot: 1,
  at: Date.now(),
  links: [],
})

for (let round = 0; round < rounds; round++) {
  const alerting = known.length > 0 && random() < 0.3 ? alert() : null
  await Promise.all([pay(ledger), random() < 0.3 ? signUp() : null, alerting])
  if (copies && random() < 0.02) await makeCopy(database.file!, Date.now())
}
if (process.argv[6] !== 'stay') await database.close()
else {
  tell('done')
  setInterval(() => {}, 1_000)
}
