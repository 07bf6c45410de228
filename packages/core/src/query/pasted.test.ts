import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPasted, whyNothing } from './pasted.ts'

const MINT = '9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump'
const PAIR = '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKXbiXwLuqp'
const WALLET = '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

test('links of explorers, launchpads, charts and terminals are read for the address in them', () => {
  for (const [link, host, address] of [
    [`https://solscan.io/token/${MINT}`, 'solscan.io', MINT],
    [`https://solscan.io/token/${MINT}?activity_type=ACTIVITY_SPL_TRANSFER#transactions`, 'solscan.io', MINT],
    [`https://solscan.io/account/${WALLET}#defiactivities`, 'solscan.io', WALLET],
    [`https://explorer.solana.com/address/${MINT}?cluster=mainnet-beta`, 'explorer.solana.com', MINT],
    [`https://solana.fm/address/${MINT}/transactions`, 'solana.fm', MINT],
    [`https://pump.fun/coin/${MINT}`, 'pump.fun', MINT],
    [`https://www.pump.fun/${MINT}`, 'pump.fun', MINT],
    [`pump.fun/profile/${WALLET}?tab=coins`, 'pump.fun', WALLET],
    [`https://dexscreener.com/solana/${PAIR}`, 'dexscreener.com', PAIR],
    [`https://dexscreener.com/solana/${PAIR.toLowerCase()}`, 'dexscreener.com', PAIR.toLowerCase()],
    [`https://birdeye.so/token/${MINT}?chain=solana`, 'birdeye.so', MINT],
    [`https://birdeye.so/solana/token/${MINT}`, 'birdeye.so', MINT],
    [`https://photon-sol.tinyastro.io/en/lp/${PAIR}?handle=12345`, 'photon-sol.tinyastro.io', PAIR],
    [`https://photon-sol.tinyastro.io/en/r/@someone/${MINT}`, 'photon-sol.tinyastro.io', MINT],
    [`https://axiom.trade/meme/${PAIR}?chain=sol`, 'axiom.trade', PAIR],
    [`https://axiom.trade/t/${MINT}/@someone`, 'axiom.trade', MINT],
    [`https://gmgn.ai/sol/token/${MINT}`, 'gmgn.ai', MINT],
    [`https://gmgn.ai/sol/token/aBcD1234_${MINT}?tag=smart_degen`, 'gmgn.ai', MINT],
    [`https://gmgn.ai/sol/address/${WALLET}`, 'gmgn.ai', WALLET],
    [`https://neo.bullx.io/terminal?chainId=1399811149&address=${MINT}`, 'neo.bullx.io', MINT],
    [`https://jup.ag/swap/SOL-${MINT}`, 'jup.ag', MINT],
    [
      `https://raydium.io/swap/?inputMint=So11111111111111111111111111111111111111112&outputMint=${MINT}`,
      'raydium.io',
      MINT,
    ],
    [`https://rugcheck.xyz/tokens/${MINT}`, 'rugcheck.xyz', MINT],
    [`https://www.geckoterminal.com/solana/pools/${PAIR}`, 'geckoterminal.com', PAIR],
    [`https://t.me/solana_trojanbot?start=r-friend-${MINT}`, 't.me', MINT],
    [`http://127.0.0.1:4000/token/${MINT}`, '127.0.0.1:4000', MINT],
    [`localhost:4000/trader/${WALLET}`, 'localhost:4000', WALLET],
  ] as const) {
    const read = readPasted(` ${link}\n`)
    assert.deepEqual([read.host, read.addresses, read.kind], [host, [address], 'address'], link)
  }
})

test('addresses, symbols, crews and names are told apart without a link', () => {
  assert.deepEqual(readPasted(MINT).addresses, [MINT])
  assert.deepEqual(readPasted('$WIF'), { ...readPasted('WIF'), isSymbol: true })
  assert.equal(readPasted('@cented').text, 'cented')
  assert.equal(readPasted('https://x.com/cented7/status/18').text, 'cented7')
  assert.equal(readPasted('act_3vZ67CGoRYkuT').actor, 'act_3vZ67CGoRYkuT'.length === 16 ? 'act_3vZ67CGoRYkuT' : null)
  assert.equal(readPasted('act_3vZ67CGoRYku').actor, 'act_3vZ67CGoRYku')
  assert.equal(readPasted('http://localhost:4000/actor/act_3vZ67CGoRYku').actor, 'act_3vZ67CGoRYku')
  for (const text of ['hollow-iris', 'dog wif hat', '100% legit', 'a/b', '.', '', '   '])
    assert.deepEqual(
      [readPasted(text).host, readPasted(text).kind, readPasted(text).text],
      [null, 'words', text.trim()],
    )
})

test('what finds nothing says what was understood, and what to do', () => {
  const why = (text: string): string => whyNothing(readPasted(text))
  assert.match(why(MINT), /^The address 9BB6…pump has not traded here: .* Search by symbol instead\.$/)
  assert.match(why(`https://dexscreener.com/solana/${PAIR}`), /^The address 8sLb…Luqp from dexscreener\.com has not/)
  assert.match(why(`https://solscan.io/tx/${SIGNATURE}`), /^That is a transaction from solscan\.io\. Paste the mint/)
  assert.match(why('https://dexscreener.com/ethereum/0x6982508145454Ce325dDbE47a25d4ec3d2311933'), /another chain/)
  assert.match(why('https://pump.fun/board'), /^This link from pump\.fun names no token.* paste its mint\.$/)
  assert.match(why('$NOPE'), /^Nothing here begins with “NOPE” as a symbol\./)
  for (const text of ['https://', '%', 'https://a.b/%E0%A4%A', 'x'.repeat(400), '\u202Ehttps://solscan.io/x'])
    assert.ok(why(text).endsWith('.'), text)
})
