import assert from 'node:assert/strict'
import { key, keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { ChainEvent, TradeEvent } from '@ti/core/model/events.ts'
import { METEORA_DAMM_AUTHORITY, METEORA_DBC_AUTHORITY } from '@ti/core/model/programs.ts'
import { createAccountLedger, type NodeTransaction } from '../../support/accounts.ts'
import { ledgerDifferences, programsAmongPeople, slackOf } from '../../support/ledger-judge.ts'
import { type Folded, foldMaterial } from './fold.ts'

/** A token's life on the real programs, with what the accounts say of each transaction (packages/lab, command `life`). */
export interface Life {
  readonly name: string
  /** In order; `label` is that of the file. */
  readonly steps: readonly { readonly label: string; readonly tx: NodeTransaction }[]
  readonly expected: readonly Expected[]
}

/** Base units as text. Which fields are there follows from `kind`. */
interface Expected {
  readonly label: string
  readonly kind: 'create' | 'trade' | 'migrate' | 'damm'
  readonly mint?: string
  readonly pool?: string
  readonly creator?: string
  readonly supply?: string
  readonly user?: string
  /** Differences of the user's tokens and of the vaults. */
  readonly userTokens?: string
  readonly quoteVault?: string
  readonly baseVault?: string
  /** The pool's account after a trade on the curve. */
  readonly sqrtPrice?: string
  readonly quoteReserve?: string
  readonly baseReserve?: string
  /** After a trade in the pool that the curve migrated to. */
  readonly quoteVaultAfter?: string
  readonly supplyAfter?: string
}

/** Reads the files of a folder: one transaction each, in the order of their numbers, and the answers. */
export function lifeOf(name: string, files: ReadonlyMap<string, string>): Life {
  const steps = [...files]
    .flatMap(([file, text]) => {
      const [, number, label] = /^(\d+)_(\w+)\.json$/.exec(file) ?? []
      return number === undefined
        ? []
        : [{ number: Number(number), label: label!, tx: JSON.parse(text) as NodeTransaction }]
    })
    .sort((a, b) => a.number - b.number)
  const answers = [...files].find(([file]) => /^expect\./.test(file))![1]
  const expected = JSON.parse(answers) as Expected[]
  assert.ok(steps.length >= expected.length && expected.length > 0, `${name}: ${steps.length} transactions`)
  return { name, steps, expected }
}

export interface Judgement {
  readonly facts: number
  /** One line for each fact that differs. */
  readonly wrong: readonly string[]
  readonly folded: Folded
}

interface Facts {
  facts: number
  readonly wrong: string[]
  is(what: string, got: unknown, want: unknown): void
  /** Whether base units are right: exactly, or as far as a number can tell for supplies above 2^53. */
  amount(what: string, got: number | undefined, want: bigint): void
}

function createFacts(name: string, supply: bigint): Facts {
  const slack = slackOf(supply)
  const facts: Facts = {
    facts: 0,
    wrong: [],
    is(what, got, want) {
      facts.facts++
      if (got !== want) facts.wrong.push(`${name} ${what}: ${String(got)}, but it is ${String(want)}`)
    },
    amount(what, got, want) {
      const off = got === undefined || !Number.isFinite(got) ? null : BigInt(Math.round(got)) - want
      const isRight = off !== null && off <= slack && -off <= slack
      facts.is(what, isRight ? want : got, want)
    },
  }
  return facts
}

/** Own the vaults of the curve and of the pool it migrates to. */
const MARKET = [METEORA_DBC_AUTHORITY, METEORA_DAMM_AUTHORITY].map(keyToBase58)

/** Folds a life as a user imports it, and compares each fact with the accounts. */
export async function judgeLife({ name, steps, expected }: Life): Promise<Judgement> {
  const { mint = '', supply = '0', pool, creator } = expected.find(({ kind }) => kind === 'create')!
  const mintKey = key(mint)
  const facts = createFacts(name, BigInt(supply))
  const ledger = createAccountLedger()
  const market = createMarketJudge(facts)
  let at = 0
  let decimals = 0

  function judgeStep(entry: LogEntry, folded: Folded): void {
    if (entry.kind !== 'block') return
    const { label, tx } = steps[at++]!
    assert.equal(entry.slot, tx.slot, `${name}: one transaction a slot`)
    ledger.apply(tx)
    decimals = tx.meta.postTokenBalances!.find((row) => row.mint === mint)?.uiTokenAmount.decimals ?? decimals
    const events = entry.events.filter(({ sig }) => sigToBase58(sig) === tx.transaction.signatures[0])
    const due = expected.find((one) => one.label === label)
    if (due !== undefined) judgeEvents(due, events, folded)
    if (ledger.held(mint).size > 0) judgeLedger(label, folded)
  }

  function judgeEvents(due: Expected, events: readonly ChainEvent[], folded: Folded): void {
    const { label, kind } = due
    const trades = events.filter((event) => event.kind === 'trade')
    facts.is(`${label} trades`, trades.length, kind === 'trade' || kind === 'damm' ? 1 : 0)
    if (trades.length === 1) market.judge(due, trades[0] as TradeEvent, mint)
    const token = folded.engine.tokens.peek(mintKey)?.token
    if (kind === 'create') {
      facts.is(`${label} mint`, token && keyToBase58(token.mint), mint)
      facts.is(`${label} curve`, token?.curve && keyToBase58(token.curve), pool)
      facts.is(`${label} deployer`, token && keyToBase58(folded.engine.wallet(token.deployer).address), creator)
      facts.amount(`${label} supply`, token?.supply, BigInt(supply))
    } else if (kind === 'trade' && token?.realQuote !== 0) {
      // 0 is unknown
      facts.amount(`${label} quote on the curve`, token?.realQuote, BigInt(due.quoteReserve!))
    } else if (kind === 'migrate') {
      facts.is(`${label} slot`, token?.migratedSlot, folded.engine.globals.slot)
      facts.is(
        `${label} pool is known`,
        token?.pool != null && events.some((event) => event.kind === 'pool' && event.pool === token.pool),
        true,
      )
      facts.amount(`${label} supply`, token?.supply, BigInt(due.supplyAfter!))
    }
  }

  function judgeLedger(label: string, folded: Folded): void {
    const held = ledger.held(mint)
    const truth = { mint, decimals, issued: BigInt(supply), held, market: MARKET, burned: ledger.burned(mint) }
    facts.facts += held.size
    for (const line of ledgerDifferences(folded, truth)) facts.wrong.push(`${name} ${label} ${line}`)
  }

  const folded = await foldMaterial([steps.map(({ tx }) => tx)], 150, judgeStep)
  facts.is('files that could not be read', folded.report!.files.filter(({ problem }) => problem !== null).length, 0)
  facts.is('transactions', at, steps.length)
  facts.is('programs’ accounts among people', programsAmongPeople(folded).join('; '), '')
  facts.is('tokens', folded.engine.globals.nextToken, 1)
  facts.is(
    'trade rows',
    folded.engine.globals.nextTrade,
    expected.filter(({ kind }) => kind === 'trade' || kind === 'damm').length,
  )
  assert.equal(ledger.unseen(mint), 0n, `${name}: every movement of tokens is in the material`)
  return { facts: facts.facts, wrong: facts.wrong, folded }
}

/** Largest relative difference of a price from the square of the pool's own root. */
const PRICE_OFF = 1e-6

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** Compares trades with the user's account, the vaults and the pool's own numbers. */
function createMarketJudge(facts: Facts) {
  let curve = { quote: 0n, base: null as bigint | null }
  /** Fees that lie in the vault of the pool's quote. */
  let feesInVault: bigint | null = null

  function onCurve(due: Expected, trade: TradeEvent): void {
    const { label } = due
    const [quote, base] = [BigInt(due.quoteReserve!), BigInt(due.baseReserve!)]
    facts.amount(`${label} quote that reached the curve`, trade.quoteAmount, abs(quote - curve.quote))
    if (curve.base !== null) {
      // a fee in tokens stays in the vault, but not on the curve
      const kept = trade.isBuy ? curve.base - base - BigInt(Math.round(trade.tokenAmount)) : 0n
      facts.is(`${label} fee in tokens`, kept >= 0n, true)
      facts.amount(`${label} tokens by reserves`, trade.tokenAmount, abs(curve.base - base) - kept)
    }
    curve = { quote, base }
    const price = (Number(due.sqrtPrice) / 2 ** 64) ** 2
    const off = Math.abs(trade.quoteReserve / trade.baseReserve / price - 1)
    facts.is(`${label} price, off by ${off}`, off <= PRICE_OFF, true)
  }

  function inPool(due: Expected, trade: TradeEvent): void {
    const { label } = due
    const moved = trade.quoteReserve - trade.quoteBefore
    facts.is(`${label} reserves before and after`, moved, trade.isBuy ? trade.quoteAmount : -trade.quoteAmount)
    const fees = BigInt(due.quoteVaultAfter!) - BigInt(Math.round(trade.quoteReserve))
    const charged = trade.isBuy ? trade.userQuote - trade.quoteAmount : trade.quoteAmount - trade.userQuote
    if (feesInVault !== null) facts.is(`${label} fees that the vault kept`, fees - feesInVault, BigInt(charged))
    else facts.is(`${label} reserve within the vault`, fees >= 0n, true)
    feesInVault = fees
  }

  return {
    judge(due: Expected, trade: TradeEvent, mint: string): void {
      const { label } = due
      const tokens = BigInt(due.userTokens!)
      facts.is(`${label} mint`, keyToBase58(trade.mint), mint)
      facts.is(`${label} user`, keyToBase58(trade.user), due.user)
      facts.is(`${label} side`, trade.isBuy ? 'buy' : 'sell', tokens > 0n ? 'buy' : 'sell')
      facts.amount(`${label} tokens`, trade.tokenAmount, abs(tokens))
      facts.amount(`${label} tokens of the vault`, trade.tokenAmount, abs(BigInt(due.baseVault!)))
      facts.amount(`${label} quote paid`, trade.userQuote, abs(BigInt(due.quoteVault!)))
      if (due.kind === 'trade') onCurve(due, trade)
      else inPool(due, trade)
    },
  }
}
