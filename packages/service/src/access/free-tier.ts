import { networkOf } from './rate-limits/client-address.ts'
import { type Place, RATES, takeFrom, type Window, type Windows } from './rate-limits/windows.ts'
import type { TrialDecision, TrialSeat, Trials } from './trials.ts'
import { TRIALS } from './trials.ts'

/** reads a minute of a free account where only those who have signed in may read: what all free answers of its address are,
 * so that a wallet that costs nothing is no way around the price. A board is seven reads, a token six */
export const RATE_PAGE_FREE = 15
/** calls a minute of all free accounts of one address (IPv6: a /64), as three of a household: wallets cost nothing; and of
 * one /48, in which providers put several customers */
export const RATE_FREE_ADDRESS = 15
export const RATE_FREE_NETWORK = 60
/** milliseconds of streams that all free accounts of one /48 have within an hour; less than an hour, so that no number of wallets makes a stream without end */
export const TRIAL_NETWORK_MS = 2_400_000

/**
 * The free tier counts by what is scarce. Wallets, accounts and keys are free, so free calls and trial time count for the
 * account, across its keys; for the client's address (IPv6: its /64), where ten thousand wallets get no more than three; and
 * for its /48, because one IPv6 customer has many addresses. A call that the account's own window refuses takes nothing from
 * its neighbours.
 */
function placesOf(
  account: string,
  address: string,
  most: { readonly account: number; readonly address: number; readonly network: number },
): Place[] {
  const network = networkOf(address)
  return [
    { subject: `free:${account}`, most: most.account },
    { subject: `free-address:${address}`, most: most.address },
    ...(network === null ? [] : [{ subject: `free-network:${network}`, most: most.network }]),
  ]
}

const CALLS = { account: RATES.free, address: RATE_FREE_ADDRESS, network: RATE_FREE_NETWORK }

/**
 * Counts a call of a free key. Returns the window that refuses, or the one with the fewest calls left; synchronous with windows
 * in memory.
 */
export function takeFree(windows: Windows, account: string, address: string, calls = 1): Window | Promise<Window> {
  return takeFrom(windows, placesOf(account, address, CALLS), calls)
}

/**
 * Counts a free account's read through a page that requires a sign-in. Such reads share the windows of address and /48 with
 * free keys, so that the page does not double the free tier. The account's window is the page's own, because a page sends
 * several requests at once. `calls` 0 counts nothing.
 */
export function takeFreePage(windows: Windows, account: string, address: string, calls = 1): Window | Promise<Window> {
  const [, ...others] = placesOf(account, address, CALLS)
  return takeFrom(windows, [{ subject: `page-account:${account}`, most: RATE_PAGE_FREE }, ...others], calls)
}

const TIMES = { account: TRIALS.ms, address: TRIALS.ms, network: TRIAL_NETWORK_MS }

/** Trials of account, address and network combined. */
export type FreeTrials = ReturnType<typeof createFreeTrials>

export const createFreeTrials = (trials: Pick<Trials, 'open'>) => ({
  /** opens a seat that lasts while all of them have time left. Never rejects */
  open: (account: string, address: string): Promise<TrialDecision> => openTrial(trials, account, address),
})

async function openTrial(trials: Pick<Trials, 'open'>, account: string, address: string): Promise<TrialDecision> {
  const seats: TrialSeat[] = []
  const release = (): void => {
    for (const seat of seats) seat.release()
  }
  // the address goes first, so that an exhausted address stores nothing about its accounts; the account's subject keeps its
  // plain name
  const [, ...others] = placesOf(account, address, TIMES)
  for (const { subject, most } of [...others.reverse(), { subject: account, most: TIMES.account }]) {
    const decision = await trials.open(subject, most)
    if (!decision.ok) {
      release()
      return decision
    }
    seats.push(decision.seat)
  }
  return { ok: true, seat: { hasTime: () => seats.every((seat) => seat.hasTime()), release } }
}
