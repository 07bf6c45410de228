import { z } from 'zod'
import { parseJson } from '../../base/bounded-text.ts'

/** Numbers as the endpoints write them: JSON numbers, or decimal text. */
const AMOUNT = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,20})?$/)
    .transform(Number),
])
const SOL_MINT = 'So11111111111111111111111111111111111111112'

/** USD for one SOL out of an answer; null if it has another shape. Each recognises its endpoint by the shape. */
const SHAPES: readonly ((json: unknown) => number | null)[] = [
  shape(
    z.object({ data: z.object({ amount: AMOUNT, base: z.literal('SOL'), currency: z.literal('USD') }) }),
    ({ data }) => data.amount,
  ),
  // a ticker of one pair: the last trade's price, and its size
  shape(
    z.object({
      error: z.array(z.unknown()).max(0),
      result: z.record(z.string(), z.object({ c: z.tuple([AMOUNT, AMOUNT]) })),
    }),
    ({ result }) => {
      const pairs = Object.entries(result).filter(([pair]) => /^X?SOLZ?USD$/.test(pair))
      return pairs.length === 1 ? pairs[0]![1].c[0] : null
    },
  ),
  shape(z.object({ [SOL_MINT]: z.object({ usdPrice: AMOUNT }) }), (json) => json[SOL_MINT]!.usdPrice),
  shape(z.object({ data: z.object({ [SOL_MINT]: z.object({ price: AMOUNT }) }) }), ({ data }) => data[SOL_MINT]!.price),
  // a proxy that an operator runs in front of other endpoints
  shape(z.object({ solana: z.object({ usd: AMOUNT }) }), ({ solana }) => solana.usd),
  shape(z.object({ usd: AMOUNT }), ({ usd }) => usd),
]

function shape<T>(schema: z.ZodType<T>, read: (json: T) => number | null): (json: unknown) => number | null {
  return (json) => {
    const parsed = schema.safeParse(json)
    return parsed.success ? read(parsed.data) : null
  }
}

/** Wider than any price SOL had; a price outside is in another unit, or a mistake. */
const PLAUSIBLE = { min: 0.1, max: 100_000 }

export function readPrice(bytes: Buffer): number | null {
  const json = parseJson(bytes.toString())
  for (const read of SHAPES) {
    const usd = read(json)
    if (usd !== null) return usd >= PLAUSIBLE.min && usd <= PLAUSIBLE.max ? usd : null
  }
  return null
}
