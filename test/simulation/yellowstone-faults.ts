import type { FakeChain } from '../fakes/yellowstone-chain.ts'
import type { Faults } from '../fakes/yellowstone-node.ts'

/** A schedule of faults for each of one to three endpoints. */
export function drawFaults(random: () => number, { first, last }: FakeChain): Partial<Faults>[] {
  const some = (most: number): number => (random() < 0.5 ? 0 : random() * most)
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const outage = first + Math.floor(random() * (last - first))
    return {
      disconnect: some(0.05),
      truncate: some(0.02),
      duplicate: some(0.3),
      reorder: random() < 0.5 ? 0 : Math.floor(random() * 5),
      lose: some(0.1),
      garbage: some(0.1),
      dead: some(1),
      forks: 0.5,
      stall: some(0.02),
      window: pick(5, 40, 150, 1_000),
      claims: pick('truth', 'too early', 'nothing'),
      resume: pick('exact', 'exact', 'too far back', 'ignored', 'refused'),
      outages: random() < 0.4 ? [[outage, outage + Math.floor(random() * 120)] as const] : [],
    }
  })
}
