// A mirror of every trade: a file with one line for each transaction and token, exactly once and in order, also if this program or the
// service is killed at any moment. A line has its trades and their `seq`, so both are written or neither is; in a database, write
// both in one transaction.
//
//   TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/mirror.ts
//
// MIRROR: the file (trades.jsonl).
import { createClient, type Frame } from '@token-intelligence/client'
import { openJournal } from './journal.ts'

const { TI_URL = 'http://127.0.0.1:4000', TI_KEY = null, MIRROR = 'trades.jsonl' } = process.env
const client = createClient({ baseUrl: TI_URL, apiKey: TI_KEY })
const mirror = openJournal<Frame['data']>(MIRROR)
const afterSeq = mirror.entries.at(-1)?.seq ?? 0
console.log(`continuing after ${afterSeq}`)
for await (const { data } of client.frames({ afterSeq })) mirror.append(data)
