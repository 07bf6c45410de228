import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { REAL_DATA, realNotes } from './real.ts'
import { callNotes, graduationNotes } from './real-calls.ts'
import { fundingNotes } from './real-funding.ts'
import { creatorNotes, csv, mintNotes, sliceNotes, tokenNotes } from './real-launches.ts'

test('without the material there is nothing to say', () => {
  assert.deepEqual(realNotes(join(tmpdir(), 'no-such-folder')), [])
})

test('material that is not what it should be ends no report', () => {
  const dir = mkdtempSync(join(tmpdir(), 'real-'))
  try {
    mkdirSync(join(dir, 'labels'))
    writeFileSync(join(dir, 'labels', 'coins-graduated.json'), '<html>')
    writeFileSync(join(dir, 'labels', 'calls_outcomes.jsonl'), '[1]\n7\n{"mc":"a"}\n')
    writeFileSync(join(dir, 'labels', 'e2_funding_Calm.json'), '{"wallets":[null,{"wallet":1}]}')
    writeFileSync(join(dir, 'labels', 'dataset_socle_bundler_labels.json'), '{"A":3,"B":[]}')
    const notes = realNotes(dir)
    assert.equal(notes.length, 4)
    assert.ok(!/NaN|undefined/.test(JSON.stringify(notes)))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

const wallet = (name: string, funder: string, at: number, known: string | null = null, seen = true) => ({
  wallet: name,
  genesis_reached: seen,
  inflows: [
    { nature: 'produit_de_vente', source: 'market', ts: at - 5 },
    { nature: 'financement', source: 'later', ts: at + 5 },
    { nature: 'financement', source: funder, source_known: known, ts: at },
  ],
})

test('first funders: the earliest funding counts, exchanges and unseen histories do not', () => {
  const day = 86_400
  const wallets = [
    wallet('a', 'f', 0),
    wallet('b', 'f', 10),
    wallet('c', 'f', 3 * day),
    wallet('d', 'x', 0, 'Some exchange'),
    wallet('e', 'x', 1, 'Some exchange'),
    wallet('g', 'f', 20, null, false),
    wallet('h', 'alone', 0),
  ]
  const [first, exchanges, shared, near, tiers] = fundingNotes([{ wallets }])
  assert.match(first!, /7 first buyers \(7 distinct wallets\).* certain for 6/)
  assert.match(exchanges!, /2 of 6 \(33 %\)/)
  assert.match(shared!, /^5 of 6 .* 3 of 6/)
  assert.match(near!, /4 of 6 .*exchanges 2 of 6 \(33 %\), in 1 groups, the largest of 2 wallets/)
  assert.match(tiers!, /2 to 4 wallets \(weight 0\.6\): 1; 5 to 8/)
})

test('calls and graduates: aggregates only', () => {
  const calls = callNotes(
    [
      { mc: 1000, peak: 4 },
      { mc: 2000, peak: 3 },
      { mc: 3000, peak: 1 },
    ],
    1,
  )
  assert.match(calls[0]!, /^3 calls; quartiles .* 1,500 \/ 2,000 \/ 2,500 USD.*; 67 % doubled/)
  assert.match(calls[1]!, /AUROC 0\.000/)
  const minute = 60_000
  const coins = [0.5, 4, 30, 3000].map((took) => ({ creationTime: 0, graduationDate: took * minute }))
  assert.match(graduationNotes({ coins })[0]!, /^3 tokens .*: 1 within a minute, 2 within five, 2 within fifteen/)
})

test('the real material, where it is present, gives notes without a single address', (t) => {
  if (!existsSync(join(REAL_DATA, 'labels')))
    return t.skip(`${REAL_DATA} is absent: real labels are not in the project`)
  const notes = realNotes()
  assert.equal(notes.length, existsSync(join(REAL_DATA, 'real2')) ? 9 : 5)
  const text = JSON.stringify(notes)
  assert.ok(!/[1-9A-HJ-NP-Za-km-z]{32,44}/.test(text))
  assert.ok(!/NaN|undefined|null/.test(text))
})

test('launches by what is known at entry, creators by age at their sale, a slice by its busiest wallets', () => {
  const mints = csv(
    'mint,first_s,age_at_trigger_s,entry_mc_sol,pre_traders,pre_buys,pre_sells,peak_pct,trough_pct\na,1000,40,30,25,9,1,150,0\nb,2000,10,20,5,2,1,10,-60\nc,3000,,,,,,0,0\n',
  )
  const [count, first] = mintNotes(mints, 1)
  assert.match(count!, /^2 launches .* 1 of them had 20 traders/)
  assert.match(first!, /^all: 50 % gained 100 % .* market cap 1\.000/)
  const creators = csv('mint,creator_sells,sold_at_s\na,1,1000\nb,2,2000\nunknown,1,5\n')
  const [sold, ages] = creatorNotes(creators, mints)
  assert.match(sold!, /^3 creators .* 67 % in one sale/)
  assert.match(ages!, /^Of 2 .* 17\.5 \/ 25 \/ 32\.5; .*: 100 %/)
  const trades = Array.from({ length: 10 }, (_, i) => `m,${i < 5 ? 'busy' : `u${i}`}`)
  const [, busiest] = sliceNotes(csv(['mint,user', ...trades, 'n,busy'].join('\n')))
  assert.match(busiest!, /^Of the 1 tokens .* 50 \/ 50 \/ 50 % .* in 1 of them/)
})

test('a token is asked from 2 SOL on, at ages that its trades reach', () => {
  const row = (slot: number, sol: number) => `t,${slot},${sol * 1e9}`
  const lines = csv(['token_address,block_num,real_sol_reserves', row(100, 1), row(150, 8), row(400, 0.5)].join('\n'))
  const [line] = tokenNotes(lines, [10, 75, 150, 750])
  assert.match(
    line!,
    /most in the market 8\.00 SOL, 50 slots after the first, least after that 0\.50\. .*: 75: yes, 150: yes\.$/,
  )
})
