import { BUNDLES } from '@ti/core/engine/constants.ts'
import { percent } from './numbers.ts'
import { flag, number, type Row, row, rows, string } from './records.ts'

/** A first buyer whose whole history was read, and the wallet that sent its first SOL. */
interface Funded {
  readonly wallet: string
  readonly funder: string
  /** Unix seconds. */
  readonly at: number
  /** The source names it as an exchange's wallet. */
  readonly known: boolean
}

/** Wallets funded within this time of each other share a funder in the sense of the family, seconds. */
const WINDOW_SECONDS = BUNDLES.funderSlots * 0.4

/** `files`: the first buyers of one token each. Applies the tiers of the funder family to real funding. */
export function fundingNotes(files: readonly unknown[]): string[] {
  const tokens = files.map((file) => rows(row(file).wallets))
  const funded = tokens.map((wallets) => wallets.map(firstFunder).filter((one) => one !== null))
  const buyers = tokens.reduce((sum, wallets) => sum + wallets.length, 0)
  const distinct = new Set(tokens.flatMap((wallets) => wallets.map((wallet) => string(wallet, 'wallet')))).size
  const known = funded.flat()
  const shared = funded.map((one) => sharing(one))
  const near = funded.map((one) => sharing(one, WINDOW_SECONDS))
  const sum = (of: readonly Sharing[], pick: (one: Sharing) => number): number =>
    of.reduce((total, one) => total + pick(one), 0)
  const exchange = known.filter((one) => one.known).length
  const share = (part: number): string =>
    `${part} of ${known.length} (${percent(known.length === 0 ? null : part / known.length)})`
  return [
    `${tokens.length} tokens, ${buyers} first buyers (${distinct} distinct wallets). The first funder is certain for ${known.length} of them: the whole history was read. For the others it is unknown, which is not "none".`,
    `Of those, ${share(exchange)} were first funded by an exchange that the source names; the funder family gives these no weight.`,
    `${share(sum(shared, ({ wallets }) => wallets))} share their first funder with another first buyer of the same token; without the named exchanges ${share(sum(shared, ({ unnamed }) => unnamed))}.`,
    `Within 24 h of each other, as the rule asks: ${share(sum(near, ({ wallets }) => wallets))}; without the named exchanges ${share(sum(near, ({ unnamed }) => unnamed))}, in ${sum(near, ({ funders }) => funders)} groups, the largest of ${Math.max(0, ...near.map(({ largest }) => largest))} wallets.`,
    'What this says: how often the funder family has something to work with among first buyers, and that a list of exchange wallets decides much of it.',
    'What it cannot say: whether such wallets act together (there are no trades of these tokens here), how many wallets a funder funded in all (only first buyers were traced), and how it is among launches that fail (all of these succeeded).',
  ]
}

/** A wallet's earliest funding, if its whole history was read. Proceeds of its own sales do not count. */
function firstFunder(wallet: Row): Funded | null {
  const address = string(wallet, 'wallet')
  if (address === null || flag(wallet, 'genesis_reached') !== true) return null
  let first: Funded | null = null
  for (const inflow of rows(wallet.inflows)) {
    const funder = string(inflow, 'source')
    const at = number(inflow, 'ts')
    if (string(inflow, 'nature') !== 'financement' || funder === null || at === null) continue
    if (first === null || at < first.at) {
      first = { wallet: address, funder, at, known: string(inflow, 'source_known') !== null }
    }
  }
  return first
}

interface Sharing {
  /** Wallets that share a funder, and those whose funder is not a named exchange. */
  readonly wallets: number
  readonly unnamed: number
  /** Groups by unnamed funder. */
  readonly funders: number
  readonly largest: number
  readonly sizes: readonly number[]
}

function sharing(funded: readonly Funded[], withinSeconds = Number.POSITIVE_INFINITY): Sharing {
  const by = new Map<string, Funded[]>()
  for (const one of funded) by.set(one.funder, [...(by.get(one.funder) ?? []), one])
  const groups = [...by.values()]
    .map((group) => group.filter((a) => group.some((b) => b !== a && Math.abs(b.at - a.at) <= withinSeconds)))
    .filter((group) => group.length > 0)
  const unnamed = groups.filter((group) => !group.some(({ known }) => known))
  const sizes = unnamed.map((group) => group.length)
  const total = (of: readonly Funded[][]): number => of.reduce((sum, group) => sum + group.length, 0)
  return {
    wallets: total(groups),
    unnamed: total(unnamed),
    funders: unnamed.length,
    largest: Math.max(0, ...sizes),
    sizes,
  }
}
