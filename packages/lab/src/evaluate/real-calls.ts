import { interval, quantile } from './bootstrap.ts'
import { percent, reading, withInterval } from './numbers.ts'
import { area } from './real-outcomes.ts'
import { number, type Row, row, rows } from './records.ts'

/** The multiple of the market cap from which a call counts as doubled. */
const DOUBLED = 2

/** `lines`: calls with their market cap and the highest later multiple. */
export function callNotes(lines: readonly unknown[], seed: number): string[] {
  const calls = lines
    .map(row)
    .filter((one) => number(one, 'mc') !== null && number(one, 'peak') !== null)
    .map((one): Row => ({ mc: one.mc, peak: one.peak, doubled: number(one, 'peak')! >= DOUBLED }))
  if (calls.length === 0) return ['The file holds no call.']
  const quartiles = (field: string): string => {
    const sorted = calls.map((one) => number(one, field)!).sort((a, b) => a - b)
    return [0.25, 0.5, 0.75].map((q) => reading(quantile(sorted, q))).join(' / ')
  }
  const doubled = calls.filter((one) => one.doubled === true).length
  return [
    `${calls.length} calls; quartiles of the market cap at the call ${quartiles('mc')} USD, of the highest multiple after it ${quartiles('peak')}; ${percent(doubled / calls.length)} doubled at some moment.`,
    `The market cap at the call foretells doubling with AUROC ${withInterval(interval(area(calls, 'mc', 'doubled', seed)))}; 0.5 would say nothing, and below it small ones double more often.`,
    'Only called tokens are in it, which selects upwards, and a peak is not a price that anyone got. It bounds what a market-cap baseline is worth for a label of this kind; it says nothing of the score.',
  ]
}

/** `file`: one page of graduated tokens of a launchpad. */
export function graduationNotes(file: unknown): string[] {
  const minutes = rows(row(file).coins)
    .map((coin) => ({ created: number(coin, 'creationTime'), graduated: number(coin, 'graduationDate') }))
    .filter(({ created, graduated }) => created !== null && graduated !== null && graduated >= created)
    .map(({ created, graduated }) => (graduated! - created!) / 60_000)
    // the launchpad also lists wrapped SOL and other old tokens
    .filter((took) => took <= 24 * 60)
    .sort((a, b) => a - b)
  if (minutes.length === 0) return ['The file holds no token that graduated within a day.']
  const within = (limit: number): number => minutes.filter((took) => took <= limit).length
  return [
    `${minutes.length} tokens on the page graduated within 24 h of their creation: ${within(1)} within a minute, ${within(5)} within five, ${within(15)} within fifteen.`,
    'Whoever looks at the fixed ages comes too late for most of those: half a minute after the launch they are asked as graduates.',
    'One page chosen by its publisher, without the tokens that failed: no rate can be drawn from it.',
  ]
}
