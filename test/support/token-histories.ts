import { createHash } from 'node:crypto'
import { base58Encode, key } from '@ti/core/base/base58.ts'
import { METEORA_DBC_AUTHORITY, TOKEN_TEXT } from '@ti/core/model/programs.ts'
import { isProgramsOwn, type TokenRow } from './accounts.ts'
import { type Answer, addCalls, type Call, indexOf } from './answers.ts'
import { createDbcMarket } from './dbc-market.ts'
import fc from './property.ts'

/**
 * Histories of one token as a node tells them, with all that moves tokens: trades for oneself, for another and through an
 * aggregator, hops, gifts, burns, closed and second accounts, accounts that change hands, fees of transfers, tokens locked in
 * programs, and movements that the history does not show.
 */
const ACTIONS = [
  ...(['buy', 'buy', 'second', 'second'] as const),
  ...(['buy', 'buy_for', 'buy_via', 'buy_and_give', 'sell', 'sell_via', 'sell_second', 'hop', 'gift'] as const),
  ...(['gift_fee', 'burn', 'close', 'second', 'hand_over', 'lock', 'delegated', 'unseen'] as const),
]

export interface Move {
  readonly action: (typeof ACTIONS)[number]
  readonly who: number
  readonly other: number
  /** Thousandths of what is there. */
  readonly size: number
}

const PEOPLE = 5
const person = fc.integer({ min: 0, max: PEOPLE - 1 })

/** `seen`: no movement happens outside the history. */
export const moves = (seen: boolean, least = 1): fc.Arbitrary<Move[]> =>
  fc.array(
    fc.record({
      action: fc.constantFrom(...ACTIONS.filter((action) => !seen || action !== 'unseen')),
      who: person,
      other: person,
      size: fc.integer({ min: 1, max: 1000 }),
    }),
    { minLength: least, maxLength: least + 39 },
  )

/** A key with its own meaning that a person could have, or that only a program can. */
function addressOf(name: string, isPersons: boolean): string {
  for (let i = 0; ; i++) {
    const address = base58Encode(createHash('sha256').update(`${name} ${i}`).digest().toString('latin1'))
    if (isProgramsOwn(address) !== isPersons) return address
  }
}

const people = Array.from({ length: PEOPLE }, (_, i) => addressOf(`person ${i}`, true))
const LOCK = addressOf('lock', false)
const AGGREGATOR = addressOf('aggregator', false)
const MARKET = base58Encode(METEORA_DBC_AUTHORITY)
const MINT = addressOf('mint', true)

interface TokenAccount {
  owner: string
  amount: bigint
}

export interface TokenHistory {
  readonly mint: string
  readonly decimals: number
  readonly issued: bigint
  readonly answers: readonly Answer[]
}

/** One transaction in the making: the rows of the accounts that it names. */
function createTransaction(n: number, signers: readonly string[]) {
  const answer: Answer = {
    slot: 300_000_000 + n,
    blockTime: 1_790_000_000 + n,
    transaction: {
      signatures: [base58Encode(createHash('sha512').update(`transaction ${n}`).digest().toString('latin1'))],
      message: {
        header: { numRequiredSignatures: signers.length },
        accountKeys: [...signers],
        instructions: [],
      },
    },
    meta: {
      err: null,
      preBalances: signers.map(() => 1e9),
      postBalances: signers.map(() => 1e9),
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      logMessages: [],
    },
  }
  // the token program runs in each, which names the mint
  addCalls(answer, [{ call: [key(TOKEN_TEXT), [key(MINT)], Buffer.of(12)], inner: [] }])
  return answer
}

