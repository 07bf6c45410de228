import assert from 'node:assert/strict'
import { test } from 'node:test'
import { key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { TOKEN_2022_TEXT } from '@ti/core/model/programs.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { associatedTokenKey } from '@ti/service/base/token-account.ts'
import { chainOf } from '../fakes/yellowstone-chain.ts'
import { block, launch, named, transaction } from '../support/live-chain.ts'
import { noClient, serveChain } from './followed-service.ts'

/**
 * Accounts of large holders, from the fold to the endpoint and back: the main thread makes the list, the decoding thread derives the
 * accounts, the official client asks for them, and what they send by a plain `Transfer` comes into the state.
 */
const FIRST = 1_000
/** places in the chain: the launch, the transfers, the end */
const [LAUNCHED, SENT, END] = [FIRST + 2, FIRST + 250, FIRST + 260]
/** between two purchases of the token, which show its token program and keep it among those that trade */
const EVERY = 20
const TOKEN_2022 = key(TOKEN_2022_TEXT)
const MINT = named('mint')
const SOL = 1_000_000_000
const HOLDERS = Array.from({ length: 11 }, (_, n) => named(`holder ${n}`))
const [TRADER, SENDER] = HOLDERS as [Key, Key]
/** it holds less than a quarter of a percent */
const SMALL = named('small')

/** All that `from` has goes to `to`. It names two accounts and their owner, no mint. */
function plainTransfer(from: Key, to: Key, amount: number): RawTransaction {
  const accounts = [from, to].map((owner) => associatedTokenKey(owner, MINT, TOKEN_2022))
  const row = (account: number, owner: Key, held: number) => ({ account, mint: MINT, owner, amount: held, decimals: 6 })
  const data = Buffer.alloc(9)
  data[0] = 3
  data.writeBigUInt64LE(BigInt(amount), 1)
  return transaction([from, ...accounts, TOKEN_2022], {
    instructions: [{ program: 3, accounts: Uint8Array.of(1, 2, 0), data }],
    preTokens: [row(1, from, amount)],
    postTokens: [row(1, from, 0), row(2, to, amount)],
  })
}

function makeChain() {
  const token = launch(MINT, named('deployer'))
  const at = new Map<number, RawBlock['transactions']>()
  const bought = [...HOLDERS.map((user) => token.buy(user, SOL)), token.buy(SMALL, SOL / 1_000)]
  at.set(LAUNCHED, [token.create(), ...bought])
  const held = { sender: token.held(SENDER), small: token.held(SMALL) }
  for (let slot = LAUNCHED + EVERY; slot < SENT; slot += EVERY)
    at.set(slot, [token.buy(TRADER, SOL / 100, { program: TOKEN_2022 })])
  at.set(SENT, [
    plainTransfer(SENDER, named('receiver'), held.sender),
    plainTransfer(SMALL, named('other'), held.small),
  ])
  const slots = Array.from({ length: END - FIRST + 10 }, (_, i) => FIRST + i)
  return { chain: chainOf(slots.map((slot) => block(slot, at.get(slot) ?? []))), held }
}

test('a plain Transfer of a large holder comes into the state because its account is followed, and no other', {
  skip: noClient,
  timeout: 400_000,
}, async (t) => {
  const { chain, held } = makeChain()
  const service = await serveChain(t, chain, () => ({ FOLLOW_HOLDERS: '100' }))
  const { engine, store } = service.folding.node
  const balanceOf = (owner: Key): number => {
    const wallet = store.walletIdByAddress(owner)
    return wallet === undefined ? 0 : (engine.tokens.peek(MINT)?.positions.get(wallet)?.balance ?? 0)
  }
  await service.reach(FIRST)
  await service.reach(LAUNCHED)
  assert.deepEqual([balanceOf(SENDER), balanceOf(SMALL)], [held.sender, held.small])
  const account = associatedTokenKey(SENDER, MINT, TOKEN_2022)
  await service.follows(SENT, account)
  assert.equal(service.isAsked(associatedTokenKey(SMALL, MINT, TOKEN_2022)), false)
  await service.reach(END)
  assert.deepEqual([balanceOf(SENDER), balanceOf(named('receiver'))], [0, held.sender])
  assert.deepEqual([balanceOf(SMALL), balanceOf(named('other'))], [held.small, 0], 'what nobody follows is not seen')
  await service.close()
})
