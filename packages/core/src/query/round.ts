/** The only place where values are rounded. */

const to = (digits: number) => {
  const scale = 10 ** digits
  return (value: number): number => {
    const rounded = Math.round(value * scale) / scale
    return rounded === 0 ? 0 : rounded // no -0 in JSON
  }
}

/** Percent, 0 to 100: two decimals. */
export const percent = to(2)
/** Rates 0 to 1 and returns: four decimals. */
export const ratio = to(4)
/** A share of `n` outcomes: two decimals, from a thousand outcomes on three. */
export const shareOfCounted = (n: number, value: number): number => (n < 1_000 ? to(2) : to(3))(value)
/** Mean slots: one decimal. */
export const meanSlots = to(1)

/** `part` of `whole` in percent; 0 if `whole` is 0. */
export const share = (part: number, whole: number): number =>
  whole > 0 ? percent(Math.min(100, (100 * part) / whole)) : 0

/** The same for tokens that changed hands, which can be more than there are. */
export const turnover = (part: number, whole: number): number => (whole > 0 ? percent((100 * part) / whole) : 0)

export const sol = (lamports: number): number => lamports / 1e9

/** Rounds a reading that may be missing. */
export const maybe = (value: number | null, round: (value: number) => number): number | null =>
  value === null ? null : round(value)