/** Acts out `moves`; what cannot happen, for want of tokens, does not. */
export function historyOf(moves: readonly Move[], decimals: 6 | 9): TokenHistory {
  const issued = 10n ** BigInt(9 + decimals)
  const dbc = createDbcMarket(key(MINT), issued)
  const accounts = new Map<string, TokenAccount>()
  const answers: Answer[] = []

  const rowsOf = (answer: Answer, named: readonly string[]): TokenRow[] =>
    named.flatMap((name) => {
      const account = accounts.get(name)
      if (account === undefined) return []
      const uiTokenAmount = { amount: String(account.amount), decimals }
      return [{ accountIndex: indexOf(answer, key(name)), mint: MINT, owner: account.owner, uiTokenAmount }]
    })

  /** `act` moves tokens between the accounts named, whose rows before and after stand in the transaction. */
  function transact(
    signers: readonly string[],
    named: readonly string[],
    calls: readonly Call[],
    act: () => void,
  ): void {
    const answer = createTransaction(answers.length, signers)
    answer.meta.preTokenBalances.push(...rowsOf(answer, named))
    act()
    answer.meta.postTokenBalances.push(...rowsOf(answer, named))
    addCalls(answer, calls)
    answers.push(answer)
  }

  const nameOf = (owner: string, no = 0): string => addressOf(`account ${no} of ${owner}`, true)
  const change = (name: string, owner: string, amount: bigint): void => {
    const account = accounts.get(name) ?? { owner, amount: 0n }
    account.amount += amount
    accounts.set(name, account)
  }
  const vault = nameOf(MARKET)
  const trade = (user: string, isBuy: boolean, tokens: bigint): Call => dbc.trade(key(user), isBuy, tokens)

  transact([people[0]!], [vault], [dbc.launch(key(people[0]!))], () => change(vault, MARKET, issued))
  for (const { action, who, other, size } of moves) {
    const [user, friend] = [people[who]!, people[(who === other ? other + 1 : other) % PEOPLE]!]
    const [own, second, friends] = [nameOf(user), nameOf(user, 1), nameOf(friend)]
    const amount = ((accounts.get(vault)?.amount ?? 0n) * BigInt(size)) / 30_000n
    const held = accounts.get(own)
    const part = held?.owner === user ? (held.amount * BigInt(size)) / 1_000n : 0n
    const give = (to: string, owner: string, fee = 0n) => {
      change(own, user, -part)
      change(to, owner, part - fee)
    }
    const buy = (to: string, owner: string) => {
      change(vault, MARKET, -amount)
      change(to, owner, amount)
    }
    const isFriends = (accounts.get(friends)?.owner ?? friend) === friend
    const isOwn = (held?.owner ?? user) === user
    if (amount === 0n) continue
    if (action === 'hop') {
      const calls = [trade(AGGREGATOR, true, amount), trade(AGGREGATOR, false, amount)]
      transact([user], [vault], calls, () => {})
    } else if (action === 'buy' && isOwn) {
      transact([user], [vault, own], [trade(user, true, amount)], () => buy(own, user))
    } else if (action === 'buy_for' && isFriends) {
      transact([user], [vault, friends], [trade(user, true, amount)], () => buy(friends, friend))
    } else if (action === 'buy_via' && isOwn) {
      const through = nameOf(AGGREGATOR)
      change(through, AGGREGATOR, 0n)
      transact([user], [vault, through, own], [trade(AGGREGATOR, true, amount)], () => buy(own, user))
    } else if (action === 'buy_and_give' && isOwn && isFriends) {
      transact([user], [vault, own, friends], [trade(user, true, amount)], () => {
        buy(own, user)
        change(own, user, -amount / 3n)
        change(friends, friend, amount / 3n)
      })
    } else if (action === 'unseen' && isOwn) {
      // what happens here, no transaction of the history shows
      buy(own, user)
    }
    if (part === 0n) continue
    if (action === 'sell' || action === 'sell_via') {
      const seller = action === 'sell' ? user : AGGREGATOR
      transact([user], [vault, own], [trade(seller, false, part)], () => give(vault, MARKET))
    } else if (action === 'sell_second') {
      // out of an account that got its tokens in the same transaction
      transact([user], [vault, own, second], [trade(user, false, part / 2n)], () => {
        give(second, user)
        change(second, user, -(part / 2n))
        change(vault, MARKET, part / 2n)
      })
    } else if (action === 'gift' || action === 'gift_fee') {
      const fee = action === 'gift' ? 0n : part / 50n
      if (isFriends) transact([user], [own, friends], [], () => give(friends, friend, fee))
    } else if (action === 'delegated') {
      if (isFriends) transact([friend], [own, friends], [], () => give(friends, friend))
    } else if (action === 'burn') {
      transact([user], [own], [], () => change(own, user, -part))
    } else if (action === 'close') {
      if (!isFriends) continue
      transact([user], [own, friends], [], () => {
        change(friends, friend, held!.amount)
        accounts.delete(own)
      })
    } else if (action === 'second') {
      if ((accounts.get(second)?.owner ?? user) === user) transact([user], [own, second], [], () => give(second, user))
    } else if (action === 'hand_over') {
      const given = accounts.get(second)
      if (given?.owner !== user) continue
      transact([user], [second], [], () => {
        given.owner = friend
      })
    } else if (action === 'lock') {
      transact([user], [own, nameOf(LOCK)], [], () => give(nameOf(LOCK), LOCK))
    }
  }
  return { mint: MINT, decimals, issued, answers }
}
